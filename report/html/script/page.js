// SPDX-License-Identifier: MIT
// page.js - what is shown, and the keys. Comes last: all other parts stand above.

const views = { functions: show_functions, graph: show_graph, flame: show_flame, source: show_source, sandwich: show_sandwich }
const go = (view, id) => (location.hash = id ? `${view}/${id}` : view)
function where() {
	const [view, id, line] = location.hash.slice(1).split('/')
	return [view in views ? view : 'functions', functions[Number(id)] ? Number(id) : 0, Number(line)]
}
// The page opens on main, or on the function with the largest total.
state.focus = (functions.find((f) => f?.name == 'main') ?? functions[1])?.id ?? 0
let chosen_by_user = false

function show() {
	const [view, id] = where(), main = at('main')
	for (const name of Object.keys(views)) at('tab-' + name).setAttribute('aria-selected', String(name == view))
	for (const t of times) at('time-' + t).setAttribute('aria-pressed', String(t == state.time))
	if (id) (state.focus = id), (chosen_by_user = true)
	main.scrollTop = 0
	main.dataset.view = view
	if (view == 'source' && !chosen_by_user && !stretch_of(functions[state.focus] ?? {})) state.focus = functions.find((f) => f && stretch_of(f))?.id ?? state.focus
	views[view](main, view == 'functions' || view == 'flame' ? undefined : state.focus)
}
function show_time(name) {
	if (!times.includes(name)) return
	state.time = name
	show()
	said(`times: ${time_labels[name]}`)
}
const next_time = () => show_time(times[(times.indexOf(state.time) + 1) % times.length])
const has_chart = () => ['flame', 'sandwich'].includes(where()[0])
function key(e) {
	const [view] = where()
	if ('12345'.includes(e.key)) go(Object.keys(views)[e.key - 1])
	else if (e.key == '/') at('search').focus()
	else if (e.key == '?') at('help').showModal()
	else if (e.key == 't') at('theme').click()
	else if (e.key == 'w' && times.length > 1) next_time()
	else if (e.key == 'n') show_notes(at('notes').hidden)
	else if (e.key == 'd') document.body.classList.toggle('long-details')
	else if (e.key == 'i' && view == 'flame') invert()
	else if (e.key == 'g' && details.id) go('graph', details.id)
	else if (e.key == 's' && details.id) go('sandwich', details.id)
	else if (e.key == 'ArrowDown' && !has_chart()) move_row(1)
	else if (e.key == 'ArrowUp' && !has_chart()) move_row(-1)
	else if (e.key.startsWith('Arrow') && at('main').querySelector('canvas')) at('main').querySelector('canvas').focus(), chart_key(e)
	else if (e.key == 'Enter' && document.activeElement.dataset?.id) go('graph', document.activeElement.dataset.id)
	else return
	e.preventDefault()
}
function describe_row(row) {
	if (row?.about) row.about()
	else if (row) describe_function(Number(row.dataset.id))
}
const open_row = (row) => go('graph', row.dataset.id)
at('main').addEventListener('click', (e) => {
	const row = row_of(e)
	if (row && !e.target.closest('a')) open_row(row)
})
at('search').oninput = (e) => {
	state.search = e.target.value.trim().toLowerCase()
	if (has_chart()) draw()
	else if (where()[0] == 'functions') show()
	else go('functions')
}
at('group').onchange = (e) => ((state.group = e.target.value), where()[0] == 'functions' ? show() : go('functions'))
at('thread').onchange = (e) => ((state.thread = Number(e.target.value)), show())

// ---- the head
const [first, ...rest] = profile.head.trimEnd().split('\n').map((line) => line.trim())
at('title').textContent = at('title').title = first
document.title = `zprof: ${first.split('      ')[0]}`
at('head').textContent = rest[0] ?? ''
tell(rest.slice(1), profile.end.trim())
at('group').append(element('option', { value: '', textContent: 'all groups' }))
for (const name of new Set(functions.filter((f) => f?.group).map((f) => f.group))) at('group').append(element('option', { value: name, textContent: name }))
at('group').hidden = at('group').options.length < 2
at('thread').append(element('option', { value: '-1', textContent: 'all threads' }))
profile.threads.forEach((t, i) => at('thread').append(element('option', { value: String(i), textContent: `${t.name} (${t.tid})` })))
at('thread').hidden = profile.threads.length < 2
for (const t of times) at('times').append(element('button', { type: 'button', id: 'time-' + t, textContent: time_labels[t], title: { cpu: 'time on a processor', wait: 'time waiting, on no processor', own: 'time on a processor and waiting', wall: 'all time that passed, also while others had the processor' }[t], onclick: () => show_time(t) }))
at('times').hidden = times.length < 2
begin()
