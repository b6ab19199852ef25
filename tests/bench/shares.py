# SPDX-License-Identifier: MIT
"""Shares of samples by perf and by zprof, and how far apart chance may put them. Imported by the scripts of tests/bench/ that compare the two.

Both kinds of share are of the samples in the program and its libraries. Samples in the kernel are left out on both sides: how many there
are depends on what else the machine does.

The bound of a row is 6 standard deviations of the difference of two shares, each of which is binomial: chance exceeds it once in 5 * 10^8
comparisons. What is added to that is said by the script that adds it, and stands in the table.
"""
import collections, json, math, os, re, subprocess


def base(path):
    """The file's name, links followed: `libz.so.1` and `libz.so.1.2.13` are one file."""
    return os.path.basename(os.path.realpath(path)) if path.startswith("/") else path


def segments(path):
    """(offset in the file, address) of the segments with code."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout
    rows = re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E", text)
    return [(int(offset, 16), int(address, 16), int(size, 16)) for offset, address, size in rows]


def perf_addresses(recorded):
    """perf's samples outside of the kernel: how many lie at each (path, address in the file's own terms)."""
    text = subprocess.run(["perf", "script", "-i", recorded, "-F", "pid,ip", "--show-mmap-events"], capture_output=True, text=True).stdout
    maps, known, counted = [], {}, collections.Counter()
    for line in text.splitlines():
        found = re.search(r"PERF_RECORD_MMAP2? .*\[(0x\w+)\((0x\w+)\) @ (0x\w+|0) .*\]: r-xp (/.*)$", line)
        if found:
            maps.append((int(found[1], 16), int(found[2], 16), int(found[3], 16), found[4]))
            continue
        found = re.match(r"\s*\d+\s+([0-9a-f]+)\s*$", line)
        if not found or int(found[1], 16) >> 63:
            continue
        ip = int(found[1], 16)
        for start, size, offset, path in reversed(maps):
            if start <= ip < start + size:
                at = ip - start + offset
                for begin, address, length in known.setdefault(path, segments(path)):
                    if begin <= at < begin + length:
                        counted[path, at - begin + address] += 1
                break
        else:
            counted["?", ip] += 1
    return counted


def perf_names(recorded):
    """perf's own name, and the path of the file, of each sample outside of the kernel."""
    text = subprocess.run(["perf", "script", "-i", recorded, "-F", "ip,sym,dso"], capture_output=True, text=True).stdout
    found = re.findall(r"^\s*([0-9a-f]+) (.*) \((.*)\)$", text, re.M)
    return [(name, path) for ip, name, path in found if not int(ip, 16) >> 63]


def functions(path):
    """Functions of a file by nm: sorted (start, name), each reaching to the next."""
    text = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True).stdout
    return sorted((int(row[0], 16), row[2]) for row in map(str.split, text.splitlines()) if row[1] in "tTiW")


def zprof_json(zprof, *arguments):
    run = subprocess.run([zprof, *arguments], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"zprof {' '.join(arguments)}: {run.stderr}")
    return json.loads(run.stdout)


def compare(title, theirs, ours, names, added=None):
    """Prints rows of perf's counts beside zprof's (name -> number of samples, not of one kind alone). False: a row is too far apart.

    ADDED: by name, a share by which a row may be further apart than chance puts it."""
    count, samples = sum(theirs.values()), sum(ours.values())
    if not count or not samples:
        print(f"{title}: there are no samples")
        return False
    print(f"{title}: {count} samples by perf, {samples:.0f} by zprof\n  perf  zprof  apart  bound")
    good = True
    for name in names:
        p, q = theirs[name] / count, ours[name] / samples
        both = (theirs[name] + ours[name]) / (count + samples)
        bound = 6 * math.sqrt(both * (1 - both) * (1 / count + 1 / samples)) + (added or {}).get(name, 0)
        wrong = abs(p - q) > bound
        good &= not wrong
        print(f"{100*p:6.1f} {100*q:6.1f} {100*(q-p):+6.1f} {100*bound:6.1f}  {name}{'  TOO FAR' if wrong else ''}")
    return good
