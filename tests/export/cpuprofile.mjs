#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// cpuprofile.mjs - Chromium's DevTools: the Performance panel's own rows have our times.
import { readFileSync } from 'node:fs'
import { agree, arrives, browser, exported, functions, ok, self_ns, table, thread_ns, total_ns } from '../viewers/viewers.mjs'

const file = exported('cpuprofile')
const chromium = await browser()
const page = await chromium.newPage({ viewport: { width: 1400, height: 2400 } })
const errors = []
page.on('pageerror', (e) => errors.push(String(e)))
await page.goto('devtools://devtools/bundled/devtools_app.html?panel=timeline')
await page.getByRole('tab', { name: 'Performance' }).waitFor()
await page.evaluate(async (text) => {
	const ui = await import('devtools://devtools/bundled/ui/legacy/legacy.js')
	await ui.ViewManager.ViewManager.instance().showView('timeline') // its tab is there before the panel is
	const timeline = await import('devtools://devtools/bundled/panels/timeline/timeline.js')
	await timeline.TimelinePanel.TimelinePanel.instance().loadFromFile(new File([text], 'profile.cpuprofile'))
}, readFileSync(file, 'utf8'))

// Rows `12.3 ms 4.5 % / 6.7 ms 8.9 % / name / place`. A tab shows rows once the range has settled.
async function rows(tab) {
	await page.keyboard.press('Escape')
	await page.getByRole('tab', { name: tab }).dispatchEvent('mousedown', { button: 0 })
	let before = ''
	for (;;) {
		await page.waitForTimeout(700)
		const now = await page.locator('.timeline-tree-view tr').allInnerTexts()
		if (now.length > 4 && now.join() == before) return now.map((t) => t.split(/\s*\n\s*/).filter((c) => c))
		before = now.join()
	}
}
const ms = (cell) => parseFloat(cell.replaceAll(',', '')) * 1e6
const self = new Map(), total = new Map(), places = new Map()
for (const [own, all, name, place] of await rows('Bottom-up'))
	if (/ms/.test(own)) self.set(name, ms(own)), total.set(name, ms(all)), places.set(name, place)
const shown = new Map(functions.filter((f) => self.has(f.name)).map((f) => [f.name, f]))
ok(shown.size >= 6, 'functions are listed', [...self])
const only = (map) => new Map([...map].filter(([name]) => shown.has(name)))
const tenth = 0.05e6 + 10 // tenths of a millisecond are shown
arrives('self', agree('self', self, only(self_ns), tenth))
arrives('total', agree('total, under recursion too', total, only(total_ns), tenth))
arrives('lines', ok([...shown.values()].every((f) => !f.file || places.get(f.name).includes(`${f.file}:${f.line}`)), 'files and lines', [...places]))
const tree = new Map()
for (const [, all, name] of await rows('Call tree')) if (/ms/.test(all)) tree.set(name, ms(all))
arrives('threads', agree('threads', tree, thread_ns, tenth))
ok(!errors.length, 'no error in the panel', errors)
await chromium.close()
table('cpuprofile')
