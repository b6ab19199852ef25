// SPDX-License-Identifier: MIT
// frames.js - frames of flame graphs, made from the context tree.
//
// A frame is { id, weight, calls, self, counted(), kids() }. Its kids are found when they are drawn.

const frame_name = (id) => (id > 0 ? functions[id].short : id ? 'all' : '(not told apart)')

function below(i) {
	const tree = tree_shown()
	return Array.from(tree.children.subarray(tree.start[i], tree.start[i + 1]))
}
// Contexts of one function side by side are one frame: threads' roots, and the contexts below them.
function merge(lists) {
	const tree = tree_shown(), by = new Map()
	for (const list of lists) for (const i of list) by.has(tree.fn[i]) ? by.get(tree.fn[i]).push(i) : by.set(tree.fn[i], [i])
	return [...by].map(([id, nodes]) => frame_of(id, nodes))
}
function frame_of(id, nodes) {
	const tree = tree_shown(), sum = (of) => nodes.reduce((s, i) => s + of[i], 0)
	return { id, weight: sum(tree.total), calls: sum(tree.calls), self: sum(tree.self), counted: () => counted_in(nodes), kids: () => merge(nodes.map(below)) }
}
// The callers of PAIRS [context, the one on its path that has been reached], which weigh what OF says of the first.
function callers(pairs, of) {
	const tree = tree_shown(), by = new Map()
	for (const pair of pairs) {
		if (pair[1] < 0) continue
		const id = tree.fn[pair[1]]
		by.has(id) ? by.get(id).push(pair) : by.set(id, [pair])
	}
	return [...by].map(([id, list]) => ({ id, weight: list.reduce((s, [i]) => s + of[i], 0), calls: list.reduce((s, [i]) => s + tree.calls[i], 0), self: 0, up: true, counted: () => counted_for(list.map(([i]) => i), of == tree.self), kids: () => callers(list.map(([i, up]) => [i, tree.parent[up]]), of) }))
}
const in_thread = (i) => state.thread < 0 || tree_shown().thread[i] == state.thread
function root_frame() {
	const tree = tree_shown()
	const kids = () => {
		if (!state.inverted) return merge([tree.roots.filter(in_thread)])
		const pairs = []
		for (let i = 0; i < tree.n; i++) if (tree.self[i] > 0 && in_thread(i)) pairs.push([i, i])
		return callers(pairs, tree.self)
	}
	const weight = kids().reduce((s, k) => s + k.weight, 0)
	return { id: -1, weight, calls: 0, self: 0, kids }
}
// A function in all its contexts: what it calls, and who calls it. Where it calls itself, only the outermost contexts
// count, so that both ways are as wide as its total.
function sandwich_frames(id) {
	const tree = tree_shown(), within = new Uint8Array(tree.n), outermost = []
	let calls = 0, self = 0
	for (let i = 0; i < tree.n; i++) {
		const up = tree.parent[i]
		within[i] = up >= 0 && (within[up] || tree.fn[up] == id) ? 1 : 0
		if (tree.fn[i] != id || !in_thread(i)) continue
		calls += tree.calls[i]
		self += tree.self[i]
		if (!within[i]) outermost.push(i)
	}
	const down = { ...frame_of(id, outermost), calls, self }
	return [down, { ...down, kids: () => callers(outermost.map((i) => [i, tree.parent[i]]), tree.total) }]
}
