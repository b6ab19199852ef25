// SPDX-License-Identifier: MIT
// page.js - what is shown, and the keys. Comes last: all other parts stand above.

const views = { functions: show_functions, flame: show_flame }
const go = (view, id) => (location.hash = id ? `${view}/${id}` : view)
function where() {
	const [view, id] = location.hash.slice(1).split('/')
	return [view in views ? view : 'functions', functions[Number(id)] ? Number(id) : 0]
}
function show() {
	const [view, id] = where(), main = at('main')
	for (const name of Object.keys(views)) at('tab-' + name).setAttribute('aria-selected', String(name == view))
	for (const m of measures) at('measure-' + m).setAttribute('aria-pressed', String(m == state.measure[view]))
	if (id) state.focus = id
	main.scrollTop = 0
	main.dataset.view = view
	views[view](main)
	if (view == 'functions' && id) main.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
}
function show_measure(name) {
	state.measure[where()[0]] = name
	show()
	said(`changes of ${name}`)
}
const next = (list, now) => list[(list.indexOf(now) + 1) % list.length]
function key(e) {
	const [view] = where(), canvas = at('main').querySelector('canvas')
	if ('12'.includes(e.key)) go(Object.keys(views)[e.key - 1])
	else if (e.key == '/') at('search').focus()
	else if (e.key == '?') at('help').showModal()
	else if (e.key == 't') at('theme').click()
	else if (e.key == 'm') show_measure(next(measures, state.measure[view]))
	else if (e.key == 'w' && canvas) show_width(next(width_names, state.width))
	else if (e.key == 'n') show_notes(at('notes').hidden)
	else if (e.key == 'd') document.body.classList.toggle('long-details')
	else if (e.key == 'ArrowDown' && !canvas) move_row(1)
	else if (e.key == 'ArrowUp' && !canvas) move_row(-1)
	else if (e.key.startsWith('Arrow') && canvas) canvas.focus(), chart_key(e)
	else if (e.key == 'Enter' && document.activeElement.dataset?.id) go('flame', document.activeElement.dataset.id)
	else return
	e.preventDefault()
}
const describe_row = (row) => row && describe_function(Number(row.dataset.id))
const open_row = (row) => go('flame', row.dataset.id)
at('main').addEventListener('click', (e) => {
	const row = row_of(e)
	if (row) open_row(row)
})
at('search').oninput = (e) => {
	state.search = e.target.value.trim().toLowerCase()
	where()[0] == 'flame' ? draw() : show()
}

// ---- the head: a line for each side, with its further lines behind; the rest are notes
const head = profile.head.trimEnd().replace(/\n {8}(?=recorded )/g, ', ').split('\n')
for (const line of head.slice(0, 2)) {
	const [, side, numbers] = line.match(/^(.*\)): (.*)$/) ?? ['', line, '']
	at('title').append(element('span', { className: 'side', title: line }, element('span', { textContent: side }), element('span', { className: 'soft', textContent: numbers })))
}
document.title = `zprof diff: ${head.slice(0, 2).map((line) => line.split('  (')[0]).join(', ')}`
tell(head.slice(2), profile.end.trim())
const about = { self: 'the time in the function itself', total: 'the time in the function and in all that it called', calls: 'how often it was called' }
for (const m of measures) at('measures').append(button('measure-' + m, m, () => show_measure(m), { title: `changes of ${about[m]}` }))
at('measures').hidden = measures.length < 2
at('time').textContent = profile.unit == 'ns' ? { cpu: 'cpu', wait: 'wait', own: 'cpu + wait', wall: 'wall' }[profile.time] : ''
begin()
