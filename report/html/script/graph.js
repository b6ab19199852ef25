// SPDX-License-Identifier: MIT
// graph.js - the call graph: one block, as zprof graph prints it. Callers stand above the function, callees below.

// The lines of the caller that make most of the calls, as zprof graph prints the places of an interpreter's calls.
function lines_text(arc) {
	const known = [...lines_known(arc)].sort((a, b) => b[1] - a[1])
	return known.length ? `at ${known.slice(0, 3).map(([line]) => line).join(', ')}${known.length > 3 ? ', ...' : ''}` : ''
}
function graph_columns(f, m) {
	// Where a window is narrow, the lesser columns go.
	const side = (row) => row.arc[row.side]
	const part = (row) => (row.side == 'own' ? share(m) : side(row).total / (m.total || 1))
	return [
		{ key: 'part', label: '% of it', kind: 'number', timed: true, title: 'of the total of the function in the middle; in its own row, of all time', text: (r) => (r.side == 'own' ? total_percent(m) : known_percent(side(r).total, side(r).bar, m.total)), part },
		{ key: 'self', label: 'self', kind: 'number', timed: true, spare: 3, title: 'the time in the called function itself', text: (r) => known(side(r).self, side(r).selfBar), value: (r) => side(r).self },
		{ key: 'children', label: 'children', kind: 'number', timed: true, spare: 2, title: 'the time in what the called function called', text: (r) => (side(r).total > side(r).self ? known(side(r).total - side(r).self, side(r).belowBar) : '0') },
		{ key: 'total', label: 'total', kind: 'number', timed: true, title: 'the time of the called function for this caller', text: (r) => known(side(r).total, side(r).bar), value: (r) => side(r).total },
		{ key: 'bar', label: '±', kind: 'number', timed: true, soft: true, spare: 4, title: 'how far off the total may be, in its unit', text: (r) => bar(side(r).total, side(r).bar), value: (r) => side(r).bar },
		{ key: 'called', label: 'called', kind: 'number', text: (r) => number_of_calls(r.arc.calls), value: (r) => r.arc.calls },
		{ key: 'all', label: 'of', kind: 'number', soft: true, spare: 1, title: 'all calls of the called function', text: (r) => (uncounted(r.all) ? '' : number(r.all)) },
		...counter_columns(counted_of_arc, 'in the called function itself', { key: 'children', label: 'children', title: 'in what the called function called', value: (c) => c.total - c.self }),
		{ key: 'name', label: 'name', kind: 'name', inset: 3, text: (r) => functions[r.other]?.short ?? '<spontaneous>', whole: (r) => functions[r.other]?.name ?? '<spontaneous>', more: (r) => (r.side == 'own' ? '' : [way_of(r.arc.caller, r.arc.callee), lines_text(r.arc)].filter((t) => t).join(' ')) },
		{ key: 'place', label: 'place', kind: 'place', text: (r) => (functions[r.other] ? place(functions[r.other]) : ''), whole: (r) => (functions[r.other] ? place_whole(functions[r.other]) : '') },
	].filter((c) => !counts || !c.timed)
}
const own_row = (f, m) => ({ arc: { caller: f.id, callee: f.id, calls: m.calls - m.own, own: { self: m.self, selfBar: m.selfBar, total: m.total, bar: m.totalBar, belowBar: Math.max(0, m.totalBar - m.selfBar) } }, side: 'own', other: f.id, all: m.calls })

// The lines of calls behind a name lead to the source.
function link_lines(tr, arc) {
	const more = tr.querySelector('.more'), caller = functions[arc.caller]
	const most = [...lines_known(arc)].sort((a, b) => b[1] - a[1])[0]
	if (!more || !most || !caller || !stretch_of(caller)) return
	more.replaceWith(element('a', { className: 'soft more', href: `#source/${caller.id}/${most[0]}`, textContent: more.textContent, title: 'the lines that make most of the calls; the time for each line is known only where one line makes all calls' }))
}
function section(chosen, text) {
	return element('tr', { className: 'section' }, element('td', { colSpan: chosen.length, textContent: text }))
}
function inlined_row(chosen, i, m) {
	const tr = element('tr', { className: 'inlined' })
	const texts = i.sampled ? { part: known_percent(i.total, i.totalBar, m.total), self: known(i.self, i.selfBar), children: i.total > i.self ? known(i.total - i.self, i.totalBar) : '0', total: known(i.total, i.totalBar), bar: bar(i.total, i.totalBar) } : {}
	for (const c of chosen) {
		const td = element('td', { className: `${c.kind} ${c.soft ? 'soft' : ''}`, textContent: c.key == 'name' ? fit(i.name, c.room - 3) : texts[c.key] ?? '' })
		td.dataset.key = c.key
		if (c.key == 'name') td.title = i.name
		tr.append(td)
	}
	tr.onmouseenter = () => describe_text(i.name, `inlined${i.places ? ` in ${i.places} place${i.places == 1 ? '' : 's'}` : ''}; ${i.sampled ? `self ${with_bar(i.self, i.selfBar)}, total ${with_bar(i.total, i.totalBar)}, by samples` : 'the profile has no time of its own for it'}`)
	return tr
}
function show_graph(main, id) {
	const f = functions[id]
	if (!f) return main.replaceChildren(note('The profile has no functions.'))
	const m = of_thread(f), { parents, children } = arcs_of(f.id)
	if (!m) return main.replaceChildren(note(`${f.name} was not called in this thread.`)), describe_function(f.id)
	const order = (side) => (a, b) => weight(b[side].total, b[side].bar) - weight(a[side].total, a[side].bar) || b.calls - a.calls
	const above = parents.filter((a) => a.caller != f.id).sort(order('parent')).map((arc) => ({ arc, side: 'parent', other: arc.caller, all: m.calls }))
	const below = children.sort(order('child')).map((arc) => ({ arc, side: 'child', other: arc.callee, all: m_of(functions[arc.callee]).calls }))
	const own = own_row(f, m), columns = graph_columns(f, m)
	const chosen = choose_columns(columns, [...above, own, ...below], table_room())
	const body = element('tbody')
	const add = (row) => {
		const tr = table_row(chosen, row, row.other)
		tr.about = () => describe_arc(row)
		if (row.side != 'own') link_lines(tr, row.arc)
		body.append(tr)
		return tr
	}
	body.append(section(chosen, above.length == 1 ? 'called by' : `called by ${above.length}`))
	above.forEach(add)
	const middle_row = add(own)
	middle_row.className = 'own'
	middle_row.cells[chosen.findIndex((c) => c.key == 'name')].replaceChildren(fit(f.short + (m.open ? ' (open)' : ''), chosen.find((c) => c.key == 'name').room))
	const place_cell = middle_row.querySelector('[data-key=place]')
	if (profile.sources?.[f.file] !== undefined) place_cell.replaceChildren(element('a', { href: `#source/${f.id}`, textContent: place_cell.textContent }))
	if (m.own) middle_row.querySelector('[data-key=called]').title = `and ${number(m.own)} by itself`
	if (below.length) body.append(section(chosen, below.length == 1 ? 'calls' : `calls ${below.length}`))
	below.forEach(add)
	const within = (inlined.get(f.id) ?? []).filter((i) => i.sampled && state.thread < 0 && state.time != 'wait')
	if (within.length) body.append(section(chosen, 'inlined into it: parts of its self time on a processor, by samples'))
	for (const i of within) body.append(inlined_row(chosen, i, m))
	const [cols, head] = table_head(chosen, (c) => [c.label])
	main.replaceChildren(element('table', { className: 'grid graph', 'aria-label': `callers and callees of ${f.name}` }, cols, head, body))
	describe_function(f.id)
	said(`${f.name}: ${parents.length} callers, ${children.length} callees`)
}
