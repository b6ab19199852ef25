#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// speedscope.mjs [FORMAT] - speedscope, in Chromium: its own files, valid by its published schema; and with `folded`, folded stacks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agree, arrives, waited, waits_arrive, browser, calls, counters, exported, folder, functions, ok, self_ns, table, thread_ns, total_ns } from '../viewers/viewers.mjs'

const format = process.argv[2] ?? 'speedscope'
const file = exported(format)
const release = join(folder, 'node_modules/speedscope/dist/release')
if (format == 'speedscope') {
	const { default: Ajv } = await import(join(folder, 'node_modules/ajv/dist/ajv.js'))
	const check = new (Ajv.default ?? Ajv)({ strict: false }).compile(JSON.parse(readFileSync(join(release, 'file-format-schema.json'))))
	ok(check(JSON.parse(readFileSync(file))), 'valid by the published schema', check.errors)
}

const chromium = await browser()
const page = await chromium.newPage({ viewport: { width: 1400, height: 1600 } })
const errors = []
page.on('pageerror', (e) => errors.push(String(e)))
page.on('dialog', (d) => (errors.push(d.message()), d.dismiss()))
await page.goto(`file://${release}/index.html`)
await page.locator('input[type=file]').setInputFiles(file)
await page.getByText('Sandwich').click()

const unit = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 }
function value(cell) {
	const m = cell.match(/^([\d.,]+)\s*(ns|µs|ms|s|k)?/)
	return Number(m[1].replaceAll(',', '')) * (m[2] ? unit[m[2]] ?? 1e3 : 1)
}
// Of each profile the rows `value (percent)`, value, name; a profile is a thread and a measure.
const sums = {}
const profiles = format == 'folded' ? [': time'] : JSON.parse(readFileSync(file)).profiles.map((p) => p.name)
for (const name of profiles) {
	await page.waitForTimeout(300)
	const rows = await page.locator('table tr').evaluateAll((all) => all.map((r) => [...r.cells].map((c) => c.innerText)))
	const into = (sums[name.split(': ').pop()] ??= { self: new Map(), total: new Map() })
	for (const [total, self, symbol] of rows)
		if (/^\d/.test(total) && /^\d/.test(self) && symbol) {
			into.total.set(symbol, (into.total.get(symbol) ?? 0) + value(total))
			into.self.set(symbol, (into.self.get(symbol) ?? 0) + value(self))
		}
	await page.keyboard.press('n')
}
// Two decimals of each thread's unit are shown.
const close = (what, shown, wanted) => {
	const wrong = [...wanted].filter(([name, v]) => Math.abs((shown.get(name) ?? 0) - v) > 0.02 * v + 30)
	return ok(wanted.size && !wrong.length, what, ...wrong.map(([n, v]) => `${n}: ${shown.get(n)}, not ${v}`))
}
const plain = (map) => (format == 'folded' ? new Map([...map].map(([n, v]) => [n.replaceAll(';', ':'), v])) : map)
arrives('self', close('self', sums.time.self, plain(self_ns)))
arrives('total', close('total, under recursion too', sums.time.total, plain(total_ns)))
if (format == 'speedscope') {
	arrives('calls', agree('calls', sums.calls.self, calls, 5))
	waits_arrive(() => close('waits', sums.waited.self, waited('self')) && close('total of waits', sums.waited.total, waited('total')))
	close("an interpreter's counter", sums['6502 cycles'].self, counters('self'))
	const threads = profiles.filter((p) => p.endsWith(': time')).map((p) => p.replace(': time', ''))
	// "Time Order" opens first, and shows callees as "Left Heavy" does: the heaviest of each caller first.
	const unordered = JSON.parse(readFileSync(file)).profiles.filter((p) => {
		const open = [{ begun: 0, last: Infinity }]
		return !p.events.every((e) => {
			if (e.type == 'O') return open.push({ begun: e.at, last: Infinity })
			const took = e.at - open.pop().begun, caller = open.at(-1), right = took <= caller.last
			caller.last = took
			return right
		})
	})
	ok(!unordered.length, 'callees stand with the heaviest first', unordered.map((p) => p.name))
	arrives('threads', ok([...thread_ns.keys()].every((t) => threads.includes(t)), 'threads', threads))
	const frames = JSON.parse(readFileSync(file)).shared.frames
	await page.getByText('größe::work(long)', { exact: true }).first().hover()
	ok(functions.every((f) => frames.some((s) => s.name == f.name && (!f.file || (s.file == f.file && s.line == f.line)))), 'files and lines are in the file')
} else {
	arrives('threads', close('threads', sums.time.total, thread_ns))
}
ok(!errors.length, 'opened without an error', errors)
await chromium.close()
table(format)
