#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// pprof.mjs - go tool pprof: -top, -peek, -list, -tags and -raw say what zprof says.
import { join } from 'node:path'
import { agree, arrives, waited, waits_arrive, build, calls, counter, counters, exported, folder, functions, json, nearly, ok, run, self_ns, table, threads, total_ns } from '../viewers/viewers.mjs'

const file = exported('pprof')
process.env.PPROF_TMPDIR = process.cwd()

function pprof(...args) {
	const r = run('go', 'tool', 'pprof', '-nodecount=100000', '-nodefraction=0', '-edgefraction=0', ...args, file)
	ok(r.status == 0 && r.said == '', `go tool pprof ${args.join(' ')} reads it without a warning`, r.said, r.status)
	return r.out
}
// Rows `12ns 3.4% 5.6% 78ns 9.0%  name` of -top.
function top(sample, unit) {
	const self = new Map(), total = new Map()
	for (const line of pprof('-top', `-sample_index=${sample}`, `-unit=${unit}`).split('\n')) {
		const m = line.match(/^ *([\d.]+)\D* +[\d.e-]+% +[\d.e-]+% +([\d.]+)\D* +[\d.e-]+%  (.*)$/)
		if (m) self.set(m[3], Number(m[1])), total.set(m[3], Number(m[2]))
	}
	return { self, total }
}
const time = top('time', 'ns')
arrives('self', agree('flat is self', time.self, self_ns, nearly))
arrives('total', agree('cum is total, under recursion too', time.total, total_ns, nearly))
arrives('calls', agree('calls are the first sample type', top('0', 'count').self, calls))
waits_arrive(() => agree('waits', top('waited', 'ns').self, waited('self'), nearly) && agree('waits, cum', top('waited', 'ns').total, waited('total'), nearly))
const cycles = top(counter, 'count')
agree("an interpreter's counter", cycles.self, counters('self'))
agree("an interpreter's counter, cum", cycles.total, counters('total'))

// The block of -peek: the callers' lines above work()'s own add up to all that was spent in it.
const peek = pprof('-peek', 'größe::work', '-sample_index=time', '-unit=ns').split('\n')
const own = peek.findIndex((l) => /\d+%  +\| größe::work\(long\)$/.test(l) || /^ *\S+ +\S+% +\S+% +\S+ +\S+% +\| größe::work/.test(l))
let callers = 0
for (let i = own - 1; i >= 0 && /\|   /.test(peek[i]); i--) callers += parseFloat(peek[i].trim())
ok(Math.abs(callers - total_ns.get('größe::work(long)')) <= nearly, '-peek: the callers add up', callers, peek.slice(0, 20))

const listed = pprof('-list', 'größe::work', '-sample_index=time', '-unit=ns').split('\n').find((l) => l.includes('APART long work'))
arrives('lines', ok(listed && Math.abs(parseFloat(listed.trim()) - self_ns.get('größe::work(long)')) <= nearly, '-list: the line in the source', listed))

const tags = pprof('-tags', '-sample_index=calls')
const wanted = threads.map((t) => `${t.name} (${t.tid})`)
arrives('threads', ok(wanted.every((t) => tags.includes(t)), '-tags: threads', tags))
ok(/tid: Total/.test(tags) && /pid: Total/.test(tags) && /group: Total[^]*lisp/.test(tags), '-tags: process and group', tags)
const ranked = run('env', 'OMPI_COMM_WORLD_RANK=3', `LD_PRELOAD=${build}/libzprof.so`, 'ZPROF_OPTIONS=output=ranked.out', join(folder, 'Übung/program'))
ok(ranked.status == 0 && run(join(build, 'zprof'), 'export', '--format=pprof', '--raw', '-o', 'ranked.pb.gz', 'ranked.out').status == 0, 'a rank of a parallel job is recorded')
const rank = run('go', 'tool', 'pprof', '-tags', '-sample_index=calls', 'ranked.pb.gz').out
ok(/rank: Total[^]*?100%\): 3\n/.test(rank), '-tags: the rank', rank)
const raw = pprof('-raw')
const id = run('readelf', '-n', functions.find((f) => f.name == 'main').module).out.match(/Build ID: (\w+)/)[1]
ok(raw.includes(id), '-raw: the build id of the program', raw.slice(-600), build)
// `Duration: 324.51ms, Total samples = ...`, or `1.2mins`
const head = pprof('-top', '-sample_index=time').match(/^Duration: ([\d.]+)([a-zµ]+),/m)
const lasted = head && head[1] * { hrs: 3600e9, mins: 60e9, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3 }[head[2]]
ok(Math.abs(lasted / json('report').elapsed_ns - 1) < 0.01, '-top: the duration is the time that passed', head)
table('pprof')
