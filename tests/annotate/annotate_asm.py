# SPDX-License-Identifier: MIT
"""
annotate_asm.py PROGRAM ASM LINES - compares `zprof annotate --asm --json` with objdump, with the program's symbols, and with what
`zprof annotate --json` says of lines. Prints a result for each.
"""
import itertools
import json
import re
import subprocess
import sys

program = sys.argv[1]
parts = json.load(open(sys.argv[2]))['code']
files = json.load(open(sys.argv[3]))['files']


numbers = itertools.count(1)


def said(good, what, *why):
    for line in [] if good else why:
        print('#', line)
    print('%s %d - %s' % ('ok' if good else 'not ok', next(numbers), what))


def part(name, within=None):
    return next(p for p in parts if p['name'] == name and p['part'] == within)


symbols = {}
for line in subprocess.run(['nm', program], capture_output=True, text=True, check=True).stdout.split('\n'):
    words = line.split()
    if len(words) == 3:
        symbols[words[2]] = int(words[0], 16)

# ---- where instructions are, and what they call

wrong, seen, calls = [], 0, 0
for p in parts:
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '--start-address=%d' % p['address'],
                           '--stop-address=%d' % (p['address'] + p['bytes']), program],
                          capture_output=True, text=True, check=True).stdout
    theirs = re.findall(r'^ +([0-9a-f]+):\t(.*?)\s*$', text, re.M)
    ours = p['instructions']
    if [int(a, 16) for a, _ in theirs] != [i['address'] for i in ours]:
        wrong.append('%s: other addresses' % p['name'])
        continue
    seen += len(ours)
    for (address, their), our in zip(theirs, ours):
        # AT&T's suffixes are optional: call and callq, ret and retq are the same.
        a, b = their.split()[0], our['text'].split()[0]
        if not re.match(r'(nop|data16|cs$|xchg|\(bad\))', a) and a.rstrip('bwlq') != b.rstrip('bwlq'):
            wrong.append('%s: %s, not %s' % (address, our['text'], their))
        called = re.search(r'^call.*<(.*)>', their)
        if called:
            calls += 1
            if '<%s>' % called[1] not in our['text']:
                wrong.append('%s: %s, not %s' % (address, our['text'], their))
said(not wrong and seen > 40 and calls >= 10, 'instructions are those of objdump', '%d instructions, %d calls' % (seen, calls), *wrong)

# ---- samples

by_line = {}
for p in parts:
    for i in p['instructions']:
        if i['own_ns'] is not None:
            by_line[i['line']] = by_line.get(i['line'], 0) + i['own_ns']
wrong = []
for f in files:
    for line in f['lines']:
        if line['own_ns'] is not None and abs(by_line.pop(line['line'], 0) - line['own_ns']) > 1e-6 * line['own_ns']:
            wrong.append('line %d has %g ns' % (line['line'], line['own_ns']))
said(not wrong and not by_line, 'the instructions of a line have the samples of the line', *wrong, by_line)

# The loop's instructions run 50 million times each, and all others once.
most = max(part('hot')['instructions'], key=lambda i: i['own_ns'] or 0)
said(symbols['hot_begin'] <= most['address'] <= symbols['hot_end'], 'the instructions of a loop have most of the samples', most)
whole = sum(i['own_ns'] or 0 for p in parts if p['name'] == 'through' for i in p['instructions'])
within = sum(i['own_ns'] or 0 for i in part('through', 'unseen')['instructions'])
said(within > whole / 2, 'time in a function without hooks is in its instructions', within, whole)

# ---- calls

made = {}
for p in parts:
    for i in p['instructions']:
        called = re.search(r'<(.*)>', i['text'])
        if i['calls']:
            made[(p['name'], called and called[1])] = made.get((p['name'], called and called[1]), 0) + i['calls']
expected = {('hot', 'leaf'): 20, ('through', 'leaf'): 10, ('main', 'hot'): 10, ('main', 'through'): 10}
said(made == expected, 'calls stand at the instructions that made them', made)
