#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// gmon.mjs - gprof reads gmon.out with the program's own symbols: self and calls. It estimates totals from numbers of calls.
import { agree, arrives, exported, functions, json, ok, run, self_ns, table } from '../viewers/viewers.mjs'

const file = exported('gmon')
const main = functions.find((f) => f.name == 'main')
const r = run('gprof', '-b', '-p', '--demangle', main.module, file)
ok(r.status == 0 && r.said == '', 'gprof reads it without a warning', r.said)
const native = functions.filter((f) => f.module == main.module)
const self = new Map(), calls = new Map()
for (const line of r.out.split('\n')) {
	const m = line.match(/^ *[\d.]+ +[\d.]+ +([\d.]+)(?: +(\d+) +[\d.]+ +[\d.]+)? +(\S.*)$/)
	if (m) self.set(m[3], Number(m[1]) * 1e9), calls.set(m[3], Number(m[2] ?? 0))
}
// gprof prints hundredths of a second.
const mine = (value) => new Map(native.map((f) => [f.name, value(f)]))
arrives('self', agree('self', self, mine((f) => self_ns.get(f.name)), 0.0051e9))
// Calls by functions of another module, or at a thread's start, have no caller in the program.
const inner = new Map(native.map((f) => [f.name, 0]))
const names = new Map(functions.map((f) => [f.id, f]))
for (const a of json('graph', '--raw').arcs) {
	const from = names.get(a.caller), to = names.get(a.callee)
	if (from?.module == main.module && to.module == main.module) inner.set(to.name, inner.get(to.name) + a.calls)
}
const graph = run('gprof', '-b', '-q', '--demangle', main.module, file).out
const primary = new Map()
for (const line of graph.split('\n')) {
	const m = line.match(/^\[\d+\] +[\d.]+ +[\d.]+ +[\d.]+ +(?:(\d+)(?:\+(\d+))? +)?(\S.*?)(?: <cycle \d+>)? \[\d+\]$/)
	if (m && !/as a whole/.test(m[3])) primary.set(m[3], Number(m[1] ?? 0) + Number(m[2] ?? 0))
}
arrives('calls', agree('calls, recursive ones too', primary, inner))
table('gmon')
