// SPDX-License-Identifier: MIT
// flame.js - the flame graph, and the sandwich: a function with its callers above and its callees below.
//
// Widths are times, and the more of all time a function takes itself, the deeper is the colour.

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
const frame_text = (frame) => frame_name(frame.id)
function open_chosen(view) {
	const id = chart.boxes[chart.chosen]?.frame.id ?? state.focus
	if (id > 0) go(view, id)
}
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
