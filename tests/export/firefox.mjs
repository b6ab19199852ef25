#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// firefox.mjs - the Firefox Profiler, by its own command line reader, which upgrades and checks a profile as the site does.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agree, arrives, calls, exported, folder, functions, nearly, ok, run, self_ns, table, threads, total_ns } from '../viewers/viewers.mjs'

const file = exported('firefox')
const program = join(folder, 'node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js')
process.env.PROFILER_CLI_SESSION_DIR = mkdtempSync(join(tmpdir(), 'ff'))

const reader = (...args) => run('node', program, ...args, '--session', 'zprof')
// Its server has half a second to begin, which on a busy machine is too little.
let loaded
for (let i = 0; i < 20; i++) {
	loaded = run('node', program, 'load', file, '--session', 'zprof')
	if (loaded.status == 0) break
	run('sleep', '1')
	loaded = reader('status')
	if (loaded.status == 0) break
}
ok(loaded.status == 0, 'the profile is read', loaded)
const listed = JSON.parse(reader('thread', 'list', '--json').out).threads
const sums = { time: { self: new Map(), total: new Map() }, calls: { self: new Map(), total: new Map() } }
for (const thread of listed) {
	const kind = thread.name.split(': ').pop()
	const shown = JSON.parse(reader('thread', 'functions', '--json', '--limit', '0', '--include-idle', '--thread', thread.threadHandle).out)
	for (const f of shown.functions)
		for (const [which, value] of [['self', f.selfSamples], ['total', f.totalSamples]])
			sums[kind][which].set(f.name, (sums[kind][which].get(f.name) ?? 0) + value * (kind == 'time' ? 1e6 : 1))
}
arrives('self', agree('self', sums.time.self, self_ns, nearly))
arrives('total', agree('total, under recursion too', sums.time.total, total_ns, nearly))
arrives('calls', agree('calls', sums.calls.self, calls))
const names = listed.map((t) => t.name)
arrives('threads', ok(threads.every((t) => names.includes(`${t.name} (${t.tid}): time`) && names.includes(`${t.name} (${t.tid}): calls`)), 'threads', names))

const work = functions.find((f) => f.name == 'größe::work(long)')
const handle = JSON.parse(reader('thread', 'functions', '--json', '--limit', '0', '--include-idle', '--thread', listed[0].threadHandle).out).functions.find((f) => f.name == work.name).functionHandle
const annotated = JSON.parse(reader('function', 'annotate', '--json', handle).out).srcAnnotation
const lines = annotated.lines.filter((l) => l.selfSamples)
arrives('lines', ok(annotated.filename == work.file && lines.length == 1 && lines[0].lineNumber == work.line, 'file and line', annotated))
reader('stop')
table('firefox')
