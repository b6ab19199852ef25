#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// dot.mjs - graphviz draws the call graph: every function with its numbers and its place, every arc with its calls.
import { readFileSync } from 'node:fs'
import { arrives, exported, functions, json, ok, profile, run, table } from '../viewers/viewers.mjs'

const file = exported('dot', '--min', '0.000001', '--full-names')
const r = run('dot', '-Tsvg', file, '-o', 'graph.svg')
ok(r.status == 0 && r.said == '', 'dot draws it without a warning', r)
const plain = run('dot', '-Tplain', '-y', file)
const svg = readFileSync('graph.svg', 'utf8').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll('&#45;', '-').replaceAll('&#160;', ' ')
const boxes = svg.split('class="node"').slice(1).map((box) => [...box.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map((m) => m[1]).concat(box.match(/xlink:title="(.*?)"/)?.[1] ?? ''))
const box = new Map(boxes.map((b) => [b[0], b]))
const time = (ns) => { // as zprof prints it: three digits
	const [unit, size] = ns < 1e3 ? ['ns', 1] : ns < 1e6 ? ['us', 1e3] : ns < 1e9 ? ['ms', 1e6] : ['s', 1e9]
	return [unit, ns / size]
}
const near = (text, ns) => {
	const [unit, value] = time(ns)
	const m = text.match(/^\w+ ([\d.]+) (\w+)/)
	return m ? m[2] == unit && Math.abs(Number(m[1]) - value) <= 0.0051 * value : ns < 1 && /^\w+ 0/.test(text)
}
const shown = functions.filter((f) => f.total_ns > 0)
const every = (what, holds) => ok(shown.length > 10 && shown.every(holds), what, ...shown.filter((f) => !holds(f)).map((f) => [f.name, box.get(f.name)]))
arrives('self', every('self', (f) => box.has(f.name) && near(box.get(f.name)[1], f.self_ns)))
arrives('total', every('total', (f) => near(box.get(f.name)[2], f.total_ns)))
arrives('calls', every('calls', (f) => box.get(f.name)[3] == `${f.calls.toLocaleString("en")} call${f.calls == 1 ? "" : "s"}`))
arrives('lines', every('files and lines', (f) => !f.file || box.get(f.name).at(-1) == `${f.file.split('/').pop()}:${f.line}`))
const drawn = (plain.out.match(/^edge /gm) ?? []).length
const arcs = json('graph', '--raw').arcs.filter((a) => a.caller !== null)
ok(drawn == arcs.length, 'all arcs', drawn, arcs.length)
// What each self time must say by the numbers of the JSON: a time with its error in its unit, or a bound where the error is larger.
const bar = ({ error_ns, self_ns }) => {
	if (self_ns <= error_ns) return '<'
	const scale = [1, 1e3, 1e6, 1e9].find((s) => self_ns / s < 999.5) ?? 1e9, value = self_ns / scale, error = error_ns / scale
	const decimals = Math.min(value < 9.995 ? 2 : value < 99.95 ? 1 : 0, error < 0.995 ? 2 : error < 9.95 ? 1 : 0), least = 10 ** -decimals
	return (error < least ? '<' : '') + Math.max(error, least).toFixed(decimals)
}
const bars = run(`${process.env.ZPROF_BUILD}/zprof`, 'export', '--format=dot', '--min', '0.000001', '--full-names', profile).out
const told = new Map([...bars.matchAll(/label="(.*?)\\nself ([^±\\]*)(?: ±(.*?))?\\n/g)].map((m) => [m[1].replaceAll('\\"', '"'), m[3] ?? (/^<\d/.test(m[2]) ? '<' : '')]))
const timed = json('report').functions.filter((f) => told.has(f.name) && f.error_ns > 0)
const wrong = timed.filter((f) => told.get(f.name) != bar(f))
arrives('errors', ok(timed.length > 10 && wrong.length == 0, 'errors of times', ...wrong.map((f) => [f.name, told.get(f.name), bar(f)])))
table('dot')
