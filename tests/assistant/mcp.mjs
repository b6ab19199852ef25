#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// mcp.mjs - the client of the Model Context Protocol's own package lists zprof's calls, and gets what the commands print.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, folder, ok, plan, profile, run } from '../viewers/viewers.mjs'

const sdk = join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client')
const { Client } = await import(pathToFileURL(join(sdk, 'index.js')))
const { StdioClientTransport } = await import(pathToFileURL(join(sdk, 'stdio.js')))
const zprof = `${build}/zprof`
const client = new Client({ name: 'test', version: '1' })
await client.connect(new StdioClientTransport({ command: zprof, args: ['mcp'] }))
ok(client.getServerVersion().name == 'zprof', 'connected', client.getServerVersion())
await client.ping()
const { tools } = await client.listTools()
ok(tools.map((t) => t.name).join() == 'brief,report,tree,graph,groups,annotate,diff,frames,info,ls' && tools.every((t) => t.description && t.inputSchema.type == 'object'), 'the calls', tools)

const call = async (name, args = {}) => client.callTool({ name, arguments: { files: [profile], ...args } })
const printed = (...args) => run(zprof, ...args, profile).out
const text = (r) => r.content[0].text
const brief = await call('brief', { tokens: 300 })
ok(!brief.isError && text(brief) == printed('brief', '--tokens', '300') && text(brief).length <= 300 * 4, 'brief, within its tokens', brief)
for (const [name, words] of [['report', ['report']], ['tree', ['report', '--tree']], ['graph', ['graph']]]) {
	const r = await call(name, { limit: 3, raw: true, thread: 'second' })
	ok(text(r) == printed(...words, '--json', '--limit=3', '--raw', '--thread=second') && JSON.parse(text(r)).schema == 'zprof/1', `${name} is that of --json`, text(r).slice(0, 300))
}
for (const name of ['groups', 'info']) ok(text(await call(name)) == printed(name, '--json'), `${name} is that of --json`)
const rows = JSON.parse(text(await call('report', { func: '*fibonacci*' }))).functions.map((f) => f.name)
ok(rows.join() == 'größe::fibonacci(int)', 'a pattern', rows)
const wrong = await call('report', { func: 'fibonaci' })
ok(wrong.isError && /did you mean/.test(text(wrong)), 'a command that fails says why', wrong)
const gone = await client.callTool({ name: 'info', arguments: { files: ['--help'] } })
ok(gone.isError && /cannot open '.\/--help'/.test(text(gone)), 'a file is never taken for an option', gone)
const refused = async (name, args) => call(name, args).then(() => false, (e) => /-32602/.test(String(e.code) + e.message))
ok((await refused('report', { output: '/tmp/x' })) && (await refused('report', { limit: 'many' })) && (await refused('nothing', {})), 'arguments that are not in the schema are refused')
await client.close()
plan()
