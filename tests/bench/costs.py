# SPDX-License-Identifier: MIT
"""Runs a program in several ways, one after the other, and prints how their times compare (sampled_cost.sh, any.sh).

    costs.py [--added] NAME KIND:COMMAND... -- PROGRAM ARGUMENT...

A COMMAND is what is put before the program; the first is what the others are compared with. With --added, what they add is
printed, in milliseconds, and no ratio."""
import os, statistics, sys, time

ROUNDS = int(os.environ.get("ROUNDS", 11))


# The program's own times, from inside of the recorded run. (Python here would be recorded, too.)
INSIDE = 'exec 3>cost.times 4>&2; TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&4; } 2>&3'


def run(command, program):
    """(the program's CPU time, that of all processes, the time that passed for all)."""
    before = time.monotonic()
    line = command.split() + ["bash", "-c", INSIDE, "bash", *program]
    pid = os.posix_spawnp(line[0], line, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f"{line}: status {status}")
    return sum(map(float, open("cost.times").read().split())), used.ru_utime + used.ru_stime, time.monotonic() - before


added = sys.argv[1] == "--added"
name, rest = sys.argv[1 + added], sys.argv[2 + added :]
kinds, program = [k.split(":", 1) for k in rest[: rest.index("--")]], rest[rest.index("--") + 1 :]
times = {kind: [] for kind, _ in kinds}
for turn in range(ROUNDS):
    for i in range(len(kinds)):
        kind, command = kinds[(turn + i) % len(kinds)]
        times[kind].append(run(command, program))
first = kinds[0][0]
alone = min(t[0] for t in times[first])
print(f"{name}, {first}: {alone:.3f} s; {ROUNDS} rounds        median   least")
for kind, _ in kinds[1:]:
    for column, what in enumerate(["the program alone", "all processes", "time that passed"]):
        pairs = [(a[column], b[column]) for a, b in zip(times[first], times[kind])]
        apart = (lambda a, b: 1000 * (b - a)) if added else (lambda a, b: b / a)
        median = statistics.median(apart(a, b) for a, b in pairs)
        least = apart(min(a for a, _ in pairs), min(b for _, b in pairs))
        print(f"  {kind:14} {what:18} {median:8.3f} {least:8.3f}{' ms added' if added else ''}", flush=True)
