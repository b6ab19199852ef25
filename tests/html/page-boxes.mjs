#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// page-boxes.mjs - the boxes of the page of zprof html: nothing overlaps, no number is clipped, nothing goes off sideways, and the bar of
// details is in view, in every view of three programs, in three sizes, dark and light, and by keys alone.
import { join } from 'node:path'
import { browser, build, ok, plan, root, run } from '../viewers/viewers.mjs'
import { least_contrast, wrong_boxes } from './boxes.mjs'

const zprof = join(build, 'zprof')
const sizes = [[800, 600], [1400, 900], [2560, 1440]], views = ['functions', 'graph', 'flame', 'source', 'sandwich']

// ---- three programs
const hooks = (...args) => run(zprof, 'cflags', ...args).out.trim().split(/\s+/)
const traced = (file, options, program) => run('env', `ZPROF_OPTIONS=output=${file}${options}`, `LD_PRELOAD=${build}/libzprof.so`, program)
const made = {
	c: () => [run('gcc', '-O2', '-g', join(root, 'tests/html/inlined.c'), '-o', 'inlined', ...hooks('--fentry')), traced('c.out', ',callsites=1', './inlined')],
	cxx: () => [run('g++', '-std=c++17', '-O1', '-g', '-pthread', '-finstrument-functions', join(root, 'tests/html/long-names.cc'), '-o', 'long-names'), traced('cxx.out', '', './long-names')],
	sqlite: () => [run(join(root, 'tests/viewers/real.sh'), 'sqlite', join(process.cwd(), 'sqlite.out'))],
}
for (const [name, make] of Object.entries(made)) {
	const steps = [...make(), run(zprof, 'html', '-o', `${name}.html`, `${name}.out`)]
	if (!ok(steps.every((s) => s.status == 0), `${name} is built, profiled, and has a page`, ...steps.map((s) => s.said.slice(-2000)))) process.exit(1)
}

// ---- the head of a table stays in view as the table is scrolled
function head_in_view() {
	const main = at('main'), head = main.querySelector('th')
	main.scrollTop = main.scrollHeight
	const seen = !head || head.getBoundingClientRect().top >= main.getBoundingClientRect().top - 0.5
	main.scrollTop = 0
	return seen
}

// ---- every view
const chromium = await browser(), errors = []
async function open(name, scheme, [width, height]) {
	const page = await chromium.newPage({ viewport: { width, height }, colorScheme: scheme })
	page.on('pageerror', (e) => errors.push(`${name}: ${e}`))
	await page.goto(`file://${process.cwd()}/${name}.html`)
	return page
}
const settled = (page) => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 20)))
for (const name of Object.keys(made)) {
	const wrong = { light: [], dark: [] }, contrasts = { light: [], dark: [] }
	const page = await open(name, 'light', sizes[0])
	const longest = await page.evaluate(() => functions.slice(1).sort((a, b) => b.name.length - a.name.length)[0].id)
	const show = async (what, changes) => {
		await page.evaluate(changes)
		await settled(page)
		for (const scheme of ['light', 'dark']) {
			const found = await page.evaluate(([scheme]) => theme(scheme), [scheme]).then(() => page.evaluate(wrong_boxes))
			wrong[scheme].push(...found.map((w) => `${what}: ${w}`))
			if (what.startsWith(sizes[1][0])) contrasts[scheme].push(await page.evaluate(least_contrast))
		}
		if (!(await page.evaluate(head_in_view))) wrong.light.push(`${what}: the head of the table scrolls away`)
	}
	for (const [width, height] of sizes) {
		await page.setViewportSize({ width, height })
		for (const view of views) for (const id of view == 'graph' || view == 'sandwich' ? ['', `/${longest}`] : ['']) await show(`${width} ${view}${id}`, `location.hash = '${view}${id}'`)
		for (const t of ['wait', 'wall']) await show(`${width} ${t}`, `location.hash = 'functions'; show_time('${t}')`)
		await page.evaluate(() => show_time('cpu'))
	}
	for (const scheme of ['light', 'dark']) {
		ok(!wrong[scheme].length, `${name}, ${scheme}: no overlap, nothing clipped, nothing off sideways, in ${views.length} views and ${sizes.length} sizes`, ...wrong[scheme].slice(0, 12))
		contrasts[scheme].sort((a, b) => a[0] - b[0])
		ok(contrasts[scheme][0][0] >= 4.5, `${name}, ${scheme}: every text has a contrast of 4.5`, contrasts[scheme][0])
	}
	await page.close()
}

// ---- by keys alone
for (const name of Object.keys(made)) {
	const page = await open(name, 'light', sizes[1])
	const press = async (...keys) => {
		for (const key of keys) await page.keyboard.press(key), await settled(page)
	}
	const name_shown = () => page.evaluate(() => at('whole-name').textContent), hash = () => page.evaluate(() => location.hash)
	ok((await name_shown()) == 'main', `${name}: opens on main`, await name_shown())
	await press('ArrowDown')
	// The order of the rows is a matter of samples; the first that others call will do.
	const called = () => page.evaluate(() => arcs_of(Number(document.activeElement.dataset.id)).parents.some((a) => a.caller && a.caller != a.callee && a.parent.total > Math.max(0.005 * whole(), 0.2 * of_thread(functions[a.callee]).total)))
	for (let i = 0; i < 60 && !(await called()); i++) await press('ArrowDown')
	const row = await page.evaluate(() => Number(document.activeElement.dataset.id))
	ok(row && (await name_shown()) == (await page.evaluate((id) => functions[id].name, row)), `${name}: the details follow the keys`)
	await press('Enter')
	const graph = await hash()
	await press('s')
	const sandwich = await hash(), middle = await name_shown()
	await press('ArrowUp')
	const caller = await name_shown()
	await press('ArrowDown')
	ok(graph == `#graph/${row}` && sandwich == `#sandwich/${row}` && caller != middle && (await name_shown()) == middle, `${name}: from a row to its block, to its sandwich, to a caller and back`, graph, sandwich, caller, middle)
	await press('3', 'Home', 'ArrowDown', 'Enter', 'ArrowDown')
	const zoomed = await page.evaluate(() => chart.boxes[1].width == chart.boxes[0].width && chart.chosen)
	await press('4')
	const source = await hash()
	await press('1', 'w')
	ok(zoomed && source == '#source' && (await page.evaluate(() => times.length == 1 || state.time == 'wait')) && !(await page.evaluate(wrong_boxes)).length, `${name}: the flame graph, the source and another time by keys`, zoomed, source, await page.evaluate(wrong_boxes))
	await page.close()
}

// ---- the three times: those of --json, and in each the laws of the call graph, in all threads and in each
{
	const page = await open('cxx', 'light', sizes[1])
	const json = JSON.parse(run(zprof, 'report', '--json', 'cxx.out').out).functions
	const known = await page.evaluate(() => times)
	const sum = (list, name, value) => list.reduce((map, f) => map.set(name(f), (map.get(name(f)) ?? 0) + value(f)), new Map())
	for (const [time, member] of [['cpu', 'on_cpu'], ['wait', 'waited'], ['wall', 'wall']].filter(([t]) => known.includes(t))) {
		const shown = await page.evaluate((time) => (show_time(time), functions.slice(1).map((f) => ({ name: f.name, self: m_of(f).self, total: m_of(f).total }))), time)
		const wrong = ['self', 'total'].flatMap((part) => {
			const is = sum(shown, (f) => f.name, (f) => f[part]), wanted = sum(json, (f) => f.name, (f) => f[`${part}_${member}_ns`])
			return [...wanted].filter(([name, ns]) => Math.abs((is.get(name) ?? 0) - ns) > 3).map(([name, ns]) => `${part} of ${name}: ${is.get(name)}, not ${ns}`)
		})
		ok(shown.length > 100 && !wrong.length, `times ${time} are those of --json`, ...wrong.slice(0, 4))
	}
	const broken = await page.evaluate(() => {
		const broken = []
		for (const time of times)
			for (let thread = -1; thread < profile.threads.length; thread++) {
				Object.assign(state, { time, thread })
				const near = (a, b, arcs) => Math.abs(a - b) <= 0.2 * (arcs + 1)
				for (const f of functions.slice(1)) {
					const m = of_thread(f), { parents, children } = arcs_of(f.id)
					const above = parents.filter((a) => a.caller != f.id).reduce((s, a) => s + a.parent.total, 0), below = children.reduce((s, a) => s + a.child.total, 0)
					if (m && !(near(above, m.total, parents.length) && near(below, m.total - m.self, children.length))) broken.push([time, thread, f.name, above, below, m.self, m.total])
				}
				// Only waits are never below zero in a context, and so never cut off.
				const tree = tree_shown()
				if (thread < 0 && time == 'wait' && Math.abs(tree.self.reduce((s, ns) => s + ns, 0) - functions.slice(1).reduce((s, f) => s + Math.max(0, m_of(f).self), 0)) > 0.001 * whole() + tree.n) broken.push([time, 'contexts'])
			}
		return broken
	})
	ok(!broken.length, "in each time and thread, callers have a function's total, and callees what it did not take itself", broken.length, ...broken.slice(0, 4))
	await page.close()
}

// ---- the sandwich, sources, what was inlined, and functions without hooks on the way
const page = await open('sqlite', 'light', sizes[1])
// A context's time may be below zero, by the estimate of what recording it took, and is drawn as nothing: a frame is wider than its function's
// total by what was cut off in it, and by a nanosecond that was rounded in each context.
const both = await page.evaluate(() => {
	const tree = tree_shown(), cut = new Float64Array(tree.n), other = other_time(profile)
	if (!other || other.like_own) for (let i = 0; i < tree.n; i++) cut[i] = Math.max(0, -profile.contexts[4 * i + 3])
	for (let i = 0, o = other?.contexts ?? []; i < o.length; i += 2) cut[o[i]] = Math.max(0, -o[i + 1])
	return functions.slice(1).filter((f) => of_thread(f).total > 0).slice(0, 60).map((f) => {
		const [down, up] = sandwich_frames(f.id), sum = (kids) => kids.reduce((s, k) => s + k.weight, 0), within = new Uint8Array(tree.n)
		let lost = 0, contexts = 0
		for (let i = 0; i < tree.n; i++) {
			within[i] = tree.fn[i] == f.id || (tree.parent[i] >= 0 && within[tree.parent[i]])
			if (within[i]) (lost += cut[i]), contexts++
		}
		return [f.name, of_thread(f).total, down.weight, lost, contexts, sum(up.kids()), up.kids().length]
	})
})
const off = ([, total, weight, lost, contexts, above, callers]) => Math.abs(weight - lost - total) > contexts || (callers && above > weight + 1)
ok(both.length > 20 && !both.some(off), 'a sandwich is as wide as the total of its function, and its callers no wider', both.filter(off).slice(0, 4))
const sources = await page.evaluate(() => functions.slice(1).filter((f) => self_share(of_thread(f)) > 0.005).map((f) => [f.name, !!stretch_of(f)]))
ok(sources.length > 3 && sources.every(([, has]) => has), 'the source of each hot function of sqlite is in the page', sources.filter(([, has]) => !has))
const bytes = await page.evaluate(() => JSON.stringify(profile.sources).length)
ok(bytes < 1.4e6, 'and no more than a megabyte of text', bytes)
await page.close()
run('sh', '-c', `cp '${join(root, 'tests/html/inlined.c')}' gone.c && gcc -O1 -g -finstrument-functions gone.c -o gone && rm gone.c`)
traced('gone.out', '', './gone'), run(zprof, 'html', '-o', 'gone.html', 'gone.out')
const gone = await open('gone', 'light', sizes[1])
await gone.evaluate(() => (location.hash = 'source'))
await settled(gone)
const missing = await gone.locator('main').innerText()
ok(/gone\.c is not in this page: No such file/.test(missing) && missing.includes('zprof html --source-path FOLDER'), 'a source that is missing is named, with the remedy', missing)
await gone.close()
const c = await open('c', 'light', sizes[1])
const within = await c.evaluate(() => {
	const f = functions.find((f) => f?.name == 'hash'), list = inlined.get(f.id) ?? []
	return { self: of_thread(f).self, list: Object.fromEntries(list.map((i) => [i.name, i])), id: f.id, sampled: list.some((i) => i.sampled) }
})
ok(within.list.mix && within.list.twist && (!within.sampled || (within.list.mix.total <= within.self + 1 && within.list.twist.total <= within.self + 1)), 'inlined functions have names, and by samples no more than the self time of their host', within)
await c.evaluate((id) => (location.hash = `graph/${id}`), within.id)
await settled(c)
const rows = await c.locator('tr.inlined td[data-key=name]').allInnerTexts()
ok(within.sampled ? rows.includes('mix') : (await c.locator('#where').innerText()).includes('mix'), 'they are rows below their host if samples say so, and else names in the details', rows)
await c.evaluate(() => (location.hash = `source/${functions.find((f) => f?.name == 'main').id}`))
await settled(c)
const called = await c.locator('tr:has-text("hash(i)") a.callee').evaluateAll((all) => all.map((a) => a.title)), sorted = await c.locator('tr:has-text("qsort(values") a.callee').count()
ok(called.length == 1 && called[0].includes('60,000 calls from this function, 60,000 from this line') && sorted == 1, 'calls stand in the lines that made them', called, sorted)
const own = await c.evaluate(() => functions.slice(1).map((f) => [f.name, of_thread(f).self, [...own_lines].filter(([key]) => key.startsWith(f.id + ' ')).reduce((sum, [, ns]) => sum + ns, 0)]))
ok(own.every(([, self, lines]) => lines <= self + 10) && (!within.sampled || own.some(([, , lines]) => lines > 0)), "the lines' own times are no more than their function's self time", own)
const way = await c.evaluate(() => {
	const compare = functions.find((f) => f?.name == 'compare')
	location.hash = `graph/${compare.id}`
	return arcs_of(compare.id).parents.map((a) => way_of(a.caller, a.callee)).join()
})
await settled(c)
ok(/^via .*(qsort|msort)/.test(way) && (await c.locator('main').innerText()).includes('via '), 'functions without hooks between a caller and a function are shown', way)
ok(!errors.length, 'no error in any page', errors)
await chromium.close()
plan()
