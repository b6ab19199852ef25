#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// csv.mjs - Python's csv module reads what zprof's JSON has, value by value.
import { arrives, waits_arrive, waited, counter, exported, functions, ok, run, table } from '../viewers/viewers.mjs'

const file = exported('csv')
const r = run('python3', '-c', 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline=""), strict=True))))', file)
ok(r.status == 0 && r.said == '', "Python's csv reads it", r.said)
const rows = new Map(JSON.parse(r.out).map((row) => [row.name, row]))
const every = (what, holds) => ok(rows.size == functions.length && functions.every((f) => holds(f, rows.get(f.name))), what, ...functions.filter((f) => !holds(f, rows.get(f.name))))
const near = (a, b) => Math.abs(Number(a) - b) <= 0.06
arrives('calls', every('calls', (f, row) => Number(row.calls) == f.calls && Number(row.recursive_calls) == f.recursive_calls))
arrives('self', every('self', (f, row) => near(row.self_ns, f.self_ns)))
arrives('total', every('total', (f, row) => near(row.total_ns, f.total_ns)))
arrives('errors', every('errors', (f, row) => near(row.self_error_ns, f.error_ns) && near(row.total_error_ns, f.total_error_ns)))
arrives('lines', every('files and lines', (f, row) => row.file == (f.file ?? '') && Number(row.line) == (f.line ?? 0) && row.module == (f.module ?? '')))
waits_arrive(() => every('waits', (f, row) => near(row.self_waited_ns, f.self_waited_ns) && near(row.total_waited_ns, f.total_waited_ns) && Number(row.waits) == f.self_waits))
every('counters', (f, row) => ['self', 'total'].every((w) => Number(row[`${counter} ${w}`]) == f.counters.find((c) => c.name == counter)[w]))
table('csv')
