'use strict'
// SPDX-License-Identifier: MIT
// data.js - the profile as zprof wrote it into the page, and its numbers in each time and of each thread.
//
// Functions are numbered from 1 by their totals, 0 is outside of all.
//   functions  [line, name, file, group, module, calls, own, self, bar, total, bar, low, open, short name]
//   arcs       caller, callee, calls, a side for the caller's block, a side for the callee's block, ...; a side is
//              self, bar, total, bar, and the bar of the total without the self time
//   ways       caller, callee, the functions without hooks between them, ...
//   contexts   back, function, calls, self, ...: the caller's row is `back` rows before; a thread's
//              outermost has minus the thread's number there
//   times      by name, the numbers that differ from those above, or from zero: functions id, self, bar, total, bar, ...;
//              arcs index, and as above from the first self on, ...; contexts row, self, ...
//   counters   the counters' names; none: the profile has no counters
//   counted    the numbers of counters that are not zero, each counter's in turn: functions id, selves, totals, ...; arcs index,
//              selves and totals for the caller's block, selves and totals for the callee's, ...; contexts row, selves, ...
//   inlined    host, name, places, self, bar, total, bar, ...
//   lines      caller, callee, a line of the caller's file, how many calls it made, ...
//   own        function, a line of its file, the function's own time on a processor there, ...
//   sources    by path a text, or a list of line, text, ... where only some lines are in the page
//   missing    by path, why the text is not in the page
const profile = JSON.parse(document.getElementById('profile').textContent)
const at = (id) => document.getElementById(id)
const functions = [null, ...profile.functions.map((r, i) => ({ id: i + 1, line: r[0], name: r[1], file: r[2], group: r[3], module: r[4], short: r[13] ?? r[1] }))]
const counts = profile.unit == 'calls'
// A time that has the numbers of the page's own in every function is no choice.
const differs = (other) => !other.like_own || other.functions.length > 0
const times = ['cpu', 'wait', 'own', 'wall'].filter((t) => t == profile.time || (profile.times?.[t] && differs(profile.times[t])))
const time_labels = { cpu: 'cpu', wait: 'wait', own: 'cpu + wait', wall: 'wall' }

// The state of the page. The view and its function are in the address, so that back and forward work.
const state = { search: '', group: '', thread: -1, time: profile.time, sort: counts ? 'calls' : 'self', down: true, inverted: false, focus: 0 }
const other_time = (part) => (state.time == profile.time ? null : part.times[state.time])
const whole = () => other_time(profile)?.whole ?? profile.whole

// What has been made of the profile, by thread and time.
const made = new Map()
function once(what, make) {
	const key = `${what} ${state.thread} ${state.time}`
	if (!made.has(key)) made.set(key, make())
	return made.get(key)
}
const part_shown = () => (state.thread < 0 ? profile : profile.threads[state.thread])

function find_measures() {
	const part = part_shown(), other = other_time(part), found = new Map()
	const rows = state.thread < 0 ? profile.functions.map((r, i) => [i + 1, ...r.slice(5, 13)]) : part.functions
	for (const [id, calls, own, self, selfBar, total, totalBar, low, open] of rows)
		found.set(id, { calls, own, low, open, self, selfBar, total, totalBar, ...(other && !other.like_own ? { self: 0, selfBar: 0, total: 0, totalBar: 0 } : {}) })
	for (let i = 0, o = other?.functions ?? []; i < o.length; i += 5) Object.assign(found.get(o[i]), { self: o[i + 1], selfBar: o[i + 2], total: o[i + 3], totalBar: o[i + 4] })
	return found
}
// The numbers of a function; undefined if the chosen thread did not call it.
const of_thread = (f) => once('measures', find_measures).get(f.id)

function find_arcs() {
	const part = part_shown(), other = other_time(part), a = part.arcs, stride = 13
	const zero = other && !other.like_own
	const cost = (list, i) => (list ? { self: list[i], selfBar: list[i + 1], total: list[i + 2], bar: list[i + 3], belowBar: list[i + 4] } : { self: 0, selfBar: 0, total: 0, bar: 0, belowBar: 0 })
	const all = [], arcs_of = functions.map(() => ({ parents: [], children: [] }))
	for (let i = 0; i < a.length; i += stride) all.push({ index: i / stride, caller: a[i], callee: a[i + 1], calls: a[i + 2], parent: cost(zero ? null : a, i + 3), child: cost(zero ? null : a, i + 8) })
	for (let i = 0, o = other?.arcs ?? []; i < o.length; i += 11) Object.assign(all[o[i]], { parent: cost(o, i + 1), child: cost(o, i + 6) })
	for (const arc of all) {
		arcs_of[arc.callee].parents.push(arc)
		if (arc.caller && arc.caller != arc.callee) arcs_of[arc.caller].children.push(arc)
	}
	return arcs_of
}
const arcs_of = (id) => once('arcs', find_arcs)[id]

const ways = new Map()
for (let i = 0; i < profile.ways.length; i += 3) ways.set(`${profile.ways[i]} ${profile.ways[i + 1]}`, profile.ways[i + 2])
const way_of = (caller, callee) => ways.get(`${caller} ${callee}`) ?? ''

const inlined = new Map(), inlined_more = new Map()
for (let i = 0, n = profile.inlined; i < n.length; i += 7) {
	if (!inlined.has(n[i])) inlined.set(n[i], [])
	inlined.get(n[i]).push({ name: n[i + 1], places: n[i + 2], self: n[i + 3], selfBar: n[i + 4], total: n[i + 5], totalBar: n[i + 6], sampled: n[i + 3] != -1 })
}
for (let i = 0, n = profile.inlined_more; i < n.length; i += 2) inlined_more.set(n[i], n[i + 1])

// By caller and callee, [line, calls] of the caller's file; empty where the profile does not know.
const lines_of = new Map()
for (let i = 0, n = profile.lines; i < n.length; i += 4) {
	const key = `${n[i]} ${n[i + 1]}`
	if (!lines_of.has(key)) lines_of.set(key, [])
	lines_of.get(key).push([n[i + 2], n[i + 3]])
}
const own_lines = new Map()
for (let i = 0, n = profile.own; i < n.length; i += 3) own_lines.set(`${n[i]} ${n[i + 1]}`, n[i + 2])
const lines_known = (arc) => lines_of.get(`${arc.caller} ${arc.callee}`) ?? []

// The context tree, in the time that is shown. Threads are told apart when it is walked.
function find_tree() {
	const c = profile.contexts, n = c.length / 4, other = other_time(profile)
	const tree = { n, parent: new Int32Array(n), fn: new Int32Array(n), thread: new Int32Array(n), calls: new Float64Array(n), self: new Float64Array(n), total: new Float64Array(n), start: new Int32Array(n + 2), children: new Int32Array(n), roots: [] }
	for (let i = 0; i < n; i++) {
		const back = c[4 * i], outermost = back <= 0
		tree.parent[i] = outermost ? -1 : i - back
		tree.thread[i] = outermost ? -back : tree.thread[i - back]
		tree.fn[i] = c[4 * i + 1]
		tree.calls[i] = c[4 * i + 2]
		tree.self[i] = counts ? c[4 * i + 2] : other && !other.like_own ? 0 : Math.max(0, c[4 * i + 3])
		if (outermost) tree.roots.push(i)
		else tree.start[tree.parent[i] + 2]++
	}
	for (let i = 0, o = other?.contexts ?? []; i < o.length; i += 2) tree.self[o[i]] = Math.max(0, o[i + 1])
	tree.total.set(tree.self)
	for (let i = n - 1; i >= 0; i--) if (tree.parent[i] >= 0) tree.total[tree.parent[i]] += tree.total[i]
	for (let i = 2; i < n + 2; i++) tree.start[i] += tree.start[i - 1]
	for (let i = 0; i < n; i++) if (tree.parent[i] >= 0) tree.children[tree.start[tree.parent[i] + 1]++] = i
	return tree
}
const tree_by_time = new Map()
function tree_shown() {
	if (!tree_by_time.has(state.time)) tree_by_time.set(state.time, find_tree())
	return tree_by_time.get(state.time)
}
