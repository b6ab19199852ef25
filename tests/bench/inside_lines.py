# SPDX-License-Identifier: MIT
"""The comparisons of inside_lines.sh, which has made all files in the current folder."""
import collections, os, subprocess, sys
import shares

ZPROF, FILES = sys.argv[1], ("sqlite3.c", "shell.c")
AROUND = 4  # lines


def by_perf():
    """perf's samples in the program by line, as addr2line names it: of inlined code, where that was written. Code of no line is left out."""
    program, counted = os.path.realpath("sqlite-plain/sqlite"), collections.Counter()
    at = {a: n for (path, a), n in shares.perf_addresses("lines.perf").items() if path == program}
    asked = "\n".join(f"{address:#x}" for address in at)
    said = subprocess.run(["addr2line", "-e", program], input=asked, capture_output=True, text=True).stdout.splitlines()
    for count, place in zip(at.values(), said, strict=True):
        name, line = place.split(" ")[0].rsplit(":", 1)
        if os.path.basename(name) in FILES and line.isdigit() and line != "0":
            counted[f"{os.path.basename(name)}:{line}"] += count
    return counted


def by_zprof(profile):
    """zprof's own times of lines, in samples of a millisecond, and their error bars."""
    page = shares.zprof_json(ZPROF, "annotate", "--json", profile)
    time, error = collections.Counter(), collections.Counter()
    for file in page["files"]:
        for line in file["lines"]:
            if os.path.basename(file["file"]) in FILES and line["own_ns"]:
                place = f"{os.path.basename(file['file'])}:{line['line']}"
                time[place] += line["own_ns"] / 1e6
                error[place] += line["own_error_ns"] / 1e6
    return time, error


def around(counted, names):
    """The sums of NAMES' lines with those around them. A name whose lines are in another's sum is left out; the rest is of no name."""
    sums, seen = collections.Counter(), set()
    for name in names:
        file, line = name.split(":")
        lines = [f"{file}:{n}" for n in range(int(line) - AROUND, int(line) + AROUND + 1)]
        if not seen & set(lines):
            seen |= set(lines)
            sums[name] = sum(counted[n] for n in lines)
    sums["elsewhere"] = sum(counted.values()) - sum(sums.values())
    return sums


def judge(title, theirs, profile, with_hooks):
    time, error = by_zprof(profile)
    names = [n for n, _ in theirs.most_common(10)]
    names += [n for n, _ in time.most_common(10) if n not in names]
    if with_hooks:
        theirs, time, error = around(theirs, names), around(time, names), around(error, names)
        names = [n for n in theirs if n != "elsewhere"]
    bars = {n: error[n] / sum(time.values()) for n in names} if with_hooks else {}
    return shares.compare(title, theirs, time, names, bars)


plain = by_perf()
good = judge("1  plain, --sampled", plain, "lines-sampled.zp", False)
good &= judge("2  with hooks, lines with those around them", plain, "lines-hooks.zp", True)
sys.exit(not good)
