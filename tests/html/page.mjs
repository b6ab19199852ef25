#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// page.mjs - the page of zprof html, driven in Chromium: every view, the keys, numbers equal to --json, a hostile profile, and a
// hundred thousand contexts.
import { writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { agree, browser, build, bytes, contexts, counter, counters, folder, functions, json, ok, plan, profile, root, run, self_ns, threads, total_ns } from '../viewers/viewers.mjs'
import { wrong_boxes } from './boxes.mjs'

const zprof = `${build}/zprof`
const made = run(zprof, 'html', '--raw', '--time', 'own', '-o', 'page.html', profile)
ok(made.status == 0 && /the page is in 'page.html'/.test(made.said), 'written', made)
const chromium = await browser()
const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
const errors = [], requests = []
async function open(file) {
	const page = await context.newPage()
	page.on('pageerror', (e) => errors.push(String(e)))
	page.on('console', (m) => m.type() == 'error' && errors.push(m.text()))
	page.on('request', (r) => requests.push(r.url()))
	await page.goto(`file://${process.cwd()}/${file}`)
	return page
}
const page = await open('page.html')
const text = (selector) => page.locator(selector).innerText()
const rows = () => page.locator('main tbody tr').evaluateAll((all) => all.map((r) => Object.fromEntries([...r.cells].map((c) => [c.dataset.key, c.dataset.whole ?? c.dataset.value ?? c.innerText]))))
const near = 0.06 // tenths of a nanosecond

// ---- functions
function table(list) {
	const self = new Map(), total = new Map(), calls = new Map()
	for (const r of list) self.set(r.name, Number(r.self)), total.set(r.name, Number(r.total)), calls.set(r.name, Number(r.calls))
	return { self, total, calls }
}
const first = table(await rows())
agree('self times are those of --json', first.self, self_ns, near)
agree('totals are those of --json', first.total, total_ns, near)
agree('calls are those of --json', first.calls, new Map(functions.map((f) => [f.name, f.calls])))
const counted_in = (list, key) => new Map(list.map((r) => [r.name, Number(r[key])]))
agree('counters are those of --json', counted_in(await rows(), 'counter-0'), counters('self'))
agree('and their totals', counted_in(await rows(), 'counter-0-total'), counters('total'))
const head = run(zprof, 'report', '--raw', profile).out.split('\n')
ok((await text('#head')).startsWith(head[1].trim().slice(0, 40)) && (await text('#title')).startsWith(head[0].split('   ')[0]), 'the head of the report', head[1], await text('#head'))
await page.getByRole('button', { name: 'sort by calls' }).click()
const sorted = (await rows()).map((r) => Number(r.calls))
ok(sorted.every((c, i) => !i || c <= sorted[i - 1]), 'sorted by calls', sorted)
await page.getByRole('button', { name: 'sort by calls' }).click()
ok((await rows()).map((r) => Number(r.calls))[0] == Math.min(...sorted), 'and the other way round')
await page.keyboard.press('/')
await page.keyboard.type('FIBO')
ok((await rows()).map((r) => r.name).join() == 'größe::fibonacci(int)', 'search')
await page.locator('#search').press('Enter')
ok(/^#graph\/\d+$/.test(await page.evaluate(() => location.hash)) && (await page.locator('#whole-name').innerText()) == 'größe::fibonacci(int)', 'Enter opens the function that was found')
await page.goBack()
await page.locator('#search').press('Escape')
ok((await page.locator('#search').inputValue()) == '' && (await rows()).length > 1, 'Escape ends the search')
await page.locator('#search').fill('')
await page.locator('#group').selectOption('lisp')
ok((await rows()).map((r) => r.name).sort().join() == 'fact,square; "quoted"', 'a group')
await page.locator('#group').selectOption('')
const second = threads.findIndex((t) => t.name == 'second')
await page.locator('#thread').selectOption(String(second))
const alone = json('report', '--raw', '--thread', 'second').functions
const shown = table(await rows())
agree('the self times of a thread', shown.self, new Map(alone.map((f) => [f.name, f.self_ns])), near)
agree('the totals of a thread', shown.total, new Map(alone.map((f) => [f.name, f.total_ns])), near)
const counter_of = (f, which) => f.counters.find((c) => c.name == counter)[which]
agree('the counters of a thread', counted_in(await rows(), 'counter-0-total'), new Map(alone.map((f) => [f.name, counter_of(f, 'total')])))
await page.locator('#thread').selectOption('-1')

// ---- call graph
const graph = json('graph', '--raw', '--time', 'own')
const by_name = new Map(graph.functions.map((f) => [f.name, f]))
await page.locator('main tbody tr', { hasText: 'größe::fibonacci' }).click()
// The address changes at once, the page a little later.
const settled = () => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 50)))
const arc_rows = (all) => all.map((r) => [Number(r.dataset.id), ...['called', 'self', 'total'].map((key) => Number(r.querySelector(`[data-key=${key}]`).dataset.value))])
const own = async () => (await settled(), page.locator('tr.own td.name').getAttribute('data-whole'))
ok((await own()) == 'größe::fibonacci(int)', 'a click on a function opens its block')
await page.locator('main tbody tr', { hasText: 'thread(void*)' }).first().click()
ok((await own()) == 'thread(void*)', 'a click on a caller goes there')
await page.goBack()
const back = await own()
await page.goForward()
ok(back == 'größe::fibonacci(int)' && (await own()) == 'thread(void*)', 'back and forward')
const id = by_name.get('thread(void*)').id
const wanted = graph.arcs.filter((a) => a.caller == id && a.callee != id).map((a) => [a.callee, a.calls, a.child_self_ns, a.child_total_ns])
const children = await page.locator('tr.own ~ tr[data-id]').evaluateAll(arc_rows)
const same = (a, b) => a.length == b.length && a.every((x) => b.some((y) => x[0] == y[0] && x[1] == y[1] && Math.abs(x[2] - y[2]) <= near && Math.abs(x[3] - y[3]) <= near))
ok(wanted.length > 3 && same(wanted, children), 'its callees have the numbers of --json', wanted, children)

// Counters: of each arc on both sides, and in the block of a function that an interpreter counted.
const sides = graph.arcs.map((a) => [a.caller ?? 0, a.callee, ...['parent', 'child'].flatMap((side) => ['self', 'total'].map((which) => counter_of(a, `${side}_${which}`)))].join())
const sides_shown = await page.evaluate(() => functions.slice(1).flatMap((f) => arcs_of(f.id).parents.map((arc) => [arc.caller, arc.callee, ...['parent', 'child'].flatMap((side) => Object.values(counted_of_arc({ side, arc })[0]))].join())))
ok(sides.sort().join(';') == sides_shown.sort().join(';') && new Set(sides.map((s) => s.split(',').slice(2).join())).size > 3, 'arcs have the counters of --json', sides, sides_shown)
const fact = by_name.get('fact')
await page.goto(`${page.url().split('#')[0]}#graph/${fact.id}`)
await settled()
const own_counted = await page.locator('tr.own').evaluate((r) => ['counter-0', 'counter-0-children'].map((key) => Number(r.querySelector(`[data-key=${key}]`).dataset.value)))
ok(own_counted[0] == counter_of(fact, 'self') && own_counted[1] == counter_of(fact, 'total') - own_counted[0] && own_counted[1] > 0, 'and so has the block of a function', own_counted, fact)
ok((await text('#numbers')).replaceAll(',', '').includes(`${counter} ${own_counted[0]} (total ${own_counted[0] + own_counted[1]})`), 'and the bar at the bottom', await text('#numbers'))
await page.goBack()
await settled()

// With one thread chosen: the cost of its calls alone, and nothing for a function that it did not call.
const graph_alone = json('graph', '--raw', '--time', 'own', '--thread', 'second')
const id_alone = graph_alone.functions.find((f) => f.name == 'thread(void*)').id
const names_alone = new Map(graph_alone.functions.map((f) => [f.id, f.name]))
const wanted_alone = graph_alone.arcs.filter((a) => a.caller == id_alone && a.callee != id_alone).map((a) => [by_name.get(names_alone.get(a.callee)).id, a.calls, a.child_self_ns, a.child_total_ns])
await page.locator('#thread').selectOption(String(second))
await settled()
const children_alone = await page.locator('tr.own ~ tr[data-id]').evaluateAll(arc_rows)
ok(wanted_alone.length && !same(wanted_alone, children) && same(wanted_alone, children_alone), 'the call graph of a thread has the numbers of --thread', wanted_alone, children_alone)
const absent = functions.find((f) => f.name == 'main')
await page.goto(`${page.url().split('#')[0]}#graph/${by_name.get(absent.name).id}`)
await settled()
ok(/main was not called in this thread/.test(await text('main')), 'a function of another thread has no block there', await text('main'))
const at_work = alone.find((f) => f.name == 'größe::work(long)')
await page.goto(`${page.url().split('#')[0]}#source/${by_name.get('größe::work(long)').id}`)
await settled()
ok(at_work && (await text('tr.defines[aria-current]')).replaceAll(',', '').startsWith(`${at_work.calls}\t`), 'the source shows what a thread did', at_work, await text('tr.defines[aria-current]'))
await page.locator('#thread').selectOption('-1')
await page.goto(`${page.url().split('#')[0]}#graph/${id}`)
await settled()

// ---- flame graph
await page.keyboard.press('3')
await page.locator('canvas').waitFor()
const sums = await page.evaluate(() => {
	const self = {}, calls = {}
	const tree = tree_shown()
	for (let i = 0; i < tree.n; i++) {
		const name = functions[tree.fn[i]].name
		self[name] = (self[name] ?? 0) + tree.self[i]
		calls[name] = (calls[name] ?? 0) + tree.calls[i]
	}
	return { self, calls }
})
agree('the contexts have the self times of --json', new Map(Object.entries(sums.self)), self_ns, contexts.length)
agree('and its calls', new Map(Object.entries(sums.calls)), new Map(functions.map((f) => [f.name, f.calls])))
const contexts_counted = await page.evaluate(() => {
	const tree = tree_shown(), self = {}
	for (let i = 0; i < tree.n; i++) self[functions[tree.fn[i]].name] = (self[functions[tree.fn[i]].name] ?? 0) + counted_tree().self[0][i]
	const [down] = sandwich_frames(functions.find((f) => f?.name == 'square; "quoted"').id), [up] = sandwich_frames(functions.find((f) => f?.name == 'fact').id)
	return { self, of_frame: down.counted()[0], callers: up.kids().length }
})
agree('and its counters', new Map(Object.entries(contexts_counted.self)), counters('self'))
const boxes = () => page.evaluate(() => chart.boxes.map((b) => ({ name: functions[b.frame.id]?.name ?? frame_name(b.frame.id), depth: b.depth, x: b.x, width: b.width, weight: b.frame.weight })))
let drawn = await boxes()
const whole = drawn[0]
const main = drawn.find((b) => b.name == 'main')
ok(Math.abs(main.weight - total_ns.get('main')) <= contexts.length && Math.abs(main.width / whole.width - main.weight / whole.weight) < 1e-6, 'a frame is as wide as its time', main, whole)
await page.locator('canvas').click({ position: { x: main.x + 5, y: main.depth * 20 + 8 } })
drawn = await boxes()
ok(drawn[1].name == 'main' && drawn[1].width == whole.width && (await text('#whole-name')) == 'main' && /^here .*self/.test(await text('#numbers')), 'a click makes a frame as wide as the page', drawn[1], await text('#numbers'))
await page.locator('canvas').press('ArrowDown')
const spoken = await page.locator('#said').textContent()
await page.locator('canvas').press('Home')
ok(/—.*calls?/.test(spoken) && (await boxes())[1].width < whole.width, 'arrows choose a frame, a screen reader is told, Home shows the whole', spoken)
await page.locator('#search').fill('fibonacci')
ok(await page.evaluate(() => new Set(chart.boxes.map((b) => color(b.frame).startsWith('hsl(292'))).size == 2), 'search marks frames')
await page.locator('#search').fill('')
await page.getByRole('button', { name: 'callees below' }).click()
await settled()
drawn = (await boxes()).filter((b) => b.depth == 1)
agree('turned around, the first row is self times', new Map(drawn.map((b) => [b.name, b.weight])), new Map([...self_ns].filter(([n]) => drawn.some((b) => b.name == n))), contexts.length)

// ---- source, keys, colours, labels
await page.goto(`${page.url().split('#')[0]}#source/${by_name.get('größe::work(long)').id}`)
const line = await page.locator('tr.defines[aria-current]').innerText()
ok(line.replaceAll(',', '').startsWith(`${functions.find((f) => f.name == 'größe::work(long)').calls}\t`) && line.includes('static APART long work(long n)'), 'the source, annotated', line)
const in_source = await page.locator('tr.defines[aria-current]').evaluate((r) => ['counter-0', 'counter-0-total'].map((key) => Number(r.querySelector(`[data-key=${key}]`).textContent.replaceAll(',', ''))))
const of_work = functions.find((f) => f.name == 'größe::work(long)')
ok(in_source.join() == ['self', 'total'].map((which) => counter_of(of_work, which)).join(), 'with the counters of the function', in_source, of_work)
for (const [key, view] of [['1', 'Functions'], ['2', 'Call graph'], ['3', 'Flame graph'], ['4', 'Source'], ['5', 'Sandwich']]) {
	await page.keyboard.press(key)
	await page.locator(`[role=tab][aria-selected=true]:has-text("${view}")`).waitFor({ timeout: 5000 })
}
await page.keyboard.press('1')
await settled()
await page.keyboard.press('ArrowDown')
await page.keyboard.press('ArrowDown')
const focused = await page.evaluate(() => Number(document.activeElement.dataset.id))
await page.keyboard.press('Enter')
await settled()
ok(focused > 0 && page.url().endsWith(`#graph/${focused}`), 'keys choose views, rows, and open them', focused, page.url())
const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const light = await paper()
await page.keyboard.press('t')
ok(light != (await paper()), 'dark and light')
await page.keyboard.press('?')
ok(await page.locator('#help').isVisible(), 'the keys are listed')
const nameless = await page.locator('button, input, select, canvas').evaluateAll((all) => all.filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim())).length)
ok(nameless == 0, 'every control has a name for screen readers', nameless)

// ---- names of a hostile profile
const evil = (n) => `</script><script>window.evil=${n}</script><img src=x onerror="window.evil=${n}"><a href="javascript:window.evil=${n}">`.replaceAll(' ', '\u00a0')
const spec = `clock tsc 1000000000\npid 1 1\ncommand ${evil(1)}\nnote ${evil(2)}\nzone a${evil(3)} kind=2 file=/src/${evil(4)}.c line=4\nzone b${evil(5)} group=g${evil(6)} file=w.fs\nthread 1 <b>${'</script>'} 1\n  a${evil(3)} 1 900000\n    b${evil(5)} 5 7000\nthread 2 <i> 1\n  b${evil(5)} 5 7000\n`
execFileSync(`${build}/tests/make_profile`, ['evil.prof'], { input: spec })
run(zprof, 'html', '-o', 'evil.html', 'evil.prof')
const hostile = await open('evil.html')
for (const view of ['functions', 'graph/1', 'graph/2', 'flame', 'source/1', 'sandwich/2']) {
	await hostile.goto(`${hostile.url().split('#')[0]}#${view}`)
	await hostile.waitForTimeout(100)
}
await hostile.keyboard.press('1')
await hostile.locator('table.functions').waitFor()
await hostile.locator('main tbody tr').first().click()
ok((await hostile.evaluate(() => window.evil === undefined && !document.querySelector('main img, main script'))) && (await hostile.locator('main').innerText()).includes('<img'), 'names are text, and run nothing')
const blocked = await hostile.evaluate(async () => {
	const script = document.createElement('script')
	script.textContent = 'window.evil = 1'
	document.head.append(script)
	return [window.evil, await fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')]
})
ok(blocked[0] === undefined && blocked[1] == 'refused', 'even a script that got in would not run, and nothing can be fetched', blocked)
errors.splice(0, errors.length, ...errors.filter((e) => !/Content Security Policy|Refused to/i.test(e)))
ok(requests.every((r) => r.startsWith('file:') || r == 'http://127.0.0.1:9/'), 'no page asks the network for anything', requests)

// ---- as many counters as there may be, in windows where they have no room
const names = ['page-faults', 'context-switches', 'bytes that the interpreter has allocated', 'x']
const big = '1234567890 '.repeat(4)
execFileSync(`${build}/tests/make_profile`, ['counters.prof'], { input: `clock tsc 1000000000\n${names.map((n) => `counts ${n}\n`).join('')}thread 1 main 1\n  outer 1 900000\n    inner 5 7000\nextra 1:1 0 0 0 ${big}\n` })
run(zprof, 'html', '-o', 'counters.html', 'counters.prof')
const counting = await open('counters.html')
const heads = async () => (await counting.locator('main th').allInnerTexts()).map((t) => t.replace(/ [▾▴]/, ''))
for (const [width, least] of [[800, 1], [1000, 2], [1920, 4]]) {
	await counting.setViewportSize({ width, height: 800 })
	for (const view of ['functions', 'graph/1']) {
		await counting.evaluate((view) => (location.hash = view), view)
		await counting.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 50)))
		const shown = (await heads()).map((t) => names.findIndex((n) => n.slice(0, 8) == t.slice(0, 8))).filter((i) => i >= 0), wrong = await counting.evaluate(wrong_boxes)
		ok(!wrong.length && shown.length >= least && shown.every((n, i) => n == i), `${width} wide, ${view}: the first counters are shown as far as there is room`, wrong, await heads())
	}
}
await counting.evaluate(() => (location.hash = 'functions'))
await counting.getByRole('button', { name: 'sort by counter-1', exact: true }).click()
ok((await counting.locator('main td.name').allInnerTexts()).join() == 'inner,outer', 'sorted by a counter', await heads())

// ---- a hundred thousand contexts
const ten = [...'abcdefghij']
writeFileSync('many.c', ten.map((f) => `void ${f}(int);`).join('\n') + ten.map((f) => `\nvoid ${f}(int n)\n{\n\tif (n) {\n\t\t${ten.map((g) => `${g}(n - 1);`).join(' ')}\n\t}\n}`).join('') + '\nint main(void)\n{\n\ta(5);\n\treturn 0;\n}\n')
run('gcc', '-O0', '-g', '-finstrument-functions', 'many.c', '-o', 'many')
run('env', 'ZPROF_OPTIONS=clock=exact,output=many.out', `LD_PRELOAD=${build}/libzprof.so`, './many')
run(zprof, 'html', '--raw', '--time', 'own', '-o', 'many.html', 'many.out')
const many = await open('many.html')
const took = []
for (let i = 0; i < 20; i++) {
	took.push(await many.evaluate(async (i) => {
		const settled = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
		if (i == 0 || i == 10) (location.hash = i ? 'functions' : 'flame'), await settled(), await settled()
		const begin = performance.now()
		if (i < 10) {
			const boxes = chart.boxes.filter((b) => b.depth > chart.path.length - 1)
			const b = boxes.length ? boxes[Math.floor(boxes.length / 3)] : chart.boxes[0], r = document.querySelector('canvas').getBoundingClientRect()
			document.querySelector('canvas').dispatchEvent(new MouseEvent('click', { clientX: r.left + b.x + b.width / 2, clientY: r.top + b.depth * ROW + 5 }))
		} else {
			const rows = document.querySelectorAll('main tr[data-id]')
			rows[i % rows.length].click()
		}
		await settled()
		return performance.now() - begin
	}, i))
}
const n = await many.evaluate(() => profile.contexts.length / 4)
took.sort((a, b) => a - b)
console.log(`# ${n} contexts, ${(bytes('many.html') / 1e6).toFixed(1)} MB: a click takes ${took[10].toFixed(0)} ms in the median, ${took[19].toFixed(0)} ms at most`)
ok(n >= 100000 && bytes('many.html') < 5e6, 'a hundred thousand contexts in less than 5 MB', n, bytes('many.html'))
ok(!errors.length, 'no error in any page', errors)
await chromium.close()
plan()
