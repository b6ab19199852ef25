// SPDX-License-Identifier: MIT
// functions.js - the table of functions.

const found = (f) => (!state.search || f.name.toLowerCase().includes(state.search)) && (!state.group || f.group == state.group) && of_thread(f)
const m_of = (f) => of_thread(f) ?? { calls: 0, own: 0, self: 0, selfBar: 0, total: 0, totalBar: 0 }
const each = (m) => (m.calls ? known(m.total / m.calls, m.totalBar / m.calls) : '')
const columns = [
	{ key: 'selfShare', label: '% self', kind: 'number', timed: true, spare: 5, title: 'the time in the function itself, of all time', text: (f) => self_percent(m_of(f)), order: (f) => weight(m_of(f).self, m_of(f).selfBar), part: (f) => self_share(m_of(f)) },
	{ key: 'self', label: 'self', kind: 'number', timed: true, title: 'the time in the function itself', text: (f) => self_text(m_of(f)), value: (f) => m_of(f).self, order: (f) => weight(m_of(f).self, m_of(f).selfBar) },
	{ key: 'selfBar', label: '±', kind: 'number', timed: true, soft: true, spare: 4, title: 'how far off the time in the function itself may be, in its unit', text: (f) => bar(m_of(f).self, m_of(f).selfBar), value: (f) => m_of(f).selfBar },
	{ key: 'share', label: '% total', kind: 'number', title: 'the time in the function and in all that it called, of all time', spare: 2, text: (f) => total_percent(m_of(f)), order: (f) => (counts ? m_of(f).calls : weight(m_of(f).total, m_of(f).totalBar)) },
	{ key: 'total', label: 'total', kind: 'number', timed: true, title: 'the time in the function and in all that it called', text: (f) => total_text(m_of(f)), value: (f) => m_of(f).total, order: (f) => weight(m_of(f).total, m_of(f).totalBar) },
	{ key: 'totalBar', label: '±', kind: 'number', timed: true, soft: true, spare: 3, title: 'how far off the total may be, in its unit', text: (f) => bar(m_of(f).total, m_of(f).totalBar), value: (f) => m_of(f).totalBar },
	{ key: 'calls', label: 'calls', kind: 'number', text: (f) => number_of_calls(m_of(f).calls), value: (f) => m_of(f).calls },
	{ key: 'each', label: 'total/call', kind: 'number', timed: true, spare: 1, title: 'the total of one call', text: (f) => each(m_of(f)), order: (f) => m_of(f).total / (m_of(f).calls || 1) },
	...counter_columns((f) => counted_of(f.id), 'in the function itself', { key: 'total', label: 'total', title: 'in the function and in all that it called', value: (c) => c.total }),
	{ key: 'name', label: 'name', kind: 'name', text: (f) => f.short + (m_of(f).open ? ' (open)' : ''), whole: (f) => f.name, order: (f) => f.short },
	{ key: 'group', label: 'group', kind: 'place', groups: true, spare: 6, text: (f) => f.group, order: (f) => f.group },
	{ key: 'place', label: 'place', kind: 'place', text: place, whole: place_whole, order: place },
].filter((c) => (!counts || !c.timed) && (!c.groups || functions.some((f) => f?.group))).map((c) => ({ ...c, sorts: true }))
const words = ['name', 'group', 'place']

const ROWS = 400
function show_functions(main, all) {
	const by = columns.find((c) => c.key == state.sort) ?? columns[0], value = by.order ?? by.value
	const list = functions.filter((f) => f && found(f)).map((f) => [value(f), f])
	list.sort(([a, f], [b, g]) => (a < b ? 1 : a > b ? -1 : f.id - g.id) * (state.down ? 1 : -1))
	const chosen = once(`columns ${table_room()}`, () => choose_columns(columns, functions.filter((f) => f && of_thread(f)), table_room()))
	const parts = table_head(chosen, (c, th) => {
		const sorted = c.key == state.sort
		if (sorted) th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
		return [element('button', { type: 'button', onclick: () => sort_by(c.key), 'aria-label': `sort by ${c.key}`, textContent: c.label + (sorted ? (state.down ? ' ▾' : ' ▴') : '') })]
	})
	const body = element('tbody')
	for (const [, f] of all ? list : list.slice(0, ROWS)) body.append(table_row(chosen, f, f.id))
	const last = chosen_by_user && body.querySelector(`tr[data-id="${state.focus}"]`)
	if (last) last.setAttribute('aria-current', 'true')
	main.replaceChildren(element('table', { className: 'grid functions' }, ...parts, body))
	if (!all && list.length > ROWS) main.append(element('button', { type: 'button', id: 'more', textContent: `show all ${number(list.length)}`, onclick: () => show_functions(main, true) }))
	if (!list.length) main.append(note('No function matches.'))
	said(`${list.length} functions`)
	describe_function(list.some(([, f]) => f.id == state.focus) ? state.focus : list[0]?.[1].id)
}
function sort_by(key) {
	state.down = state.sort == key ? !state.down : !words.includes(key)
	state.sort = key
	show()
	at('main').querySelector(`th[aria-sort] button`)?.focus()
}
