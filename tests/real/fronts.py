# SPDX-License-Identifier: MIT
"""What fronts.sh compares.

    fronts.py calls REPORT TRUTH ALIASES       TRUTH has lines `FUNCTION CALLS`, with a tab between the two
    fronts.py truth REPORT ARCS JUMPS ANYWHERE ALIASES
                                               ARCS has lines `CALLER CALLEE CALLS`, and ANYWHERE the functions that may jump to any callee
    fronts.py arcs REPORT OTHER JUMPS ALIASES  JUMPS has the functions to which others may jump

REPORT and OTHER are what `zprof graph --json` prints. Functions of one name are taken together; a line of ALIASES has the names of one.
"""
import collections
import json
import re
import sys


ALIASES = {}


def bare(name):
    """The name as tests/real/callgrind_truth.awk writes it: without parameters and the suffixes of clones."""
    if "(anonymous" not in name.split("(")[0] + "(" and not re.match(r"^[^(]*\(anonymous", name):
        name = name[0] + name[1:].split("(")[0]
    name = re.sub(r" \[clone.*", "", name)
    name = re.sub(r"\.(part|cold|constprop|isra|lto_priv)(\.[0-9]+)?.*", "", name)
    return ALIASES.get(name, name)


def read_aliases(path):
    with open(path) as f:
        sets = [sorted(bare(name) for name in line.rstrip("\n").split("\t")) for line in f]
    ALIASES.update((name, names[0]) for names in sets for name in names)


def read(path):
    with open(path) as f:
        told = json.load(f)
    names = {f["id"]: bare(f["name"]) for f in told["functions"]}
    calls, arcs = collections.Counter(), collections.Counter()
    for f in told["functions"]:
        calls[names[f["id"]]] += f["calls"]
    for a in told["arcs"]:
        arcs[names.get(a["caller"], "-"), names[a["callee"]]] += a["calls"]
    return +calls, +arcs


def differing(one, other):
    return sorted(key for key in one.keys() | other.keys() if one[key] != other[key])


def show(what, lines):
    print(what)
    for line in lines[:20]:
        print(" ", line)
    if len(lines) > 20:
        print("  and", len(lines) - 20, "more")


def compare_calls(report, truth):
    calls, _ = read(report)
    told = collections.Counter()
    with open(truth) as f:
        for line in f:
            name, n = line.rstrip("\n").split("\t")
            told[bare(name)] += int(n)
    wrong = differing(calls, told)
    show("%d calls of %d functions, as callgrind counts them" % (sum(told.values()), len(told)),
         ["%s: %d calls, callgrind counts %d" % (f, calls[f], told[f]) for f in wrong])
    return not wrong and bool(told)


def read_names(path):
    with open(path) as f:
        return {bare(line.strip()) for line in f}


def compare_truth(report, told, jumps, anywhere):
    calls, arcs = read(report)
    targets, jumpers = read_names(jumps), read_names(anywhere)
    truth, foreign = collections.Counter(), set()
    with open(told) as f:
        for line in f:
            caller, callee, n = line.rstrip("\n").split("\t")
            caller, callee = bare(caller), bare(callee)
            if callee not in calls:
                continue
            if caller not in calls:
                foreign.add(callee)
                continue
            truth[caller, callee] += int(n)
            if caller in jumpers:
                targets.add(callee)
    wrong, tail, compared = [], [], 0
    for a in sorted(truth.keys() | arcs.keys()):
        exact = a[1] not in foreign
        compared += exact
        if arcs[a] == truth[a] or (not exact and arcs[a] > truth[a]):
            continue
        line = "%s -> %s: %d calls, callgrind counts %d" % (*a, arcs[a], truth[a])
        (tail if a[1] in targets else wrong).append(line)
    show("%d arcs, of which %d with as many calls as callgrind counts%s" % (
        len(arcs), compared - len(tail), ", and %d of functions that others jump to" % len(tail) if tail else ""),
        wrong + ["(tail call) " + line for line in tail])
    return not wrong and bool(arcs)


def compare_arcs(report, other, jumps):
    calls, arcs = read(report)
    calls2, arcs2 = read(other)
    targets = read_names(jumps)
    wrong = ["%s: %d calls, in pairs %d" % (f, calls[f], calls2[f]) for f in differing(calls, calls2)]
    tail = []
    for a in differing(arcs, arcs2):
        line = "%s -> %s: %d calls, in pairs %d" % (*a, arcs[a], arcs2[a])
        (tail if a[1] in targets else wrong).append(line)
    show("%d calls on %d arcs, as with hooks in pairs%s" % (
        sum(arcs.values()), len(arcs), ", but for %d arcs of functions that others jump to" % len(tail) if tail else ""),
        wrong + ["(tail call) " + line for line in tail])
    return not wrong and bool(arcs)


read_aliases(sys.argv[-1])
sys.exit(not {"calls": compare_calls, "truth": compare_truth, "arcs": compare_arcs}[sys.argv[1]](*sys.argv[2:-1]))
