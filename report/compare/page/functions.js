// SPDX-License-Identifier: MIT
// functions.js - the table of functions with their numbers before and after, and the words for changes.

const amount = (measure, value) => (measure == 'calls' ? number(value) : time(value))
const error = (measure, value) => (value > 0 ? amount(measure, value) : '')
const signed = (measure, c) => {
	const size = amount(measure, Math.abs(c.change))
	return size == '0' ? '0' : (c.change < 0 ? '−' : '+') + size
}
function ratio(f, c) {
	if (marks[f.on] || c.before <= 0) return marks[f.on]
	const parts = c.after / c.before
	return parts < 100 ? parts.toFixed(3) : number(Math.round(parts))
}
// Which way a number certainly went.
const direction = (c) => (!changed(c) ? 'within' : c.change > 0 ? 'more' : 'less')

// Certain changes stand above the others.
const by_change = (c) => (changed(c) ? Math.abs(c.change) : -1 / (1 + Math.abs(c.change)))
function function_columns(measure) {
	const c = (f) => f[measure], calls = measure == 'calls', certain = functions.every((f) => !f?.[measure].bar)
	return [
		{ key: 'before', label: calls ? 'calls before' : 'before', kind: 'number', text: (f) => amount(measure, c(f).before), value: (f) => c(f).before },
		{ key: 'beforeBar', label: '±', kind: 'number', soft: true, spare: 4, title: 'how far off the time before may be', text: (f) => error(measure, c(f).beforeBar), value: (f) => c(f).beforeBar },
		{ key: 'after', label: calls ? 'calls after' : 'after', kind: 'number', text: (f) => amount(measure, c(f).after), value: (f) => c(f).after },
		{ key: 'afterBar', label: '±', kind: 'number', soft: true, spare: 3, title: 'how far off the time after may be', text: (f) => error(measure, c(f).afterBar), value: (f) => c(f).afterBar },
		{ key: 'change', label: 'change', kind: 'number', text: (f) => signed(measure, c(f)), value: (f) => c(f).change, order: (f) => by_change(c(f)) },
		{ key: 'bar', label: '±', kind: 'number', soft: true, spare: 5, title: 'how far off the change may be', text: (f) => error(measure, c(f).bar), value: (f) => c(f).bar },
		{ key: 'ratio', label: 'ratio', kind: 'number', spare: 1, title: 'after, divided by before', text: (f) => ratio(f, c(f)), order: (f) => c(f).after / (c(f).before || 1e-9) },
		{ key: 'callsBefore', label: 'calls before', kind: 'number', timed: true, text: (f) => number(f.calls.before), value: (f) => f.calls.before },
		{ key: 'callsAfter', label: 'after', kind: 'number', timed: true, title: 'calls after', text: (f) => number(f.calls.after), value: (f) => f.calls.after },
		{ key: 'name', label: 'name', kind: 'name', text: (f) => f.short, whole: (f) => f.name, more: (f) => marks[f.on], order: (f) => f.short },
		{ key: 'place', label: 'place', kind: 'place', spare: 2, text: place, whole: place_whole, order: place },
	].filter((column) => !(calls && column.timed) && !(profile.sampled && column.key.startsWith('calls')) && !(certain && column.soft)).map((column) => ({ ...column, sorts: true }))
}

const ROWS = 400
function show_functions(main, all) {
	const measure = state.measure.functions, columns = function_columns(measure)
	const by = columns.find((c) => c.key == state.sort) ?? columns.find((c) => c.key == 'change'), value = by.order ?? by.value
	const list = functions.filter((f) => f?.selected && f.name.toLowerCase().includes(state.search)).map((f) => [value(f), f])
	list.sort(([a, f], [b, g]) => (a < b ? 1 : a > b ? -1 : f.id - g.id) * (state.down ? 1 : -1))
	const chosen = choose_columns(columns, functions.filter((f) => f?.selected), table_room())
	const parts = table_head(chosen, (c, th) => {
		const sorted = c.key == by.key
		if (sorted) th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
		return [element('button', { type: 'button', onclick: () => sort_by(c.key), 'aria-label': `sort by ${c.key}`, textContent: c.label + (sorted ? (state.down ? ' ▾' : ' ▴') : '') })]
	})
	const body = element('tbody')
	for (const [, f] of all ? list : list.slice(0, ROWS)) {
		const tr = table_row(chosen, f, f.id)
		tr.classList.add(direction(f[measure]), `calls-${direction(f.calls)}`)
		if (f.id == state.focus) tr.setAttribute('aria-current', 'true')
		body.append(tr)
	}
	main.replaceChildren(element('table', { className: 'grid functions' }, ...parts, body))
	if (!all && list.length > ROWS) main.append(element('button', { type: 'button', id: 'more', textContent: `show all ${number(list.length)}`, onclick: () => show_functions(main, true) }))
	if (!list.length) main.append(note('No function matches.'))
	said(`${list.length} functions`)
	describe_function(list.some(([, f]) => f.id == state.focus) ? state.focus : list[0]?.[1].id)
}
function sort_by(key) {
	state.down = state.sort == key ? !state.down : !['name', 'place'].includes(key)
	state.sort = key
	show()
	at('main').querySelector('th[aria-sort] button')?.focus()
}

// ---- the bar at the bottom
const with_error = (measure, value, bar) => amount(measure, value) + (bar > 0 ? ` ±${amount(measure, bar)}` : '')
function change_line(measure, c) {
	const percents = c.before > 0 ? ` (${c.change < 0 ? '−' : '+'}${((100 * Math.abs(c.change)) / c.before).toFixed(1)} %)` : ''
	const told = changed(c) ? `${signed(measure, c)}${c.bar > 0 ? ` ±${amount(measure, c.bar)}` : ''}${percents}` : c.change == 0 ? 'no change' : 'no change beyond the error'
	return `${measure} ${with_error(measure, c.before, c.beforeBar)} → ${with_error(measure, c.after, c.afterBar)}:  ${told}`
}
const change_lines = (all, of = measures) => of.map((m) => change_line(m, all[m])).join('\n')
function where_of(f, on) {
	const rest = []
	if (marks[on]) rest.push(element('span', { textContent: marks[on] == 'new' ? 'new: only after' : 'gone: only before' }))
	if (f?.file) rest.push(element('span', { className: 'soft', textContent: place_whole(f) }))
	return rest
}
function describe_function(id) {
	const f = functions[id]
	if (!f) return describe_text('', '')
	describe_text(f.name, change_lines(f), ...where_of(f, f.on))
}
