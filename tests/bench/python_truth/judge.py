# SPDX-License-Identifier: MIT
# judge.py - compares what perf and zprof say of the Python functions of one program.
#
#   judge.py NAME MAIN ROUNDS [ROWS]
#
# Reads perf.NAME.1 (`perf script -F ip,sym`) and zprof.NAME.1 (`zprof report --json --under`) to those of the last round, and adds the
# rounds up. MAIN is the program's file. A share is of the samples that have its function work_NAME on their stack, so that what the
# interpreter and imports do before is in neither. A sample belongs to the innermost Python function on its stack (self), and once to each
# function from work_NAME on (total). A stack that perf did not follow to the program's start is counted as cut off, and as part of the
# work: its innermost function is known, and those that it would have had further out are not.
#
# A function is known by its file and qualified name, as perf has no lines. The error is three standard deviations of the difference of
# two shares, each of which is binomial.
import collections
import json
import math
import re
import sys

name, main, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
shown = int(sys.argv[4]) if len(sys.argv) > 4 else 5
work = main, f"work_{name}"
BEGINS = {"_start", "__libc_start_main", "__libc_start_main@@GLIBC_2.34", "__libc_start_main_impl", "__libc_start_call_main", "main", "Py_BytesMain"}


class Shares:
    def __init__(self):
        self.count, self.self, self.total = 0, collections.Counter(), collections.Counter()


def stacks(file):
    stack = []
    with open(file) as lines:
        for line in lines:
            if line.strip():
                stack.append(line.split(None, 1)[1].strip() if len(line.split(None, 1)) > 1 else "")
            elif stack:
                yield stack
                stack = []
    if stack:
        yield stack


def read_perf(shares):
    cut = 0
    for i in range(1, rounds + 1):
        for stack in stacks(f"perf.{name}.{i}"):
            found = [re.fullmatch(r"py::(.*?):(/.*|<.*>)", symbol) for symbol in stack]
            functions = [(m[2], m[1]) for m in found if m]
            is_cut = stack[-1] not in BEGINS
            if work in functions:
                del functions[functions.index(work) + 1:]
            elif not (functions and is_cut):
                continue
            cut += is_cut
            shares.count += 1
            shares.self[functions[0]] += 1
            shares.total.update(set(functions))
    return cut


def qualified(full, file):
    parts = re.sub(r"(/__init__)?\.py$", "", file).strip("/").split("/")
    for n in range(len(parts)):
        module = ".".join(parts[n:]) + "."
        if full.startswith(module):
            return full[len(module):]
    return re.sub(r"^(__main__|_frozen_importlib(_external)?)\.", "", full)


def read_zprof(shares):
    for i in range(1, rounds + 1):
        with open(f"zprof.{name}.{i}") as f:
            report = json.load(f)
        python = [f for f in report["functions"] if f.get("group") == "python"]
        samples = sum(f["self_samples"] for f in python)
        whole = sum(f["self_ns"] for f in python)
        shares.count += samples
        for f in python:
            # Rounds are weighed by their samples, as those of perf are.
            key = f["file"], qualified(f["name"], f["file"])
            shares.self[key] += f["self_ns"] / whole * samples
            shares.total[key] += f["total_ns"] / whole * samples


def report(what, perf, zprof):
    rows = []
    for key in set(perf) | set(zprof):
        p, q = perf[key] / truth.count, zprof[key] / ours.count
        if max(p, q) < 0.01:
            continue
        both = min(1, (perf[key] + zprof[key]) / (truth.count + ours.count))
        error = 3 * math.sqrt(both * (1 - both) * (1 / truth.count + 1 / ours.count))
        rows.append((abs(p - q), p, q, error, key))
    rows.sort(reverse=True)
    print(f"{name}, {what}: {len(rows)} functions of 1 % or more, at most {100 * rows[0][0]:.1f} points apart" if rows else f"{name}, {what}: none")
    for _, p, q, error, (file, function) in rows[:shown]:
        print(f"  {100 * p:6.1f} {100 * q:6.1f} {100 * (q - p):+6.1f} +-{100 * error:4.1f}  {function} ({file.rsplit('/', 1)[-1]})")


truth, ours = Shares(), Shares()
cut = read_perf(truth)
read_zprof(ours)
if not truth.count or not ours.count:
    sys.exit(f"judge.py: {name}: {truth.count} samples by perf with Python functions, {ours.count} by zprof")
print(f"{name}: {truth.count} samples by perf, {cut} of them cut off, {ours.count} by zprof\n    perf  zprof  apart  error")
report("self", truth.self, ours.self)
report("total", truth.total, ours.total)
