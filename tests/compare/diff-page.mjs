#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// diff-page.mjs - the page of zprof diff --html, driven in Chromium: its numbers are those of `zprof diff --json` and of each side's
// `zprof report --tree --json`, its colours are the changes beyond their error, and nothing overlaps.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { browser, build, ok, plan, run } from '../viewers/viewers.mjs'
import { least_contrast, wrong_boxes } from '../html/boxes.mjs'

const zprof = `${build}/zprof`
const evil = '</script><script>window.evil=1</script><img/src=x/onerror="window.evil=1">'
const make = (file, spec) => execFileSync(`${build}/tests/make_profile`, [file], { input: spec })

// ---- three runs on each side, by a clock that counts as it is told. `print` takes longer for certain, `scan` is called more often but
// takes no longer for certain, `fold` takes less, `old_way` is gone, and `new_way` is new.
const spec = (side, i) => `clock fake
pid ${10 * side + i} 1
command ./prog ${evil.replaceAll(' ', '')}
run ${String(10 * side + i).padStart(32, '0')}
started 1700000000
zone main file=src/main.c line=10
zone parse file=src/parse.c line=20
zone scan file=src/scan.c line=5
zone ${side ? 'new_way file=src/new.c line=7' : 'old_way file=src/scan.c line=50'}
zone fold file=src/fold.c line=1
zone print file=src/print.c line=9
zone same${evil.replaceAll(' ', '')} file=src/same.c line=1
thread 1 main 1
  main 1 100
    parse 2 50
      scan ${side ? 30 : 20} ${400 + 20 * i + 10 * side}
      ${side ? 'new_way 6 70' : 'old_way 3 90'}
      fold 4 ${side ? 45 : 60}
    print 5 ${side ? 340 + i : 200 + i}
      scan 5 25
    same${evil.replaceAll(' ', '')} 1 30
`
const folders = ['before', 'after'], files = folders.map((folder, side) => [0, 1, 2].map((i) => (mkdirSync(folder, { recursive: true }), make(`${folder}/${i}.zp`, spec(side, i)), `${folder}/${i}.zp`)))
const made = run(zprof, 'diff', '--html', ...folders)
ok(made.status == 0 && made.said.includes("the page is in 'zprof-diff.html'"), 'written', made)
const diff = JSON.parse(run(zprof, 'diff', '--json', ...folders).out)
const chromium = await browser(), errors = []
const page = await chromium.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light' })
page.on('pageerror', (e) => errors.push(String(e)))
page.on('console', (m) => m.type() == 'error' && errors.push(m.text()))
await page.goto(`file://${process.cwd()}/zprof-diff.html`)
const settled = () => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 20)))
const near = (a, b) => Math.abs(a - b) <= 0.06
const wrong_numbers = (pairs) => pairs.filter(([, is, wanted]) => !near(is, wanted))

// ---- the head
const head = await page.locator('#title').innerText()
const lines = await page.locator('#title .side').evaluateAll((all) => all.map((e) => e.title))
ok(lines.length == 2 && lines.every((line, i) => line.startsWith(i ? 'after:  ' : 'before: ') && line.includes('3 runs')) && head.includes('./prog'), 'the head has both sides', lines)

// ---- the table: in each measure, the numbers and the order of the JSON
const members = { self: 'self_ns', total: 'total_ns', calls: 'calls' }
for (const [measure, member] of Object.entries(members)) {
	await page.locator(`#measure-${measure}`).click()
	const rows = await page.locator('main tbody tr').evaluateAll((all) => all.map((r) => ({ way: ['more', 'less', 'within'].find((w) => r.classList.contains(w)), ...Object.fromEntries([...r.cells].map((c) => [c.dataset.key, c.dataset.whole ?? c.dataset.value])) })))
	const by = new Map(rows.map((r) => [r.name, r]))
	const pairs = diff.functions.flatMap((f) => {
		const r = by.get(f.name) ?? {}, m = f[member], calls = [[`${f.name} calls before`, r.callsBefore, f.calls.values[0]], [`${f.name} calls after`, r.callsAfter, f.calls.values[1]]]
		return [[`${f.name} before`, r.before, m.values[0]], [`${f.name} after`, r.after, m.values[1]], [`${f.name} change`, r.change, m.change], ...(measure == 'calls' ? [] : [...calls, [`${f.name} error`, r.bar, m.change_error]])]
	})
	const way = (m) => (Math.abs(m.change) <= m.change_error ? 'within' : m.change > 0 ? 'more' : 'less')
	ok(rows.length == diff.functions.length && !wrong_numbers(pairs).length, `${measure}: the numbers of --json`, rows.length, ...wrong_numbers(pairs).slice(0, 4))
	ok(diff.functions.every((f) => by.get(f.name)?.way == way(f[member])), `${measure}: changes within their error are grey, others red or blue`, rows)
	const sizes = rows.map((r) => (r.way == 'within' ? -1 : Math.abs(r.change)))
	ok(sizes.every((size, i) => !i || size <= sizes[i - 1]), `${measure}: sorted by the size of the change`, sizes)
}
await page.locator('#measure-self').click()
const scan = diff.functions.find((f) => f.name == 'scan')
ok(scan.self_ns.change_error > scan.self_ns.change && scan.calls.change == 10 && (await page.locator('tr.within.calls-more td.name').allInnerTexts()).join() == 'scan', 'a function called more often that takes no longer for certain')
const names = await page.locator('td.name').evaluateAll((all) => all.map((c) => c.textContent))
ok(['new_way new', 'old_way gone'].every((n) => names.includes(n)), 'new and gone functions are said', names)

// ---- the flame graph: each side's contexts
const sides = files.map((list) => {
	const by = new Map()
	for (const file of list) {
		const contexts = JSON.parse(run(zprof, 'report', '--tree', '--json', file).out).contexts, path = new Map()
		for (const c of contexts) {
			path.set(c.id, [...(path.get(c.parent) ?? []), c.name])
			const key = path.get(c.id).join(' > '), sum = by.get(key) ?? { calls: 0, self: 0, total: 0 }
			by.set(key, { calls: sum.calls + c.calls / list.length, self: sum.self + c.self_ns / list.length, total: sum.total + c.total_ns / list.length })
		}
	}
	return by
})
const shown = await page.evaluate(() => {
	const found = []
	for (let i = 1, paths = [[]]; i < tree.n; i++) {
		paths[i] = [...paths[tree.parent[i]], functions[tree.fn[i]].name]
		found.push({ path: paths[i].join(' > '), all: context_at(i), on: tree.on[i], before: tree.before[i], after: tree.after[i], larger: tree.larger[i] })
	}
	return found
})
const none = { calls: 0, self: 0, total: 0 }
const pairs = shown.flatMap((c) => ['before', 'after'].flatMap((when, side) => [...['calls', 'self', 'total'].map((m) => [`${c.path} ${m} ${when}`, c.all[m][when], (sides[side].get(c.path) ?? none)[m]]), [`width of ${c.path} ${when}`, c[when], (sides[side].get(c.path) ?? none).total]]))
ok(shown.length == new Set([...sides[0].keys(), ...sides[1].keys()]).size && !wrong_numbers(pairs).length, "contexts and widths are the means of each side's --tree --json", shown.length, ...wrong_numbers(pairs).slice(0, 4))
ok(shown.every((c) => c.on == (sides[0].has(c.path) ? 1 : 0) + (sides[1].has(c.path) ? 2 : 0) && c.larger >= Math.max(c.before, c.after) - 0.1), 'which side has a context; the larger of both is no narrower')
await page.keyboard.press('2')
await page.locator('canvas').waitFor()
const hue = { more: 'hsl(8 ', less: 'hsl(214 ', within: 'hsl(40 ' }
for (const measure of ['total', 'self', 'calls']) {
	await page.locator(`#measure-${measure}`).click()
	await page.locator('#width-larger').click()
	const drawn = await page.evaluate((measure) => chart.boxes.filter((b) => b.frame.context).map((b) => ({ text: frame_text(b.frame), color: color(b.frame), strength: Math.abs(strength(b.frame)), c: in_context(b.frame)[measure] })), measure)
	const largest = Math.max(...shown.map((c) => c.all[measure]).filter((c) => Math.abs(c.change) > c.bar).map((c) => Math.abs(c.change)))
	const bad = drawn.filter((b) => {
		const certain = Math.abs(b.c.change) > b.c.bar, way = !certain ? 'within' : b.c.change > 0 ? 'more' : 'less'
		return !b.color.startsWith(hue[way]) || !near(b.strength, certain ? Math.sqrt(Math.abs(b.c.change) / largest) : 0)
	})
	ok(drawn.length == shown.length && !bad.length && new Set(drawn.map((b) => b.color.split(' ')[0])).size > 1, `${measure}: colours say which way a change goes and how large it is, grey that it is within its error`, drawn.length, ...bad)
	if (measure == 'total') ok(['new_way (new)', 'old_way (gone)'].every((n) => drawn.some((b) => b.text == n)), 'new and gone contexts are said', drawn.map((b) => b.text))
}
await page.locator('#width-after').click()
ok(await page.evaluate(() => !chart.boxes.some((b) => frame_text(b.frame).startsWith('old_way')) && Math.abs(chart.boxes.find((b) => frame_text(b.frame) == 'main').frame.weight - tree.after[0]) < 1), 'widths of the side after have no frame that is gone')
const print = await page.evaluate(() => chart.boxes.findIndex((b) => frame_text(b.frame) == 'print'))
await page.evaluate((i) => choose(i, true), print)
const told = await page.locator('#numbers').innerText()
ok(/self 201\S* → 341\S*:\s+\+140.*\n.*total 226\S* .*→ 366.*\n?.*calls 5 → 5:\s+no change/.test(told.replace(/ ±[\d.]+/g, '')), 'the bar below has both sides, the change, and calls', told)
await page.keyboard.press('1')
await settled()
await page.keyboard.press('ArrowDown')
await page.keyboard.press('Enter')
await settled()
ok(/#flame\/\d+/.test(page.url()) && (await page.evaluate(() => chart.boxes[chart.chosen].frame.id == state.focus)), 'a row leads to its frame, by keys')
await page.keyboard.press('1')
await settled()
await page.keyboard.press('/')
await page.keyboard.type('NEW_')
await page.keyboard.press('Enter')
await settled()
ok(/#flame\/\d+/.test(page.url()) && (await page.locator('#whole-name').innerText()) == 'new_way', 'and so does a search', page.url(), await page.locator('#whole-name').innerText())
await page.locator('#search').press('Escape')
ok(await page.evaluate(() => !state.search), 'which Escape ends')

// ---- boxes, in two sizes, dark and light
const wrong = [], contrasts = []
for (const [width, height] of [[800, 600], [1400, 900]]) {
	await page.setViewportSize({ width, height })
	for (const [hash, measure] of [['functions', 'self'], ['functions', 'calls'], ['flame', 'total']]) {
		await page.evaluate(([hash]) => (location.hash = hash), [hash])
		await settled()
		await page.evaluate((measure) => show_measure(measure), measure)
		for (const scheme of ['light', 'dark']) {
			await page.evaluate((scheme) => theme(scheme), scheme)
			wrong.push(...(await page.evaluate(wrong_boxes)).map((w) => `${width} ${hash} ${measure} ${scheme}: ${w}`))
			contrasts.push(await page.evaluate(least_contrast))
		}
	}
}
ok(!wrong.length, 'no overlap, nothing clipped, in two sizes, dark and light', ...wrong.slice(0, 8))
contrasts.sort((a, b) => a[0] - b[0])
ok(contrasts[0][0] >= 4.5, 'every text has a contrast of 4.5', contrasts[0])
ok((await page.evaluate(() => window.evil === undefined && !document.querySelector('main img, main script, header script'))) && names.some((n) => n.startsWith('same</script>')), 'names are text, and run nothing')

// ---- one side each, and profiles that hold calls only
make('counts.a', spec(0, 0).replace('clock fake', 'clock fake\nmode count'))
make('counts.b', spec(1, 0).replace('clock fake', 'clock fake\nmode count'))
run(zprof, 'diff', '--html', '-o', 'counts.html', 'counts.a', 'counts.b')
await page.goto(`file://${process.cwd()}/counts.html#flame`)
await settled()
ok(await page.evaluate(() => measures.join() == 'calls' && tree.after[0] == profile.whole[7] && chart.boxes.length > 5), 'profiles of calls alone have a page of calls')

// ---- two builds: a function that was renamed is one function, and its contexts are the contexts of both sides
writeFileSync('prog.c', 'volatile long sink;\n__attribute__((noinline)) void HELPER(int n)\n{\n\tfor (int i = 0; i < n; i++) { sink += i * n; sink ^= 0x55; }\n}\nint main(void)\n{\n\tfor (int i = 0; i < TIMES; i++) HELPER(i);\n\treturn 0;\n}\n')
for (const [name, helper, times] of [['old', 'helper', 3], ['new', 'assist', 5]]) {
	run('gcc', '-O2', '-g', '-finstrument-functions', `-DHELPER=${helper}`, `-DTIMES=${times}`, 'prog.c', '-o', name)
	run('env', `ZPROF_OPTIONS=output=${name}.out`, `LD_PRELOAD=${build}/libzprof.so`, `./${name}`)
}
run(zprof, 'diff', '--html', '-o', 'renamed.html', 'old.out', 'new.out')
await page.goto(`file://${process.cwd()}/renamed.html`)
await settled()
const one = await page.evaluate(() => functions.filter((f) => f?.name == 'assist (was helper)').map((f) => [f.on, f.calls.before, f.calls.after, [...tree.fn].filter((id) => id == f.id).length]))
ok(JSON.stringify(one) == '[[3,3,5,1]]' && (await page.locator('main').innerText()).includes('assist (was helper)'), 'a renamed function is said, and is one', one)
const real = await page.evaluate(wrong_boxes)
ok(!real.length, 'nothing is clipped where times have units and errors', ...real)

const refused = [run(zprof, 'diff', '--html', ...folders, 'before'), run(zprof, 'diff', '-o', 'x', ...folders), run(zprof, 'diff', '--html', '--json', ...folders)]
ok(refused.every((r) => r.status == 2), '--html takes two sides and no other form; -o needs --html', refused)
ok(!errors.length, 'no error in any page', errors)
await chromium.close()
plan()
