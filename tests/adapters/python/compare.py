# SPDX-License-Identifier: MIT
# compare.py - compares the calls of a profile with those that count.py counted.
#
#   zprof report --json --full-names --all FILE | python3 compare.py COUNTS PATTERN
#
# Compares the functions whose files match PATTERN, a regular expression, and prints how they differ; else how many there are, and how
# many calls. Functions with one name on one line are added up, as the two differ in how they tell them apart.
import collections
import json
import re
import sys

counted, recorded = collections.Counter(), collections.Counter()
with open(sys.argv[1]) as f:
    for line in f:
        calls, rest = line.rstrip("\n").split(" ", 1)
        file, at, name = re.fullmatch(r"(.*?) (\d+) (.+)", rest).groups()
        counted[file, int(at), name.rpartition(".")[2]] += int(calls)
for f in json.load(sys.stdin)["functions"]:
    if f.get("group") == "python":
        recorded[f["file"], f["line"], f["name"].rpartition(".")[2]] += f["calls"]
chosen = sorted(k for k in set(counted) | set(recorded) if re.search(sys.argv[2], k[0]))
different = [k for k in chosen if counted[k] != recorded[k]]
for key in different:
    print(*key, "counted:", counted[key], "recorded:", recorded[key])
if not different:
    print(len([k for k in chosen if counted[k]]), sum(counted[k] for k in chosen))
