// SPDX-License-Identifier: MIT
// details.js - the bar at the bottom, which is always in view: the whole name and all numbers of the row or frame under the
// mouse or the keys.

const details = { id: 0 }
function numbers_of(f, m) {
	if (!m) return 'not called in this thread'
	const calls = plural_calls(m.calls) + (m.own ? `, ${number(m.own)} of them by itself` : '')
	const counted = counted_text(counted_of(f.id))
	if (counts) return [calls, ...counted].join('   ')
	const one = m.calls ? `${each(m)} per call` : ''
	return [`self ${with_bar(m.self, m.selfBar)} (${self_percent(m)} %)`, `total ${m.low ? '≥ ' : ''}${with_bar(m.total, m.totalBar)} (${total_percent(m)} %)`, calls, one, ...counted].filter((t) => t).join('   ')
}
function where_of(f) {
	const rest = []
	if (f.file) rest.push(stretch_of(f) ? element('a', { href: `#source/${f.id}`, textContent: place_whole(f) }) : element('span', { textContent: place_whole(f) }))
	if (f.module) rest.push(element('span', { className: 'soft', textContent: `in ${base(f.module)}` }))
	if (f.group) rest.push(element('span', { className: 'soft', textContent: `group ${f.group}` }))
	for (const [view, label] of [['graph', 'call graph'], ['sandwich', 'sandwich']]) if (where()[0] != view || where()[1] != f.id) rest.push(element('a', { href: `#${view}/${f.id}`, textContent: label }))
	const within = inlined.get(f.id), more = inlined_more.get(f.id) ?? 0
	if (within) rest.push(element('span', { className: 'soft inlined-names', title: 'functions that the compiler put into this one; they have no hooks, so their time is part of its self time', textContent: `inlined into it: ${within.map((i) => i.name + (i.sampled ? ` ${time(i.total)}` : i.places > 1 ? ` ×${i.places}` : '')).join(', ')}${more ? ` and ${more} more` : ''}` }))
	return rest
}
function describe_function(id) {
	const f = functions[id]
	if (!f) return describe_text('', '')
	details.id = id
	describe_text(f.name, numbers_of(f, of_thread(f)), ...where_of(f))
}
function describe_arc(row) {
	const f = functions[row.other], arc = row.arc, cost = arc[row.side]
	if (row.side == 'own') return describe_function(row.other)
	const way = way_of(arc.caller, arc.callee), name = (id) => functions[id]?.short ?? '<spontaneous>'
	details.id = row.other || details.id
	const lines = lines_text(arc)
	const counted = counted_text(counted_of_arc(row))
	const amount = counts ? '' : `self ${with_bar(cost.self, cost.selfBar)}   total ${with_bar(cost.total, cost.bar)}   `
	describe_text(f?.name ?? '<spontaneous>', `${fit(name(arc.caller), 40)} → ${fit(name(arc.callee), 40)}${way && ' ' + way}:   ${amount}${number_of_calls(arc.calls)}${uncounted(row.all) ? '' : ` of ${plural(row.all, 'call')}`}${lines && ' ' + lines}${counted.map((t) => '   ' + t).join('')}`, ...(f ? where_of(f) : []))
}
// Describes a box of a flame graph, and returns the words for those who listen.
function describe_frame(b) {
	const f = functions[b.frame.id], frame = b.frame, all = chart.path[0].weight || 1
	const amount = counts ? plural(frame.weight, 'call') : `${time(frame.weight)} (${percent(frame.weight / all)} %)`
	const here = frame.id < 0 || counts ? amount : `here ${amount}${state.inverted && !chart.sandwich || frame.up ? '' : `, self ${time(frame.self)}`}, ${plural_calls(frame.calls)}${frame.id > 0 ? counted_text(frame.counted()).map((t) => ', ' + t).join('') : ''}`
	if (f) details.id = f.id
	const middle = chart.sandwich && !b.depth
	const everywhere = f && of_thread(f) && !counts && !middle ? `   everywhere: self ${with_bar(m_of(f).self, m_of(f).selfBar)}, total ${with_bar(m_of(f).total, m_of(f).totalBar)}` : ''
	describe_text(f?.name ?? frame_name(frame.id), middle && f ? numbers_of(f, of_thread(f)) : here + everywhere, ...(f ? where_of(f) : []))
	return `${f?.name ?? frame_name(frame.id)} — ${here.replace(/^here /, '')}`
}
