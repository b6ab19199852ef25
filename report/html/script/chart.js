// SPDX-License-Identifier: MIT
// chart.js - frames drawn as boxes, in a flame graph or a sandwich, and how they are chosen by mouse and by keys.
//
// A box is a frame as it is drawn: { frame, x, width, depth, up }. `up` is the index of the box that it hangs on. Callers in the
// sandwich have depths below zero. Each page says what a frame looks like: color(frame), frame_text(frame), describe_frame(box),
// and what a double click opens: open_chosen(view).

const ROW = 20, NARROW = 1, DEEPEST = 400
const chart = { path: [], boxes: [], chosen: null, sandwich: 0, above: 0, callers: null }

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
		c.fillText(fit(frame_text(b.frame), room), b.x + 4, y + ROW / 2)
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
