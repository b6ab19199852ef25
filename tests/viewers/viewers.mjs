// SPDX-License-Identifier: MIT
// viewers.mjs - what the viewers' tests share: TAP, the exported file, what zprof itself says of the profile, a browser, and
// the table in report/export/README.md, of which each cell is a check here.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
export const build = process.env.ZPROF_BUILD
export const folder = join(build, 'viewers')
// Times are by the clock, or with `sampled` after the test's name by samples.
export const profile = join(folder, process.argv.includes('sampled') ? 'count.out' : 'exact.out')
const zprof = join(build, 'zprof')
export const installed = createRequire(join(folder, 'package.json'))

let count = 0
export function ok(holds, what, ...why) {
	console.log(`${holds ? 'ok' : 'not ok'} ${++count} - ${what}`)
	if (!holds) for (const line of why) console.log('# ' + (typeof line == 'string' ? line : JSON.stringify(line)))
	return holds
}

export function run(program, ...args) {
	const r = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 29 })
	return { status: r.status, out: r.stdout, said: r.stderr }
}

export function json(...args) {
	return JSON.parse(execFileSync(zprof, [...args, '--json', profile], { encoding: 'utf8', maxBuffer: 1 << 29 }))
}

// What zprof says. Raw times are never below zero, so a viewer's sums are ours to the nanosecond.
export const functions = json('report', '--raw').functions
export const contexts = json('report', '--raw', '--tree').contexts
export const threads = json('report', '--raw').threads
export const counter = '6502 cycles'

// The profile in a format, written without a message.
export function exported(format, ...args) {
	const file = `profile.${format}`
	const r = run(zprof, 'export', `--format=${format}`, '--raw', '-o', file, ...args, profile)
	ok(r.status == 0 && r.out + r.said == '', 'written without a message', r)
	return join(process.cwd(), file)
}

// Each value in WANTED, by name, against what a viewer shows; TOLERANCE is that of its display.
export function agree(what, shown, wanted, tolerance = 0) {
	const wrong = []
	for (const [name, value] of wanted) {
		const is = shown.get(name)
		if (is === undefined ? value > tolerance : Math.abs(is - value) > tolerance) wrong.push(`${name}: ${is}, not ${value}`)
	}
	if (!wanted.size) wrong.push('nothing was compared')
	return ok(!wrong.length, what, ...wrong)
}

export const by_name = (value) => new Map(functions.map((f) => [f.name, value(f)]))
export const calls = by_name((f) => f.calls)
export const self_ns = by_name((f) => f.self_ns)
export const total_ns = by_name((f) => f.total_ns)
// Times waited are null where the kernel gave none, as in most containers. There nothing can be compared.
export const waits_known = functions[0].self_waited_ns !== null
export const waited = (which) => by_name((f) => f[`${which}_waited_ns`])
// Rounding of each context to a nanosecond.
export const nearly = contexts.length + 1
export const counters = (which) => by_name((f) => f.counters.find((c) => c.name == counter)[which])
export const thread_ns = new Map(
	threads.map((t, i) => [`${t.name} (${t.tid})`, contexts.reduce((sum, c) => sum + (c.thread == i ? c.self_ns : 0), 0)]),
)

// The row of a format in the page's table, by the heads of its columns.
const page = readFileSync(join(root, 'report/export/README.md'), 'utf8')
const rows = page.split('\n').filter((l) => l.startsWith('|')).map((l) => l.split('|').slice(1, -1).map((c) => c.trim()))
const head = rows.find((r) => r[1] == '`--format`')
const checked = new Set()

// A check of a cell: the table says that COLUMN arrives.
export function arrives(column, holds) {
	if (holds) checked.add(column)
}

// The same for waits: COMPARE checks them.
export function waits_arrive(compare) {
	if (waits_known) arrives('waits', ok([...waited('self').values()].some((ns) => ns > 0), 'something waited') && compare())
	else checked.add('waits'), ok(true, 'waits # SKIP the kernel tells of none here')
}

// Call it last: the table has a mark in exactly those columns whose checks held.
export function table(format) {
	const row = rows.find((r) => r[1] == '`' + format + '`') ?? []
	const marked = head.filter((c, i) => i > 1 && row[i]?.startsWith('yes'))
	const wrong = head.slice(2).filter((c) => marked.includes(c) != checked.has(c))
	ok(row.length == head.length && !wrong.length, `the page's table says of ${format} what arrives`, `differ in: ${wrong}`, { marked, arrived: [...checked] })
	console.log(`1..${count}`)
}

export function plan() {
	console.log(`1..${count}`)
}

export async function browser() {
	const { chromium } = installed('playwright-core')
	return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
}

export const bytes = (file) => statSync(file).size
