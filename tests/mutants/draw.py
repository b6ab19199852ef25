# SPDX-License-Identifier: MIT
"""
draw.py - draws one-line changes of preload/ and report/core/ by a seed. Each change is a fault that somebody might make: another
relation, an operator of arithmetic, a constant off by one, a negated condition, a statement, a barrier or a return that is different.

Lines are chosen by their text alone. So this file never promises that a change compiles, or changes what the compiler makes of the
line: tests/mutants/run finds that out, and does not count such a change.

Where a line stands in the draw depends on its path, its text and the seed, not on other lines. So as the code changes, most of what is
drawn stays, and what was found about it.
"""
import collections
import hashlib
import random
import re
import subprocess

Mutant = collections.namedtuple('Mutant', 'side path line kind before after')

# What is never changed: assertions of the compiler, and calls that reach other processes of the machine.
LEFT_ALONE = re.compile(r'_Static_assert|\bkill\(|__attribute__|\basm\b')

SWAPPED = [
    ('relational', [(' < ', ' <= '), (' <= ', ' < '), (' > ', ' >= '), (' >= ', ' > '), (' == ', ' != '), (' != ', ' == ')]),
    ('arithmetic', [(' + ', ' - '), (' - ', ' + '), (' * ', ' / '), (' / ', ' * '), (' % ', ' / '), (' & ', ' | '), (' | ', ' & '),
                    (' << ', ' >> '), (' >> ', ' << '), (' += ', ' -= '), (' -= ', ' += '), ('++', '--'), ('--', '++')]),
    ('logical', [(' && ', ' || '), (' || ', ' && ')]),
    ('truth', [('true', 'false'), ('false', 'true')]),
]
BARRIER = re.compile(r'^\t+(cpu_barrier|cpu_[a-z_]*barrier|__atomic_(thread|signal)_fence)\(.*\);$')
STATEMENT = re.compile(r'^(\t+)(\*?[A-Za-z_][\w\->.\[\]]* (?:[-+|&]?=) .*|(?:\+\+|--)?[A-Za-z_][\w\->.\[\]]*(?:\+\+|--)?|[a-z_]\w*\(.*\)|break|continue|goto \w+);$')


def mutant_id(m):
    """A name that stays while the line does, wherever the line stands in its file."""
    return hashlib.sha256('\0'.join((m.path, m.before.strip(), m.after.strip())).encode()).hexdigest()[:10]


def code_lines(text):
    """Yields (number, line) of lines within functions, without those that hold a comment, a string or a directive."""
    comment = False
    before = ''
    for number, line in enumerate(text.split('\n'), 1):
        bare = line.strip()
        if comment or bare.startswith('/*'):
            comment = '*/' not in line
            continue
        complete = before.endswith((';', '{', '}', ':')) or not before
        if bare:
            before = bare
        if line.startswith('\t') and not re.search(r'["\'\\]|/\*|//|^\s*#', line) and not LEFT_ALONE.search(line):
            yield number, line, complete


def closing(line, at):
    """Where the parenthesis at AT ends, or -1."""
    depth = 0
    for i in range(at, len(line)):
        depth += (line[i] == '(') - (line[i] == ')')
        if not depth:
            return i
    return -1


def changes(line, complete):
    """All (kind, changed line) of a line."""
    found = []
    for kind, pairs in SWAPPED:
        for old, new in pairs:
            word = r'\b%s\b' % old if old.isalpha() else re.escape(old)
            for m in re.finditer(word, line):
                found.append((kind, line[:m.start()] + new + line[m.end():]))
    for m in re.finditer(r'(?<![\w.])(\d+)(?=[uUlL]*\b)(?![.x])', line):
        for by in (1, -1):
            value = int(m[1]) + by
            if value >= 0:
                found.append(('constant', line[:m.start()] + str(value) + line[m.end():]))
    m = re.search(r'\b(if|while) \(', line)
    end = closing(line, m.end() - 1) if m else -1
    if end > 0:
        found.append(('negated', line[:m.end()] + '!(' + line[m.end():end] + ')' + line[end:]))
    m = STATEMENT.match(line)
    if m and complete:
        found.append(('barrier' if BARRIER.match(line) else 'deleted', m[1] + ';'))
    m = re.match(r'^(\t+)return (.+);$', line)
    if m and m[2] not in ('true', 'false', '0'):
        found.append(('returned', m[1] + 'return 0;'))
        found.append(('returned', '%sreturn !(%s);' % (m[1], m[2])))
    m = re.search(r'__ATOMIC_(ACQUIRE|RELEASE|SEQ_CST|ACQ_REL)', line)
    if m:
        found.append(('barrier', line[:m.start()] + '__ATOMIC_RELAXED' + line[m.end():]))
    return [(kind, after) for kind, after in found if after != line]


def draw_side(root, side, seed):
    """All lines of a folder that can be changed, in the seed's order, each with one change."""
    files = subprocess.run(['git', 'ls-files', side + '*.c', side + '*.h'], cwd=root, capture_output=True, text=True, check=True)
    # An adapter is built against its interpreter; the made-up clock and the model's view of tracks are of the tests.
    files = [f for f in files.stdout.split() if not re.search(r'adapters/|iprof|tick_fake|track/sound', f)]
    lines = {} # of lines with the same text, a file's first one
    for path in files:
        with open('%s/%s' % (root, path)) as file:
            for number, line, complete in code_lines(file.read()):
                found = changes(line, complete)
                place = '\0'.join((seed, path, line))
                if found:
                    lines.setdefault(hashlib.sha256(place.encode()).hexdigest(), (path, number, line, found))
    for place in sorted(lines):
        path, number, line, found = lines[place]
        rnd = random.Random(place)
        kind = rnd.choice(sorted({k for k, _ in found}))
        yield Mutant(side, path, number, kind, line, rnd.choice([after for k, after in found if k == kind]))


def draw(root, seed, wanted):
    """So many mutants, of both folders in turn."""
    sides = [draw_side(root, 'preload/', seed), draw_side(root, 'report/core/', seed)]
    return [next(sides[i % 2]) for i in range(wanted)]
