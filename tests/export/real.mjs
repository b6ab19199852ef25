#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// real.mjs NAME - a real program's profile in every format: opened without a warning by its reader, which
// adds up to the same whole; and the page, in five megabytes at most.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browser, build, bytes, folder, ok, plan, root, run } from '../viewers/viewers.mjs'

const name = process.argv[2], profile = join(folder, `${name}.out`), zprof = join(build, 'zprof')
const made = run(join(root, 'tests/viewers/real.sh'), name, profile)
if (!ok(made.status == 0, `${name} is built and profiled`, made.said.slice(-2000))) process.exit(1)
const { functions } = JSON.parse(execFileSync(zprof, ['report', '--raw', '--json', profile], { encoding: 'utf8', maxBuffer: 1 << 29 }))
const contexts = JSON.parse(execFileSync(zprof, ['report', '--tree', '--raw', '--json', profile], { encoding: 'utf8', maxBuffer: 1 << 29 })).contexts
const sum = (value) => functions.reduce((s, f) => s + value(f), 0)
const whole = sum((f) => f.self_ns), calls = sum((f) => f.calls)
console.log(`# ${name}: ${functions.length} functions, ${contexts.length} contexts`)

function written(format) {
	const file = join(process.cwd(), `${name}.${format}`)
	const r = run(zprof, ...(format == 'html' ? ['html', '--time', 'own'] : ['export', `--format=${format}`]), '--raw', '-o', file, profile)
	ok(r.status == 0 && (format == 'html' || r.said == ''), `${format}: written, ${(bytes(file) / 1e6).toFixed(1)} MB`, r)
	return file
}
const number = (text) => Number(text.replaceAll(',', ''))
// A sum as a viewer shows it, within its rounding.
const same = (what, shown, wanted, part = 0.005) => ok(Math.abs(shown - wanted) <= part * wanted, `${what}: ${shown}`, `not ${wanted}`)
const silent = (what, r) => ok(r.status == 0 && r.said == '', `${what} reads it without a warning`, r.said.slice(0, 1000), r.status)

const callgrind = run('callgrind_annotate', '--auto=no', '--show-percs=no', written('callgrind'))
silent('callgrind_annotate', callgrind)
same('its total', number(callgrind.out.match(/^ *([\d,]+).*PROGRAM TOTALS/m)[1]), whole)

process.env.PPROF_TMPDIR = process.cwd()
const pprof = run('go', 'tool', 'pprof', '-top', '-sample_index=calls', '-unit=count', written('pprof'))
silent('go tool pprof', pprof)
same('its calls', number(pprof.out.match(/of ([\d.]+)\S* total/)[1]), calls, 0)

// gmon.out holds the program itself; a C++ function that a library has too is the library's, and calls from there have no caller.
// gprof's flat profile counts no call of a function by itself.
const own = functions.find((f) => f.name == 'main').module
const inside = new Set(functions.filter((f) => f.module == own).map((f) => f.id))
const arcs = JSON.parse(execFileSync(zprof, ['graph', '--raw', '--json', profile], { encoding: 'utf8', maxBuffer: 1 << 29 })).arcs
const calls_inside = arcs.reduce((s, a) => s + (inside.has(a.caller) && inside.has(a.callee) && a.caller != a.callee ? a.calls : 0), 0)
const gprof = run('gprof', '-b', '-p', own, written('gmon'))
silent('gprof', gprof)
same('its calls', gprof.out.split('\n').reduce((s, l) => s + Number(l.match(/^ *[\d.]+ +[\d.]+ +[\d.]+ +(\d+) /)?.[1] ?? 0), 0), calls_inside, 0)

silent('graphviz', run('dot', '-Tsvg', written('dot'), '-o', 'real.svg'))
const csv = run('python3', '-c', 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(open(sys.argv[1], newline=""), strict=True)))', written('csv'))
silent("Python's csv", csv)
same('its calls', Number(csv.out), calls, 0)
ok(/^\S+ \S+ \d+$/m.test(readFileSync(written('ordering'), 'utf8')), "lld's order of functions")

const folded = written('folded')
const flames = run('perl', '/usr/share/perl5/Devel/NYTProf/flamegraph.pl', '--countname=ns', folded)
silent('flamegraph.pl', flames)
same('its whole', number(flames.out.match(/<title>all \(([\d,]+) ns/)[1]), whole)

process.env.PROFILER_CLI_SESSION_DIR = mkdtempSync(join(tmpdir(), 'ff'))
const firefox = (...args) => run('node', join(folder, 'node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js'), ...args, '--session', 'real')
const processed = written('firefox')
let loaded = firefox('load', processed)
for (let i = 0; i < 20 && loaded.status; i++) spawnSync('sleep', ['1']), (loaded = firefox('status')) // its server may need a while to begin
ok(loaded.status == 0, "the Firefox Profiler's reader reads it", loaded)
const listed = JSON.parse(firefox('thread', 'list', '--json').out).threads.find((t) => / time$/.test(t.name))
const rows = JSON.parse(firefox('thread', 'functions', '--json', '--limit', '0', '--include-idle', '--thread', listed.threadHandle).out).functions
same('its whole', rows.reduce((s, f) => s + f.selfSamples * 1e6, 0), whole)
firefox('stop')

const chromium = await browser()
const page = await chromium.newPage({ viewport: { width: 1400, height: 1600 } })
const errors = []
page.on('pageerror', (e) => errors.push(String(e)))
page.on('dialog', (d) => (errors.push(d.message()), d.dismiss()))
for (const format of ['speedscope', 'folded']) {
	await page.goto(`file://${join(folder, 'node_modules/speedscope/dist/release')}/index.html`)
	await page.locator('input[type=file]').setInputFiles(format == 'folded' ? folded : written(format))
	await page.getByText('Sandwich').click()
	await page.waitForTimeout(1000)
	const shown = await page.locator('table tr').count()
	ok(shown > 10 && !errors.length, `speedscope shows the ${format} file`, shown, errors)
}
const cpuprofile = written('cpuprofile')
const tools = await chromium.newPage({ viewport: { width: 1400, height: 1600 } })
tools.on('pageerror', (e) => errors.push(String(e)))
await tools.goto('devtools://devtools/bundled/devtools_app.html?panel=timeline')
await tools.getByRole('tab', { name: 'Performance' }).waitFor()
await tools.evaluate(async (text) => {
	const timeline = await import('devtools://devtools/bundled/panels/timeline/timeline.js')
	await timeline.TimelinePanel.TimelinePanel.instance().loadFromFile(new File([text], 'profile.cpuprofile'))
}, readFileSync(cpuprofile, 'utf8'))
const lines = tools.locator('.timeline-tree-view tr')
for (let i = 0; i < 30 && (await lines.count()) <= 4; i++) {
	await tools.keyboard.press('Escape')
	await tools.getByRole('tab', { name: 'Bottom-up' }).dispatchEvent('mousedown', { button: 0 })
	await tools.waitForTimeout(1000)
}
ok((await lines.count()) > 4 && !errors.length, "Chromium's DevTools show it", errors)

const html = written('html')
ok(bytes(html) <= 5e6, 'the page has at most 5 MB')
await page.goto(`file://${html}`)
const all = await page.evaluate(() => functions.filter((f) => f).reduce((s, f) => s + of_thread(f).self, 0))
same('its whole', all, whole)
for (const view of ['graph/1', 'flame', 'functions']) {
	await page.goto(`file://${html}#${view}`)
	await page.locator(view == 'flame' ? 'canvas' : view == 'functions' ? 'table.functions' : 'table.graph').waitFor()
}
ok(!errors.length, 'every view of it, without an error', errors)
await chromium.close()
plan()
