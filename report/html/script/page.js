// SPDX-License-Identifier: MIT
// page.js - what is shown, and the keys. Comes last: all other parts stand above.

const views = { functions: show_functions, graph: show_graph, flame: show_flame, source: show_source, sandwich: show_sandwich }
const go = (view, id) => (location.hash = id ? `${view}/${id}` : view)
function where() {
	const [view, id] = location.hash.slice(1).split('/')
	return [view in views ? view : 'functions', functions[Number(id)] ? Number(id) : 0]
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
function theme(name) {
	document.documentElement.dataset.theme = name
	draw()
}
function show_time(name) {
	if (!times.includes(name)) return
	state.time = name
	show()
	said(`times: ${time_labels[name]}`)
}
const next_time = () => show_time(times[(times.indexOf(state.time) + 1) % times.length])
function move_row(step) {
	const rows = [...at('main').querySelectorAll('tbody tr[data-id]')]
	const now = rows.indexOf(document.activeElement)
	rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + step))]?.focus()
}
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
document.addEventListener('keydown', (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || at('help').open) return
	const typing = ['INPUT', 'SELECT'].includes(document.activeElement.tagName)
	if (e.key == 'Escape') document.activeElement.blur()
	if (!e.defaultPrevented && !(typing && (e.key != 'ArrowDown' || document.activeElement.tagName == 'SELECT'))) key(e)
})
const row_of = (e) => e.target.closest?.('tr[data-id]')
function describe_row(row) {
	if (row?.about) row.about()
	else if (row) describe_function(Number(row.dataset.id))
}
at('main').addEventListener('click', (e) => {
	const row = row_of(e)
	if (row && !e.target.closest('a')) go('graph', row.dataset.id)
})
at('main').addEventListener('mouseover', (e) => describe_row(row_of(e)))
at('main').addEventListener('focusin', (e) => describe_row(row_of(e)))
at('search').oninput = (e) => {
	state.search = e.target.value.trim().toLowerCase()
	if (has_chart()) draw()
	else if (where()[0] == 'functions') show()
	else go('functions')
}
at('group').onchange = (e) => ((state.group = e.target.value), where()[0] == 'functions' ? show() : go('functions'))
at('thread').onchange = (e) => ((state.thread = Number(e.target.value)), show())
at('theme').onclick = () => theme(document.documentElement.dataset.theme == 'dark' ? 'light' : 'dark')
at('help-button').onclick = () => at('help').showModal()
addEventListener('hashchange', show)
let resized = 0
addEventListener('resize', () => {
	cancelAnimationFrame(resized)
	resized = requestAnimationFrame(() => {
		const top = at('main').scrollTop
		show()
		at('main').scrollTop = top
	})
})

// ---- the head
function show_notes(open) {
	at('notes').hidden = !open
	at('notes-button').setAttribute('aria-expanded', String(open))
	if (where()[0] == 'functions') return
	draw()
}
const [first, ...rest] = profile.head.trimEnd().split('\n').map((line) => line.trim())
at('title').textContent = at('title').title = first
document.title = `zprof: ${first.split('      ')[0]}`
at('head').textContent = rest[0] ?? ''
const losses = profile.end.trim(), told = [...rest.slice(1), ...(losses ? losses.split('\n') : [])]
at('notes').textContent = told.join('\n')
at('notes-button').hidden = !told.length
at('notes-button').textContent = (losses || told.some((line) => line.startsWith('note:')) ? '⚠ ' : '') + plural(told.length, 'note')
at('notes-button').onclick = () => show_notes(at('notes').hidden)
at('group').append(element('option', { value: '', textContent: 'all groups' }))
for (const name of new Set(functions.filter((f) => f?.group).map((f) => f.group))) at('group').append(element('option', { value: name, textContent: name }))
at('group').hidden = at('group').options.length < 2
at('thread').append(element('option', { value: '-1', textContent: 'all threads' }))
profile.threads.forEach((t, i) => at('thread').append(element('option', { value: String(i), textContent: `${t.name} (${t.tid})` })))
at('thread').hidden = profile.threads.length < 2
for (const t of times) at('times').append(element('button', { type: 'button', id: 'time-' + t, textContent: time_labels[t], title: { cpu: 'time on a processor', wait: 'time waiting, on no processor', own: 'time on a processor and waiting', wall: 'all time that passed, also while others had the processor' }[t], onclick: () => show_time(t) }))
at('times').hidden = times.length < 2
theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
show()
