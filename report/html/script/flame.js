// SPDX-License-Identifier: MIT
// flame.js - the flame graph, and the sandwich: a function with its callers above and its callees below.
//
// A box is a frame as it is drawn: { frame, x, width, depth, up }. `up` is the index of the box that it hangs on. Callers in the
// sandwich have depths below zero. Widths are times, and the more of all time a function takes itself, the deeper is the colour.

const ROW = 20, NARROW = 1, DEEPEST = 400
const chart = { path: [], boxes: [], chosen: null, sandwich: 0, above: 0, callers: null }

function color(frame) {
	const dark = document.documentElement.dataset.theme == 'dark'
	if (frame.id < 0) return getComputedStyle(document.documentElement).getPropertyValue('--line')
	const name = functions[frame.id]?.name ?? '', hash = [...name].reduce((h, c) => (h * 31 + c.charCodeAt(0)) | 0, 0)
	if (state.search && name.toLowerCase().includes(state.search)) return dark ? 'hsl(292 42% 40%)' : 'hsl(292 72% 78%)'
	const m = frame.id ? of_thread(functions[frame.id]) : null
	const heat = m ? Math.sqrt(Math.min(1, counts ? m.calls / (profile.calls || 1) : self_share(m))) : 0
	const hue = 42 - 24 * heat + (Math.abs(hash) % 11) - 5, pale = state.search ? 0.35 : 1
	const shade = Math.abs(hash >> 5) % 5
	return dark ? `hsl(${hue - 6} ${(22 + 52 * heat) * pale}% ${25 + 8 * heat + 0.7 * shade}%)` : `hsl(${hue} ${(72 + 22 * heat) * pale}% ${78 - 17 * heat + shade}%)`
}
// Adds all frames that are wide enough, from box FIRST on.
function grow(boxes, first, step, order) {
	let level = [first]
	while (level.length && Math.abs(boxes[level[0]].depth) < DEEPEST) {
		const next = []
		for (const up of level) {
			const box = boxes[up], scale = box.width / (box.frame.weight || 1)
			const kids = (box.frame.found ??= box.frame.kids().sort(order))
			let x = box.x
			for (const frame of kids) {
				const width = frame.weight * scale
				if (width < NARROW) {
					if (order == by_weight) break
					continue
				}
				next.push(boxes.length)
				boxes.push({ frame, x, width, depth: box.depth + step, up })
				x += width
			}
		}
		level = next
	}
}
const by_weight = (a, b) => b.weight - a.weight || a.id - b.id
function layout(width) {
	const boxes = chart.path.map((frame, depth) => ({ frame, x: 0, width, depth, up: depth - 1 }))
	grow(boxes, boxes.length - 1, 1, by_weight)
	if (chart.callers) {
		const callers = [{ ...boxes[0], frame: chart.callers }], shift = boxes.length - 1
		grow(callers, 0, -1, by_weight)
		for (const b of callers.slice(1)) boxes.push({ ...b, up: b.up ? b.up + shift : 0 })
	}
	return boxes
}
function draw() {
	const canvas = at('main').querySelector('canvas')
	if (!canvas) return
	const width = canvas.parentElement.clientWidth, ratio = devicePixelRatio || 1
	chart.boxes = layout(width)
	chart.above = -chart.boxes.reduce((least, b) => Math.min(least, b.depth), 0)
	const height = (1 + chart.above + chart.boxes.reduce((deep, b) => Math.max(deep, b.depth), 0)) * ROW
	canvas.width = width * ratio
	canvas.height = height * ratio
	canvas.style.height = height + 'px'
	const c = canvas.getContext('2d'), style = getComputedStyle(document.documentElement)
	c.scale(ratio, ratio)
	c.font = style.getPropertyValue('--code-font').trim()
	c.textBaseline = 'middle'
	const ink = style.getPropertyValue('--frame-ink'), plain = style.getPropertyValue('--ink'), letter = letter_width()
	for (const b of chart.boxes) {
		const y = (b.depth + chart.above) * ROW
		c.fillStyle = color(b.frame)
		c.fillRect(b.x, y, Math.max(0.5, b.width - 0.5), ROW - 1)
		const room = Math.floor((b.width - 8) / letter)
		if (room < 4) continue
		c.fillStyle = b.frame.id < 0 ? plain : ink
		c.fillText(fit(frame_name(b.frame.id), room), b.x + 4, y + ROW / 2)
	}
	const box = (b, color) => {
		c.strokeStyle = style.getPropertyValue(color)
		c.lineWidth = 2
		c.strokeRect(b.x + 1, (b.depth + chart.above) * ROW + 1, Math.max(2, b.width - 2), ROW - 3)
	}
	if (chart.sandwich) box(chart.boxes[0], '--ink')
	if (chart.chosen !== null && chart.boxes[chart.chosen]) box(chart.boxes[chart.chosen], '--mark')
}

// ---- choosing
function choose(index, loud) {
	const b = chart.boxes[index]
	if (!b) return
	chart.chosen = index
	const words = describe_frame(b)
	if (loud) said(words)
	draw()
	if (loud) show_row(b)
}
// Scrolls so that a box is in view.
function show_row(b) {
	const main = at('main'), canvas = main.querySelector('canvas')
	const y = canvas.offsetTop + (b.depth + chart.above) * ROW, top = at('main').querySelector('.bar').offsetHeight + 12
	if (y < main.scrollTop + top) main.scrollTop = y - top
	else if (y + ROW > main.scrollTop + main.clientHeight) main.scrollTop = y + ROW - main.clientHeight + 4
}
const box_at = (event) => {
	const r = event.currentTarget.getBoundingClientRect(), x = event.clientX - r.left, depth = Math.floor((event.clientY - r.top) / ROW) - chart.above
	return chart.boxes.findIndex((b) => b.depth == depth && x >= b.x && x < b.x + b.width)
}
// Makes a box as wide as the page.
function zoom(index) {
	const path = []
	for (let i = index; i >= 0; i = chart.boxes[i].up) path.unshift(chart.boxes[i].frame)
	if (!path.length) return
	chart.path = path
	chart.chosen = path.length - 1
	draw()
	choose(chart.chosen, true)
}
function open_chosen(view) {
	const id = chart.boxes[chart.chosen]?.frame.id ?? state.focus
	if (id > 0) go(view, id)
}
function chart_key(e) {
	const chosen = chart.chosen ?? 0, now = chart.boxes[chosen]
	const move = (index) => choose(index, true)
	const away = (depth) => chart.boxes.findIndex((b) => b.up == chosen && b.depth == depth)
	if (e.key == 'ArrowDown') move(now.depth < 0 ? now.up : away(now.depth + 1))
	else if (e.key == 'ArrowUp') move(now.depth > 0 ? now.up : away(now.depth - 1))
	else if (e.key == 'ArrowRight') move(chart.boxes.findIndex((b) => b.depth == now.depth && b.x > now.x + now.width / 2))
	else if (e.key == 'ArrowLeft') move(chart.boxes.findLastIndex((b) => b.depth == now.depth && b.x + b.width <= now.x + 0.01))
	else if (e.key == 'Enter') chart.sandwich ? open_chosen('sandwich') : zoom(chosen)
	else if (e.key == 'Home') chart.sandwich ? choose(0, true) : zoom(0)
	else return
	e.preventDefault()
}
function chart_canvas(label) {
	const canvas = element('canvas', { tabIndex: 0, role: 'application', 'aria-label': label })
	canvas.onmousemove = (e) => {
		const i = box_at(e), b = chart.boxes[i >= 0 ? i : chart.chosen ?? 0]
		if (b) describe_frame(b)
		canvas.title = i >= 0 && b.frame.id > 0 ? functions[b.frame.id].name : ''
	}
	canvas.onmouseleave = () => chart.boxes[chart.chosen ?? 0] && describe_frame(chart.boxes[chart.chosen ?? 0])
	canvas.onclick = (e) => (chart.sandwich ? choose(box_at(e), false) : zoom(box_at(e)))
	canvas.ondblclick = () => open_chosen(chart.sandwich ? 'sandwich' : 'graph')
	canvas.onkeydown = chart_key
	return canvas
}
const button = (id, text, onclick, more = {}) => element('button', { type: 'button', id, textContent: text, onclick, ...more })
function nothing_drawn(main) {
	if (chart.path[0].weight > 0) return false
	main.append(note(`No time to draw: ${state.time == 'wait' ? 'nothing waited here' : 'the times here are zero, or in the noise'}.`))
	return true
}

// ---- the two views
function show_flame(main) {
	Object.assign(chart, { path: [root_frame()], chosen: null, sandwich: 0, callers: null })
	main.replaceChildren(
		element('div', { className: 'bar' }, button('invert', state.inverted ? 'callers below' : 'callees below', invert, { 'aria-pressed': String(state.inverted) }), button('reset', 'whole', () => zoom(0)), button('open', 'in the call graph', () => open_chosen('graph'))),
		element('div', { className: 'chart' }, chart_canvas('flame graph: arrows move between frames, Enter zooms, Home shows all')))
	draw()
	nothing_drawn(main)
	const first = chart.boxes.findIndex((b) => b.frame.id == state.focus)
	choose(Math.max(0, first), false)
}
function show_sandwich(main, id) {
	const f = functions[id]
	if (!f) return main.replaceChildren(note('The profile has no functions.'))
	if (!of_thread(f)) return main.replaceChildren(note(`${f.name} was not called in this thread.`)), describe_function(id)
	const [down, up] = sandwich_frames(id)
	Object.assign(chart, { path: [down], chosen: 0, sandwich: id, callers: up })
	const canvas = chart_canvas(`sandwich of ${f.name}: callers above, callees below; arrows move between frames, Enter puts a frame into the middle`)
	main.replaceChildren(element('div', { className: 'bar' }, picker(id), element('span', { className: 'soft', textContent: 'callers above, callees below; Enter puts a frame into the middle' })), element('div', { className: 'chart' }, canvas))
	draw()
	nothing_drawn(main)
	choose(0, false)
	const middle = canvas.offsetTop + chart.above * ROW
	main.scrollTop = Math.max(0, middle - main.clientHeight / 2)
}
// The functions that take most themselves, to choose one.
function picker(id) {
	const list = functions.filter((f) => f && of_thread(f)).sort((a, b) => (counts ? m_of(b).calls - m_of(a).calls : m_of(b).self - m_of(a).self)).slice(0, 100)
	if (!list.includes(functions[id])) list.unshift(functions[id])
	const select = element('select', { id: 'picked', 'aria-label': 'Function', onchange: (e) => go('sandwich', e.target.value) })
	for (const f of list) select.append(element('option', { value: String(f.id), selected: f.id == id, textContent: `${fit(f.short, 48)}  ${counts ? number(m_of(f).calls) : self_percent(m_of(f)) + ' % self'}` }))
	return select
}
function invert() {
	state.inverted = !state.inverted
	show()
	at('main').querySelector('canvas').focus()
}
