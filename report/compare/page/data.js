'use strict'
// SPDX-License-Identifier: MIT
// data.js - the comparison as zprof wrote it into the page.
//
// A side is calls, bar, self, bar, total, bar. Functions and contexts are numbered from 1; 0 is outside of all. `on` has a bit for
// each side that has the function or context: 1 for before, 2 for after.
//   whole      0, a side for before, a side for after
//   functions  [line, on, chosen by the filters, name, short name, earlier name, file, a side, a side]
//   contexts   parent, function, on, a side, a side, ...; a parent stands before its children
const profile = JSON.parse(document.getElementById('profile').textContent)
const at = (id) => document.getElementById(id)
const counts = profile.unit == 'calls'
const measures = counts ? ['calls'] : profile.sampled ? ['self', 'total'] : ['self', 'total', 'calls']
const SIDE = 6

// What a number was before and after. A change within its error is no change that anybody can be sure of.
const change_of = (before, beforeBar, after, afterBar) => ({ before, beforeBar, after, afterBar, change: after - before, bar: Math.hypot(beforeBar, afterBar) })
const changed = (c) => Math.abs(c.change) > c.bar
function changes_at(list, first) {
	const of = (k) => change_of(list[first + k], list[first + k + 1], list[first + SIDE + k], list[first + SIDE + k + 1])
	return { calls: of(0), self: of(2), total: of(4) }
}
const marks = ['', 'gone', 'new', '']
const functions = [null, ...profile.functions.map((r, i) => ({ id: i + 1, line: r[0], on: r[1], selected: r[2], name: r[3] + (r[5] && ` (was ${r[5]})`), short: r[4] + (r[5] && ` (was ${r[5]})`), file: r[6], ...changes_at(r, 7) }))]
const all_changes = changes_at(profile.whole, 1)

// The state of the page. Each view has the measure whose changes it shows; widths of the flame graph are of one side, or of the larger.
const width_names = ['after', 'before', 'larger']
const state = { search: '', focus: 0, sort: 'change', down: true, width: 'after', measure: { functions: measures[0], flame: counts ? 'calls' : 'total' } }

// The contexts of both sides. Index 0 is the outside.
const CONTEXT = 3 + 2 * SIDE
const context_at = (i) => changes_at(profile.contexts, (i - 1) * CONTEXT + 3)
function find_tree() {
	const c = profile.contexts, n = c.length / CONTEXT + 1
	const tree = { n, fn: new Int32Array(n), on: new Uint8Array(n), kids: Array.from({ length: n }, () => []), parent: new Int32Array(n), largest: { calls: 0, self: 0, total: 0 } }
	for (const width of width_names) tree[width] = new Float64Array(n)
	for (let i = 1; i < n; i++) {
		const first = (i - 1) * CONTEXT, all = context_at(i), own = counts ? all.calls : all.self
		tree.parent[i] = c[first]
		tree.fn[i] = c[first + 1]
		tree.on[i] = c[first + 2]
		tree.kids[c[first]].push(i)
		tree.before[i] = Math.max(0, own.before)
		tree.after[i] = Math.max(0, own.after)
		tree.larger[i] = Math.max(tree.before[i], tree.after[i])
		for (const m of measures) if (changed(all[m])) tree.largest[m] = Math.max(tree.largest[m], Math.abs(all[m].change))
	}
	for (const width of width_names) for (let i = n - 1; i > 0; i--) tree[width][tree.parent[i]] += tree[width][i]
	return tree
}
const tree = find_tree()
