// SPDX-License-Identifier: MIT
// flame.js - the flame graph of both sides: one frame for each context, also of one that only one side has.
//
// A frame is { id, context, weight, kids() }. Red is more and blue is less, the stronger the larger a part the change is of the
// largest one beyond its error. A frame whose change is within its error is grey.

const in_context = (frame) => (frame.context ? (frame.all ??= context_at(frame.context)) : all_changes)
function frame_text(frame) {
	const name = frame.id > 0 ? functions[frame.id].short : frame.id ? 'all' : '(not told apart)'
	return name + (marks[tree.on[frame.context]] && ` (${marks[tree.on[frame.context]]})`)
}
function strength(frame) {
	const measure = state.measure.flame, c = in_context(frame)[measure]
	return changed(c) ? Math.sign(c.change) * Math.sqrt(Math.min(1, Math.abs(c.change) / (tree.largest[measure] || 1))) : 0
}
function color(frame) {
	const dark = document.documentElement.dataset.theme == 'dark'
	const s = strength(frame), size = Math.abs(s), hue = s ? (s > 0 ? 8 : 214) : dark ? 215 : 40
	const [saturation, lightness] = dark ? (s ? [22 + 40 * size, 30 + 10 * size] : [6, 29]) : s ? [45 + 45 * size, 88 - 22 * size] : [6, 86]
	const fades = state.search && !functions[frame.id]?.name.toLowerCase().includes(state.search)
	return fades ? `hsl(${hue} ${0.3 * saturation}% ${dark ? 20 : 94}%)` : `hsl(${hue} ${saturation}% ${lightness}%)`
}
const frame_of = (i) => ({ id: i ? tree.fn[i] : -1, context: i, weight: tree[state.width][i], kids: () => tree.kids[i].map(frame_of) })
// Describes a box, and returns the words for those who listen.
function describe_frame(b) {
	const f = functions[b.frame.id], name = f?.name ?? frame_text(b.frame)
	describe_text(name, change_lines(in_context(b.frame), b.frame.context ? measures : measures.filter((m) => m != 'self')), ...where_of(f, tree.on[b.frame.context]))
	const measure = state.measure.flame
	return `${frame_text(b.frame)} — ${change_line(measure, in_context(b.frame)[measure])}`
}
function open_chosen() {
	const id = chart.boxes[chart.chosen]?.frame.id
	if (id > 0) go('functions', id)
}
function show_width(width) {
	state.width = width
	show()
	said(`widths: ${width}`)
}
function show_flame(main) {
	Object.assign(chart, { path: [frame_of(0)], chosen: null })
	const choice = element('span', { className: 'choice', role: 'group', 'aria-label': 'Widths' }, ...width_names.map((w) => button('width-' + w, w, () => show_width(w), { 'aria-pressed': String(w == state.width), title: w == 'larger' ? 'as wide as the larger of both sides, context by context' : `as wide as the time ${w}` })))
	const keys = ['more', 'less', 'within'].map((way) => element('span', { className: `key ${way}`, textContent: way == 'within' ? 'within its error' : way }))
	main.replaceChildren(
		element('div', { className: 'bar' }, element('span', { className: 'soft', textContent: 'width' }), choice, button('reset', 'whole', () => zoom(0)), ...keys),
		element('div', { className: 'chart' }, chart_canvas('differential flame graph: arrows move between frames, Enter zooms, Home shows all')))
	draw()
	if (!(chart.path[0].weight > 0)) main.append(note(`Nothing to draw: the times ${state.width == 'larger' ? 'of both sides' : state.width} are zero.`))
	const wanted = chart.boxes.reduce((best, b, i) => (state.focus && b.frame.id == state.focus && b.width > (chart.boxes[best]?.width ?? 0) ? i : best), -1)
	choose(Math.max(0, wanted), false)
}
