#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// duckdb.mjs - a fleet's profiles as tables: DuckDB answers the questions of report/export/README.md as they stand there, and the answers
// are what the fleet was made of (tests/tools/make_fleet.c). FLEET=10000: at full size.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, installed, ok, plan, root, run } from '../viewers/viewers.mjs'

const { DuckDBInstance } = installed('@duckdb/node-api')
const zprof = join(build, 'zprof')
const size = Number(process.env.FLEET ?? 400)
execFileSync('sh', ['-c', `root=${root}; . "$root/tests/lib/fleet.sh"; make_whole_fleet`], { stdio: 'inherit', env: { ...process.env, FLEET: String(size) } })
const hosts = size >= 10000 ? 200 : 10

function took(what, since, profiles = size) {
	console.log(`# ${what}: ${((Date.now() - since) / 1000).toFixed(2)} s, ${((Date.now() - since) / profiles).toFixed(3)} ms a profile`)
}
for (const table of ['functions', 'arcs']) {
	const began = Date.now()
	const r = run(zprof, 'export', '--each', `--format=${table}`, '-o', `${table}.csv`, 'fleet')
	took(`${table}.csv, ${(statSync(`${table}.csv`).size / 1e6).toFixed(0)} MB`, began)
	ok(r.status == 0 && r.out + r.said == '', `the table of ${table} is written without a message`, r)
}

// What the fleet is made of: profile I is of build I % builds, on host I % hosts, with all counts times this.
const times = (i) => 1 + ((Math.imul(i, 2654435761) >>> 16) % 4)
const builds = readdirSync('builds').map((f) => Number(basename(f, '.zp'))).sort((a, b) => a - b).map((number) => {
	const json = JSON.parse(execFileSync(zprof, ['report', '--json', `builds/${number}.zp`], { encoding: 'utf8' }))
	const of = (name) => json.functions.find((f) => f.name == name)
	const id = execFileSync(zprof, ['info', `builds/${number}.zp`], { encoding: 'utf8' }).match(/modules +\S+ +([0-9a-f]+)/)[1]
	return { number, id, slow: of('fetch_3'), whole: json.functions.reduce((sum, f) => sum + f.self_ns, 0) }
})

const connection = await (await DuckDBInstance.create(':memory:')).connect()
async function ask(sql) {
	const began = Date.now()
	const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
	took(sql.trim().split('\n')[0].replace(/^-- /, ''), began)
	return rows
}
const blocks = readFileSync(join(root, 'report/export/README.md'), 'utf8').match(/```sql\n[^]*?```/g).map((b) => b.slice(7, -3))
ok(blocks.length == 4, 'the page has the tables and three questions', blocks)
const [tables, slower, by_host, by_caller] = blocks
for (const statement of tables.split(';').filter((s) => s.trim())) await ask(statement)
const [rows] = await ask('SELECT count(*) AS functions, (SELECT count(*) FROM arcs) AS arcs, count(DISTINCT file) AS files, count(DISTINCT host) AS hosts FROM functions')
console.log(`# ${rows.functions} functions, ${rows.arcs} arcs`)
ok(rows.files == size && rows.hosts == hosts, 'all profiles arrive', rows)

const step = await ask(slower)
ok(step.length == 1 && step[0].function == 'fetch_3' && step[0].version == builds.find((b) => b.number == 25).id && step[0].before == 3 && step[0].per_call == 5,
	'the function that got slower, in the build that made it so', step)

const wanted = new Map()
for (let i = 0; i < size; i++) {
	const host = 'h' + String(i % hosts).padStart(3, '0'), b = builds[i % builds.length]
	const sums = wanted.get(host) ?? { slow: 0, whole: 0 }
	wanted.set(host, { slow: sums.slow + times(i) * b.slow.self_ns, whole: sums.whole + times(i) * b.whole })
}
const shares = await ask(by_host)
const highest = [...wanted].map(([host, s]) => s.slow / s.whole).sort((a, b) => b - a)
ok(shares.length == 10 && shares.every((r, i) => Math.abs(r.share - highest[i]) < 1e-12 && Math.abs(r.share - wanted.get(r.host).slow / wanted.get(r.host).whole) < 1e-12),
	'its share of the time, by host', shares)

const latest = builds.at((size - 1) % builds.length)
let calls = 0
for (let i = 0; i < size; i++) if (builds[i % builds.length] == latest) calls += times(i) * latest.slow.calls
const callers = await ask(by_caller)
ok(callers.length == 6 && callers.every((r, i) => r.caller == `plan_${i}` && Number(r.calls) == calls / 6 && r.per_call == latest.slow.total_ns / latest.slow.calls),
	'on whose behalf it runs', callers)

await ask("COPY functions TO 'functions.parquet' (FORMAT parquet)")
console.log(`# functions.parquet: ${(statSync('functions.parquet').size / 1e6).toFixed(1)} MB`)
const again = await ask(slower.replace('FROM functions', "FROM 'functions.parquet'"))
ok(JSON.stringify(again) == JSON.stringify(step), 'Parquet, which DuckDB writes, gives the same answer', again)

// What a profile does not know is no number: the clock of these ticks has no processor time.
const [unknown] = await ask('SELECT count(cpu_self_ns) AS known, count(*) AS rows FROM functions')
ok(unknown.known == 0, 'what is not known is NULL', unknown)
plan()
