#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// callgrind.mjs - callgrind_annotate: its self and inclusive times, calls, lines and further events are ours.
import { agree, arrives, waited, waits_arrive, calls, counters, exported, nearly, ok, run, self_ns, table, thread_ns, total_ns } from '../viewers/viewers.mjs'

const file = exported('callgrind')
const number = (text) => Number(text.replaceAll(',', ''))

// Rows `1,234 (5.6%) 78 (9.0%) * file:name (3x) [object]`. Levels of recursion are told apart by '2, '3.
function rows(...args) {
	const r = run('callgrind_annotate', '--threshold=100', '--auto=no', '--show-percs=no', ...args, file)
	ok(r.status == 0 && r.said == '', `callgrind_annotate ${args.join(' ')} reads it without a warning`, r.said, r.status)
	return r.out
		.split('\n')
		.map((l) => l.match(/^ *([\d,]+) +([\d,]+) +(?:([\d,]+) +)?(?:([<*>]) +)?(.*?):(.*?)(?: \(([\d,]+)x\))?(?: \[(.*)\])?$/))
		.filter((m) => m)
		.map(([, ns, cycles, waits, sign, place, name, times]) => ({ ns: number(ns), cycles: number(cycles), waits: number(waits ?? '0'), sign: sign ?? '*', place, name: name.replace(/'\d+$/, ''), level: name, times: times ? number(times) : 0 }))
}
function sums(list, value) {
	const map = new Map()
	for (const row of list) map.set(row.name, (map.get(row.name) ?? 0) + value(row))
	return map
}

const self = rows('--inclusive=no')
arrives('self', agree('self times', sums(self, (r) => r.ns), self_ns, nearly))
agree("self of an interpreter's counter", sums(self, (r) => r.cycles), counters('self'))
const inclusive = rows('--inclusive=yes', '--tree=both')
const outermost = inclusive.filter((r) => r.sign == '*' && r.name == r.level)
arrives('total', agree('inclusive times, under recursion too', sums(outermost, (r) => r.ns), total_ns, nearly))
waits_arrive(() => agree('waits', sums(self, (r) => r.waits), waited('self'), nearly) && agree('inclusive waits', sums(outermost, (r) => r.waits), waited('total'), nearly))
agree("inclusive of an interpreter's counter", sums(outermost, (r) => r.cycles), counters('total'))
// The format has no cost without a call, so what was never called ([zprof]) has one call from each caller.
const called = new Map([...calls].filter(([, times]) => times))
arrives('calls', agree('calls', sums(inclusive.filter((r) => r.sign == '>'), (r) => r.times), called))
arrives('threads', agree('threads', sums(outermost, (r) => r.ns), thread_ns, nearly))

// The line where work() begins has its time, in the source with a name that is not ASCII.
const annotated = run('callgrind_annotate', '--threshold=100', '--auto=yes', '--show-percs=no', file).out.split('\n')
const line = annotated.find((l) => /static APART long work\(long n\)/.test(l))
arrives('lines', ok(line && Math.abs(number(line.trim().split(' ')[0]) - self_ns.get('größe::work(long)')) <= nearly, 'the source, annotated', line))
table('callgrind')
