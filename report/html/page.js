'use strict'
// SPDX-License-Identifier: MIT
// The profile: functions are numbered from 1 by their totals, 0 is outside of all.
//   functions  [line, name, file, group, module, calls, own, self, bar, total, bar, low, open]
//   arcs       caller, callee, calls, parent_self, parent_total, bar, child_self, child_total, bar, ...
//   contexts   back, function, calls, self, ...: the caller's row is `back` rows before; a thread's
//              outermost has minus the thread's number there
// Text gets into the page as text alone (text() and textContent), never as markup.
const profile = JSON.parse(document.getElementById('profile').textContent)
const at = (id) => document.getElementById(id)
const measures = (row, from) => ({ calls: row[from], own: row[from + 1], self: row[from + 2], selfBar: row[from + 3], total: row[from + 4], totalBar: row[from + 5], low: row[from + 6], open: row[from + 7] })
const functions = [null, ...profile.functions.map((r, i) => ({ id: i + 1, line: r[0], name: r[1], file: r[2], group: r[3], module: r[4], all: measures(r, 5) }))]
const counts = profile.unit == 'calls'

// ---- numbers as zprof prints them
function time(ns) {
	if (profile.unit == 'ticks') return Math.round(ns / profile.ns_per_tick).toLocaleString('en')
	if (ns <= 0) return '0'
	const [unit, size] = ns < 999.5 ? ['ns', 1] : ns < 999.5e3 ? ['µs', 1e3] : ns < 999.5e6 ? ['ms', 1e6] : ['s', 1e9]
	return Number(ns / size).toPrecision(3).replace(/e\+.*/, '') + ' ' + unit
}
const bar = (ns, error) => (error <= 0 ? '' : ns <= 0 || error > 0.995 * ns ? '>99%' : error < 0.001 * ns ? '<0.1%' : (100 * error / ns).toFixed(error < 0.01 * ns ? 1 : 0) + '%')
const number = (n) => n.toLocaleString('en')
const percent = (part) => (100 * Math.min(1, Math.max(0, part))).toFixed(1)
const share = (m) => (counts ? m.calls / (profile.calls || 1) : m.total / (profile.whole || 1))
const base = (path) => path.slice(path.lastIndexOf('/') + 1)
const place = (f) => (f.file ? base(f.file) + (f.line ? ':' + f.line : '') : '')
const weight = (ns, error) => (ns > error ? ns : ns + error)

// ---- elements
function element(name, properties = {}, ...children) {
	const e = document.createElement(name)
	for (const [key, value] of Object.entries(properties))
		if (key.includes('-') || key == 'role') e.setAttribute(key, value)
		else e[key] = value
	e.append(...children)
	return e
}
const cell = (value, className = '', data) => {
	const td = element('td', { className, textContent: value })
	if (data !== undefined) td.dataset.value = data
	return td
}
const said = (words) => (at('said').textContent = words)

// ---- state: the view and its function are in the address, so that back and forward work
const state = { search: '', group: '', thread: -1, sort: counts ? 'calls' : 'self', down: true, inverted: false, focus: 0 }
let by_thread = null
const of_thread = (f) => (state.thread < 0 ? f.all : by_thread.get(f.id))
const found = (f) => (!state.search || f.name.toLowerCase().includes(state.search)) && (!state.group || f.group == state.group) && of_thread(f)
const go = (view, id) => (location.hash = id ? `${view}/${id}` : view)
function where() {
	const [view, id] = location.hash.slice(1).split('/')
	const known = ['functions', 'graph', 'flame', 'source'].includes(view) ? view : 'functions'
	return [known, functions[Number(id)] ? Number(id) : 0]
}

// ---- functions
const columns = [
	['share', '% total', (f, m) => share(m)],
	['self', 'self', (f, m) => weight(m.self, m.selfBar)],
	['selfBar', '±', (f, m) => m.selfBar],
	['total', 'total', (f, m) => weight(m.total, m.totalBar)],
	['totalBar', '±', (f, m) => m.totalBar],
	['calls', 'calls', (f, m) => m.calls],
	['each', 'total/call', (f, m) => m.total / (m.calls || 1)],
	['name', 'name', (f) => f.name],
	['group', 'group', (f) => f.group],
	['place', 'place', (f) => place(f)],
].filter(([key]) => !counts || ['share', 'calls', 'name', 'group', 'place'].includes(key)).filter(([key]) => key != 'group' || functions.some((f) => f?.group))
const words = ['name', 'group', 'place']

function function_row(f) {
	const m = of_thread(f)
	const tr = element('tr', { tabIndex: -1 })
	tr.dataset.id = f.id
	for (const [key] of columns)
		if (key == 'share') {
			const td = cell(percent(share(m)), 'share')
			td.style.setProperty('--part', percent(share(m)) + '%')
			tr.append(td)
		} else if (key == 'self') tr.append(cell((m.self <= m.selfBar && m.selfBar > 0 ? '~ ' : '') + time(m.self), '', m.self))
		else if (key == 'selfBar') tr.append(cell(bar(m.self, m.selfBar), 'soft', m.selfBar))
		else if (key == 'total') tr.append(cell((m.low ? '≥ ' : '') + time(m.total), '', m.total))
		else if (key == 'totalBar') tr.append(cell(bar(m.total, m.totalBar), 'soft', m.totalBar))
		else if (key == 'calls') tr.append(cell(number(m.calls), '', m.calls))
		else if (key == 'each') tr.append(cell(m.calls ? time(m.total / m.calls) : ''))
		else if (key == 'name') tr.append(cell(f.name + (m.open ? ' (open)' : ''), 'text name'))
		else if (key == 'group') tr.append(cell(f.group, 'text'))
		else tr.append(cell(place(f), 'text soft'))
	return tr
}

const ROWS = 400
function show_functions(main, all) {
	const value = columns.find(([key]) => key == state.sort)?.[2] ?? columns[0][2]
	const list = functions.filter((f) => f && found(f)).map((f) => [value(f, of_thread(f)), f])
	list.sort(([a, f], [b, g]) => (a < b ? 1 : a > b ? -1 : f.id - g.id) * (state.down ? 1 : -1))
	const head = element('tr')
	for (const [key, label] of columns) {
		const th = element('th', { className: words.includes(key) ? 'text' : '', scope: 'col' })
		th.append(element('button', { type: 'button', textContent: label, onclick: () => sort_by(key), 'aria-label': `sort by ${key}` }))
		if (key == state.sort) th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
		head.append(th)
	}
	const body = element('tbody')
	for (const [, f] of all ? list : list.slice(0, ROWS)) body.append(function_row(f))
	main.replaceChildren(element('table', { id: 'functions' }, element('thead', {}, head), body))
	if (!all && list.length > ROWS) main.append(element('button', { type: 'button', id: 'more', textContent: `show all ${number(list.length)}`, onclick: () => show_functions(main, true) }))
	if (!list.length) main.append(element('p', { className: 'note', textContent: 'No function matches.' }))
	said(`${list.length} functions`)
}
function sort_by(key) {
	state.down = state.sort == key ? !state.down : !words.includes(key)
	state.sort = key
	show()
}

// ---- call graph: one block, as zprof graph prints it
const found_arcs = new Map() // by the thread's number, -1 for all
function find_arcs() {
	if (found_arcs.has(state.thread)) return found_arcs.get(state.thread)
	const arcs_of = functions.map(() => ({ parents: [], children: [] }))
	const a = state.thread < 0 ? profile.arcs : profile.threads[state.thread].arcs
	for (let i = 0; i < a.length; i += 9) {
		const arc = { caller: a[i], callee: a[i + 1], calls: a[i + 2], parent: { self: a[i + 3], total: a[i + 4], bar: a[i + 5] }, child: { self: a[i + 6], total: a[i + 7], bar: a[i + 8] } }
		arcs_of[arc.callee].parents.push(arc)
		if (arc.caller && arc.caller != arc.callee) arcs_of[arc.caller].children.push(arc)
	}
	found_arcs.set(state.thread, arcs_of)
	return arcs_of
}
function arc_row(arc, side, other, all) {
	const tr = element('tr', { tabIndex: -1 })
	if (other) tr.dataset.id = other
	const m = arc[side]
	if (!counts) tr.append(cell(''), cell(time(m.self), '', m.self), cell(time(m.total - m.self), '', m.total), cell(bar(m.total, m.bar), 'soft', m.bar))
	tr.append(cell(number(arc.calls), '', arc.calls), cell('/ ' + number(all), 'soft text'), cell(other ? functions[other].name : '<spontaneous>', 'text name in'), cell(other ? place(functions[other]) : '', 'text soft'))
	return tr
}
function show_graph(main, id) {
	const f = functions[id || 1]
	if (!f) return main.replaceChildren(element('p', { className: 'note', textContent: 'The profile has no functions.' }))
	const m = of_thread(f), { parents, children } = find_arcs()[f.id]
	if (!m) return main.replaceChildren(element('p', { className: 'note', textContent: `${f.name} was not called in this thread.` }))
	const order = (side) => (a, b) => weight(b[side].total, b[side].bar) - weight(a[side].total, a[side].bar) || b.calls - a.calls
	const head = element('tr', {}, ...(counts ? [] : ['%', 'self', 'children', '±']).map((t) => element('th', { textContent: t, scope: 'col' })), element('th', { textContent: 'called', scope: 'col' }), element('th', { scope: 'col' }), element('th', { textContent: 'name', className: 'text', scope: 'col' }), element('th', { scope: 'col' }))
	const body = element('tbody')
	for (const a of parents.filter((a) => a.caller != f.id).sort(order('parent'))) body.append(arc_row(a, 'parent', a.caller, m.calls))
	const own = element('tr', { className: 'own' })
	if (!counts) own.append(cell(percent(share(m))), cell(time(m.self), '', m.self), cell((m.low ? '≥ ' : '') + time(m.total - m.self), '', m.total), cell(bar(m.total, m.totalBar), 'soft', m.totalBar))
	const links = cell('', 'text soft')
	links.append(profile.sources?.[f.file] !== undefined ? element('a', { href: `#source/${f.id}`, textContent: place(f) }) : place(f))
	own.append(cell(number(m.calls - m.own), '', m.calls), cell(m.own ? '+ ' + number(m.own) : '', 'soft text'), cell(f.name + (m.open ? ' (open)' : ''), 'text name'), links)
	body.append(own)
	for (const a of children.sort(order('child'))) body.append(arc_row(a, 'child', a.callee, of_thread(functions[a.callee]).calls))
	main.replaceChildren(element('table', { id: 'graph', 'aria-label': `callers and callees of ${f.name}` }, element('thead', {}, head), body))
	said(`${f.name}: ${parents.length} callers, ${children.length} callees`)
}

// ---- flame graph
let tree = null
function find_tree() {
	const c = profile.contexts, n = c.length / 4
	tree = { n, parent: new Int32Array(n), fn: new Int32Array(n), thread: new Int32Array(n), calls: new Float64Array(n), self: new Float64Array(n), total: new Float64Array(n), start: new Int32Array(n + 2), children: new Int32Array(n), roots: [] }
	for (let i = 0; i < n; i++) {
		const back = c[4 * i], outermost = back <= 0
		tree.parent[i] = outermost ? -1 : i - back
		tree.thread[i] = outermost ? -back : tree.thread[i - back]
		tree.fn[i] = c[4 * i + 1]
		tree.calls[i] = c[4 * i + 2]
		tree.self[i] = tree.total[i] = counts ? c[4 * i + 2] : Math.max(0, c[4 * i + 3])
		if (outermost) tree.roots.push(i)
		else tree.start[tree.parent[i] + 2]++
	}
	for (let i = n - 1; i >= 0; i--) if (tree.parent[i] >= 0) tree.total[tree.parent[i]] += tree.total[i]
	for (let i = 2; i < n + 2; i++) tree.start[i] += tree.start[i - 1]
	for (let i = 0; i < n; i++) if (tree.parent[i] >= 0) tree.children[tree.start[tree.parent[i] + 1]++] = i
}
const frame_name = (id) => (id ? functions[id].name : '(not told apart)')

// A frame is { id, weight, calls, kids() }, both ways around. Kids are found when they are drawn.
function context_frame(i) {
	return { id: tree.fn[i], weight: tree.total[i], calls: tree.calls[i], self: tree.self[i], kids: () => merge(Array.from(tree.children.subarray(tree.start[i], tree.start[i + 1])).map((k) => [k])) }
}
// Contexts of one function side by side are one frame: threads' roots, and the contexts below them.
function merge(lists) {
	const by = new Map()
	for (const list of lists)
		for (const i of list) by.has(tree.fn[i]) ? by.get(tree.fn[i]).push(i) : by.set(tree.fn[i], [i])
	return [...by].map(([id, nodes]) =>
		nodes.length == 1
			? context_frame(nodes[0])
			: { id, weight: nodes.reduce((s, i) => s + tree.total[i], 0), calls: nodes.reduce((s, i) => s + tree.calls[i], 0), self: nodes.reduce((s, i) => s + tree.self[i], 0), kids: () => merge(nodes.map((i) => Array.from(tree.children.subarray(tree.start[i], tree.start[i + 1])))) })
}
// The callers of PAIRS [context, the one on its path that has been reached].
function callers(pairs) {
	const by = new Map()
	for (const pair of pairs) {
		if (pair[1] < 0) continue
		const id = tree.fn[pair[1]]
		by.has(id) ? by.get(id).push(pair) : by.set(id, [pair])
	}
	return [...by].map(([id, list]) => ({ id, weight: list.reduce((s, [i]) => s + tree.self[i], 0), calls: list.reduce((s, [i]) => s + tree.calls[i], 0), self: 0, kids: () => callers(list.map(([i, up]) => [i, tree.parent[up]])) }))
}
function root_frame() {
	if (!tree) find_tree()
	const mine = (i) => state.thread < 0 || tree.thread[i] == state.thread
	const kids = () => {
		if (!state.inverted) return merge([tree.roots.filter(mine)])
		const pairs = []
		for (let i = 0; i < tree.n; i++) if (tree.self[i] > 0 && mine(i)) pairs.push([i, i])
		return callers(pairs)
	}
	const weight = kids().reduce((s, k) => s + k.weight, 0)
	return { id: -1, weight, calls: 0, self: 0, kids }
}

const ROW = 20, NARROW = 1, DEEPEST = 400
const flame = { path: [], boxes: [], chosen: null }
const hue = (name) => {
	let h = 0
	for (let i = 0; i < name.length; i++) h = (h * 31 + name.charCodeAt(i)) | 0
	return Math.abs(h)
}
function color(frame) {
	if (frame.id < 0) return getComputedStyle(document.documentElement).getPropertyValue('--line')
	const name = frame_name(frame.id), h = hue(name)
	const hit = state.search && name.toLowerCase().includes(state.search)
	if (hit) return `hsl(${280 + (h % 20)} 75% 72%)`
	return `hsl(${12 + (h % 38)} ${72 + (h % 13)}% ${state.search ? 82 : 62 + ((h >> 6) % 12)}%)`
}
// All frames that are wide enough, from the one that fills the width.
function layout(root, width) {
	const boxes = []
	let level = flame.path.map((frame, depth) => ({ frame, x: 0, width, depth, up: depth ? depth - 1 : -1 }))
	boxes.push(...level)
	level = [boxes.at(-1)]
	while (level.length && level[0].depth < DEEPEST) {
		const next = []
		for (const box of level) {
			const up = boxes.indexOf(box, box.index ?? 0)
			let x = box.x
			const scale = box.width / (box.frame.weight || 1)
			const kids = (box.frame.found ??= box.frame.kids().sort((a, b) => b.weight - a.weight || a.id - b.id))
			for (const frame of kids) {
				const w = frame.weight * scale
				if (w < NARROW) break
				const kid = { frame, x, width: w, depth: box.depth + 1, up, index: boxes.length }
				boxes.push(kid)
				next.push(kid)
				x += w
			}
		}
		level = next
	}
	return boxes
}
function draw() {
	const canvas = at('flame')
	const width = canvas.parentElement.clientWidth, ratio = devicePixelRatio || 1
	flame.boxes = layout(flame.path[0], width)
	const height = (1 + flame.boxes.reduce((deep, b) => Math.max(deep, b.depth), 0)) * ROW
	canvas.width = width * ratio
	canvas.height = height * ratio
	canvas.style.height = height + 'px'
	const c = canvas.getContext('2d')
	c.scale(ratio, ratio)
	c.font = '12px ui-monospace, monospace'
	c.textBaseline = 'middle'
	const style = getComputedStyle(document.documentElement)
	const ink = style.getPropertyValue('--frame-ink'), plain = style.getPropertyValue('--ink')
	const letter = c.measureText('m').width
	for (const b of flame.boxes) {
		const y = b.depth * ROW
		c.fillStyle = color(b.frame)
		c.fillRect(b.x, y, Math.max(0.5, b.width - 0.5), ROW - 1)
		const room = Math.floor((b.width - 8) / letter)
		if (room < 3) continue
		const name = b.frame.id < 0 ? 'all' : frame_name(b.frame.id)
		c.fillStyle = b.frame.id < 0 ? plain : ink
		c.fillText(name.length > room ? name.slice(0, room - 1) + '…' : name, b.x + 4, y + ROW / 2)
	}
	if (flame.chosen !== null && flame.boxes[flame.chosen]) {
		const b = flame.boxes[flame.chosen]
		c.strokeStyle = style.getPropertyValue('--mark')
		c.lineWidth = 2
		c.strokeRect(b.x + 1, b.depth * ROW + 1, Math.max(2, b.width - 2), ROW - 3)
	}
}
function describe(b) {
	const f = b.frame
	const amount = counts ? `${number(f.weight)} calls` : `${time(f.weight)} (${percent(f.weight / (flame.path[0].weight || 1))} %)`
	return `${f.id < 0 ? 'all' : frame_name(f.id)} — ${amount}${f.id < 0 || counts ? '' : `, ${state.inverted ? '' : `self ${time(f.self)}, `}${number(f.calls)} calls`}`
}
function choose(index, loud) {
	const b = flame.boxes[index]
	if (!b) return
	flame.chosen = index
	at('frame').textContent = describe(b)
	if (loud) said(describe(b))
	draw()
}
const box_at = (event) => {
	const r = at('flame').getBoundingClientRect(), x = event.clientX - r.left, depth = Math.floor((event.clientY - r.top) / ROW)
	return flame.boxes.findIndex((b) => b.depth == depth && x >= b.x && x < b.x + b.width)
}
function zoom(index) {
	const path = []
	for (let i = index; i >= 0; i = flame.boxes[i].up) path.unshift(flame.boxes[i].frame)
	if (!path.length) return
	flame.path = path
	flame.chosen = path.length - 1
	draw()
	choose(flame.chosen, true)
}
function show_flame(main) {
	const root = root_frame()
	flame.path = [root]
	flame.chosen = null
	const canvas = element('canvas', { id: 'flame', tabIndex: 0, role: 'application', 'aria-label': 'flame graph: arrows move between frames, Enter zooms, Home shows all' })
	canvas.onmousemove = (e) => {
		const i = box_at(e)
		at('frame').textContent = i >= 0 ? describe(flame.boxes[i]) : flame.chosen !== null ? describe(flame.boxes[flame.chosen]) : ''
	}
	canvas.onclick = (e) => zoom(box_at(e))
	canvas.ondblclick = open_chosen
	canvas.onkeydown = flame_key
	main.replaceChildren(
		element('div', { className: 'bar' }, element('button', { type: 'button', id: 'invert', textContent: state.inverted ? 'callers below' : 'callees below', 'aria-pressed': String(state.inverted), onclick: invert }), element('button', { type: 'button', id: 'reset', textContent: 'whole', onclick: () => zoom(0) }), element('button', { type: 'button', id: 'open', textContent: 'in the call graph', onclick: open_chosen })),
		element('div', { id: 'flame-box' }, canvas), element('div', { id: 'frame' }))
	draw()
}
function invert() {
	state.inverted = !state.inverted
	show()
	at('flame').focus()
}
function open_chosen() {
	const b = flame.boxes[flame.chosen]
	if (b?.frame.id > 0) go('graph', b.frame.id)
}
function flame_key(e) {
	const now = flame.boxes[flame.chosen ?? 0], move = (test) => choose(flame.boxes.findIndex(test), true)
	const middle = now.x + now.width / 2
	if (e.key == 'ArrowDown') move((b) => b.up == (flame.chosen ?? 0))
	else if (e.key == 'ArrowUp') move((b, i) => i == now.up)
	else if (e.key == 'ArrowRight') move((b) => b.depth == now.depth && b.x > middle)
	else if (e.key == 'ArrowLeft') choose(flame.boxes.findLastIndex((b) => b.depth == now.depth && b.x + b.width <= now.x + 0.01), true)
	else if (e.key == 'Enter') zoom(flame.chosen ?? 0)
	else if (e.key == 'Home') zoom(0)
	else return
	e.preventDefault()
}

// ---- source
function show_source(main, id) {
	const f = functions[id] ?? functions.find((g) => g && profile.sources?.[g.file] !== undefined)
	const text = f && profile.sources?.[f.file]
	if (text === undefined) return main.replaceChildren(element('p', { className: 'note', textContent: f ? `The text of ${f.file || f.name} is not in this page.` : 'No source text is in this page.' }))
	const by_line = new Map(functions.filter((g) => g && g.file == f.file).reverse().map((g) => [g.line, g]))
	const files = element('select', { 'aria-label': 'File', onchange: (e) => go('source', e.target.value) })
	for (const file of Object.keys(profile.sources)) {
		const first = functions.find((g) => g && g.file == file)
		files.append(element('option', { value: String(first.id), textContent: file, selected: file == f.file }))
	}
	const body = element('tbody')
	let wanted = null
	text.split('\n').forEach((line, i) => {
		const g = by_line.get(i + 1)
		const tr = element('tr', { className: g ? 'defines' : '' })
		if (g) (tr.dataset.id = g.id), (tr.tabIndex = -1)
		const m = g && of_thread(g)
		tr.append(cell(m ? number(m.calls) : '', 'soft'), cell(m && !counts ? time(m.self) : ''), cell(m && !counts ? time(m.total) : ''), cell(String(i + 1), 'soft'), cell(line, 'code'))
		body.append(tr)
		if (g == f) wanted = tr
	})
	const head = element('tr', {}, ...['calls', 'self', 'total', 'line', ''].map((t) => element('th', { textContent: t, scope: 'col' })))
	main.replaceChildren(element('div', { className: 'bar' }, files), element('table', { className: 'source', id: 'source' }, element('thead', {}, head), body))
	wanted?.scrollIntoView({ block: 'center' })
	wanted?.setAttribute('aria-current', 'true')
}

// ---- the page
const views = { functions: show_functions, graph: show_graph, flame: show_flame, source: show_source }
function show() {
	const [view, id] = where()
	if (state.thread >= 0) by_thread = new Map(profile.threads[state.thread].functions.map((r) => [r[0], measures(r, 1)]))
	for (const name of Object.keys(views)) at('tab-' + name).setAttribute('aria-selected', String(name == view))
	if (view == 'graph' || view == 'source') at('tab-' + view).setAttribute('aria-label', view == 'graph' ? 'Call graph' : 'Source')
	if (id) state.focus = id
	if (view == 'functions' || view == 'flame') views[view](at('main'))
	else views[view](at('main'), id || state.focus)
}
function theme(name) {
	document.documentElement.dataset.theme = name
	if (where()[0] == 'flame' && at('flame')) draw()
}
function move_row(step) {
	const rows = [...at('main').querySelectorAll('tbody tr[data-id]')]
	const now = rows.indexOf(document.activeElement)
	rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + step))]?.focus()
}
document.addEventListener('keydown', (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || at('help').open) return
	const typing = ['INPUT', 'SELECT'].includes(document.activeElement.tagName)
	if (e.key == 'Escape') document.activeElement.blur()
	if (typing && e.key != 'ArrowDown') return
	const [view] = where()
	if ('1234'.includes(e.key)) go(['functions', 'graph', 'flame', 'source'][e.key - 1])
	else if (e.key == '/') at('search').focus()
	else if (e.key == '?') at('help').showModal()
	else if (e.key == 't') at('theme').click()
	else if (e.key == 'i' && view == 'flame') invert()
	else if (e.key == 'g' && view == 'flame') open_chosen()
	else if (e.key == 'ArrowDown' && view != 'flame') move_row(1)
	else if (e.key == 'ArrowUp' && view != 'flame') move_row(-1)
	else if (e.key == 'Enter' && document.activeElement.dataset?.id) go('graph', document.activeElement.dataset.id)
	else return
	e.preventDefault()
})
at('main').addEventListener('click', (e) => {
	const row = e.target.closest?.('tr[data-id]')
	if (row && !e.target.closest('a')) go('graph', row.dataset.id)
})
at('search').oninput = (e) => {
	state.search = e.target.value.trim().toLowerCase()
	if (where()[0] == 'flame') draw()
	else if (where()[0] == 'functions') show()
	else go('functions')
}
at('group').onchange = (e) => ((state.group = e.target.value), where()[0] == 'functions' ? show() : go('functions'))
at('thread').onchange = (e) => ((state.thread = Number(e.target.value)), show())
at('theme').onclick = () => theme(document.documentElement.dataset.theme == 'dark' ? 'light' : 'dark')
addEventListener('hashchange', show)
addEventListener('resize', () => where()[0] == 'flame' && draw())

const [first, ...rest] = profile.head.trimEnd().split('\n')
at('title').textContent = first
document.title = `zprof: ${first.split('      ')[0]}`
at('head').textContent = rest.join('\n')
at('end').textContent = profile.end.trim()
at('group').append(element('option', { value: '', textContent: 'all groups' }))
for (const name of new Set(functions.filter((f) => f?.group).map((f) => f.group))) at('group').append(element('option', { value: name, textContent: name }))
at('group').hidden = at('group').options.length < 2
at('thread').append(element('option', { value: '-1', textContent: 'all threads' }))
profile.threads.forEach((t, i) => at('thread').append(element('option', { value: String(i), textContent: `${t.name} (${t.tid})` })))
at('thread').hidden = profile.threads.length < 2
theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
show()
