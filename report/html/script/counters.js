// SPDX-License-Identifier: MIT
// counters.js - what interpreters count, and what zprof's events= counts: how often each counter rose in a function itself, and in
// all that it called. Counters are the same in each choice of time.

const counters = profile.counters ?? [], COUNTED = counters.length
const nothing_counted = counters.map(() => ({ self: 0, total: 0 }))
// Values from I on, the selves of all counters first, as sides of what was counted.
const counted_at = (list, i) => counters.map((name, k) => ({ self: list[i + k], total: list[i + COUNTED + k] }))

function find_counted() {
	const { functions: f, arcs: a } = part_shown().counted, found = { functions: new Map(), arcs: new Map() }
	for (let i = 0; i < f.length; i += 1 + 2 * COUNTED) found.functions.set(f[i], counted_at(f, i + 1))
	for (let i = 0; i < a.length; i += 1 + 4 * COUNTED) found.arcs.set(a[i], { parent: counted_at(a, i + 1), child: counted_at(a, i + 1 + 2 * COUNTED) })
	return found
}
// A profile of one thread has its numbers once.
const counted_of = (id) => (COUNTED && once('counted', find_counted).functions.get(id)) || nothing_counted
const counted_of_arc = (row) => (row.side == 'own' ? counted_of(row.other) : (COUNTED && once('counted', find_counted).arcs.get(row.arc.index)?.[row.side]) || nothing_counted)
const counted_text = (counted) => counted.map((c, k) => (c.total || c.self ? `${counters[k]} ${number(c.self)}${c.total == c.self ? '' : ` (total ${number(c.total)})`}` : '')).filter((t) => t)

// Two columns for each counter: the first tells of the function itself, as SELF_TITLE says; the second is REST. In a narrow window
// the second ones go before other columns, the first ones behind them, and those of the last counter first.
function counter_columns(counted, self_title, rest) {
	return counters.flatMap((name, k) => [
		{ key: `counter-${k}`, label: middle(name, 20), kind: 'number', spare: 20 - k, title: `${name}: ${self_title}`, text: (row) => number(counted(row)[k].self), value: (row) => counted(row)[k].self },
		{ key: `counter-${k}-${rest.key}`, label: rest.label, kind: 'number', soft: true, spare: 0.9 - 0.1 * k, title: `${name}: ${rest.title}`, text: (row) => number(rest.value(counted(row)[k])), value: (row) => rest.value(counted(row)[k]) },
	])
}

// What each context counted, of all its callees, too.
let counted_contexts
function counted_tree() {
	if (counted_contexts) return counted_contexts
	const tree = tree_shown(), c = profile.counted.contexts, array = () => counters.map(() => new Float64Array(tree.n))
	const self = array(), total = array()
	for (let i = 0; i < c.length; i += 1 + COUNTED) for (let k = 0; k < COUNTED; k++) self[k][c[i]] = total[k][c[i]] = c[i + 1 + k]
	for (const t of total) for (let i = tree.n - 1; i >= 0; i--) if (tree.parent[i] >= 0) t[tree.parent[i]] += t[i]
	return (counted_contexts = { self, total })
}
const sum_of = (list, nodes) => nodes.reduce((sum, i) => sum + list[i], 0)
// Of a frame that stands for contexts, none of which is below another.
function counted_in(nodes) {
	if (!COUNTED) return []
	const tree = counted_tree()
	return counters.map((name, k) => ({ self: sum_of(tree.self[k], nodes), total: sum_of(tree.total[k], nodes) }))
}
// What a caller's frame weighs in counters: what the contexts counted on its behalf, themselves or with all that they called.
const counted_for = (nodes, only_self) => counted_in(nodes).map((c) => (only_self ? { self: c.self, total: c.self } : { self: c.total, total: c.total }))
