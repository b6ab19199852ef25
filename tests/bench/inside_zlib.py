# SPDX-License-Identifier: MIT
"""The comparisons of inside_zlib.sh, which has made all files in the current folder."""
import bisect, collections, re, subprocess, sys
import shares

ZPROF = sys.argv[1]
DEBIANS = re.search(r"=> (/\S*libz\S*)", subprocess.run(["ldd", "./user"], capture_output=True, text=True).stdout)[1]
DEBIANS_FILE = shares.base(DEBIANS)
known = shares.functions("symbols/libz.so.1")
starts = [start for start, _ in known]


def code(path):
    return subprocess.run(["objcopy", "-O", "binary", "-j", ".text", path, "/dev/stdout"], capture_output=True).stdout


def by_address(recorded, file):
    """perf's samples by function: those in libz by the symbols of our build, others by file."""
    counted = collections.Counter()
    for (path, address), count in shares.perf_addresses(recorded).items():
        inside = shares.base(path) == file
        at = bisect.bisect(starts, address) - 1
        counted[known[at][1] if inside and at >= 0 else f"[{shares.base(path)}]"] += count
    return counted


def by_names(recorded):
    """The same by perf's own names."""
    counted = collections.Counter()
    for name, path in shares.perf_names(recorded):
        inside = shares.base(path) == "libz.so.1"
        counted[name if inside else f"[{shares.base(path)}]"] += 1
    return counted


def by_zprof(profile):
    """zprof's shares, in samples of a millisecond, and its error bars."""
    report = shares.zprof_json(ZPROF, "report", "--below", "--json", "--all", profile)
    time, error = collections.Counter(), collections.Counter()
    for f in report["functions"]:
        name = f["name"].removesuffix(" (sampled)")
        if name.startswith("[kernel]") or name.startswith("[zprof]"):
            continue
        at = re.match(r".*libz[^+]*\+(0x[0-9a-f]+)$", name)
        if at:
            at = bisect.bisect_left(starts, int(at[1], 16))
            name = known[at][1] if at < len(known) else name
        if name not in names_of_zlib:
            name = f"[{shares.base(f['module'])}]" if f["module"] else name
        time[name] += f["self_ns"] / 1e6
        error[name] += f["error_ns"] / 1e6
    return time, error


def judge(title, theirs, profile, with_bars=False):
    time, error = by_zprof(profile)
    count = sum(theirs.values())
    names = [n for n, c in theirs.most_common() if c >= count / 100]
    bars = {n: error[n] / sum(time.values()) for n in names} if with_bars else {}
    return shares.compare(title, theirs, time, names, bars)


names_of_zlib = {name for _, name in known}
good = True
if code("symbols/libz.so.1") == code(DEBIANS):
    debians = by_address("debian.perf", DEBIANS_FILE)
    good &= judge("1  Debian's libz below zones", debians, "debian.zp")
    good &= judge("2  Debian's libz, --sampled", debians, "sampled.zp")
    good &= judge("4  Debian's libz below zones, long calls", by_address("long.perf", DEBIANS_FILE), "long.zp", True)
else:
    print("SKIPPED: Debian's libz is of another compiler: nothing names its static functions")
plain = by_names("symbols.perf")
good &= judge("3  libz with symbols below zones", plain, "symbols.zp")
good &= judge("5  libz with hooks", plain, "hooks.zp", True)
sys.exit(not good)
