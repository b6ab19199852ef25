#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// ordering.mjs - lld puts functions that call each other side by side, and a large program touches fewer pages as it starts.
import { writeFileSync } from 'node:fs'
import { build, ok, plan, root, run } from '../viewers/viewers.mjs'

const zprof = `${build}/zprof`
writeFileSync('large.c', run('awk', '-f', `${root}/tests/export/large.awk`).out)
run('gcc', '-O1', '-g', '-finstrument-functions', 'large.c', '-o', 'recorded')
run('gcc', '-O1', '-ffunction-sections', '-c', 'large.c')
const link = (to, ...flags) => run('gcc', '-fuse-ld=lld', ...flags, 'large.o', '-o', to)
run('env', 'ZPROF_OPTIONS=output=large.out', `LD_PRELOAD=${build}/libzprof.so`, './recorded')
const wrote = run(zprof, 'export', '--format=ordering', '-o', 'order', 'large.out')
ok(wrote.status == 0 && wrote.said == '', 'written without a message', wrote)
link('plain')
const linked = link('ordered', '-Wl,--call-graph-ordering-file=order')
ok(linked.status == 0 && linked.out + linked.said == '', 'lld reads it without a warning', linked.said)

const faults = (program) => Math.min(...[1, 2, 3, 4, 5].map(() => Number(run(program).out)))
const plain = faults('./plain'), ordered = faults('./ordered')
console.log(`# page faults until the end of main: ${plain}, ordered ${ordered}`)
ok(ordered > 0 && ordered <= plain * 0.9, 'a tenth fewer page faults, or better', plain, ordered)

// Side by side: all functions that ran, f0 f16 f32 ..., lie in as many bytes as they have.
const at = run('nm', 'ordered').out.split('\n').map((l) => l.split(' ')).filter(([, , name]) => /^f\d+$/.test(name) && name.slice(1) % 16 == 0)
const first = at.map(([a]) => parseInt(a, 16)).sort((a, b) => a - b)
const stride = (first.at(-1) - first[0]) / (first.length - 1)
ok(first.length == 125 && stride < 1500, 'the functions that ran lie side by side', first.length, stride)
plan()
