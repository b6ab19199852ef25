# SPDX-License-Identifier: MIT
"""The comparison of sampled.sh: out.perf with out.zp."""
import collections, re, sys
import shares

ZPROF, TITLE = sys.argv[1:]
# Of names of one address, each program chooses another.
LIBC = {"malloc": "__libc_malloc", "cfree": "__libc_free", "free": "__libc_free", "realloc": "__libc_realloc", "calloc": "__libc_calloc"}


def plain(name):
    """A stub, `jv_copy@plt`, is another function than jv_copy; versions and what the compiler adds are left out."""
    name = re.sub(r"(@@?(?!plt)|\.constprop|\.isra|\.part).*", "", name)
    return LIBC.get(name, name)


named, files = collections.Counter(), collections.Counter()
for name, path in shares.perf_names("out.perf"):
    files[shares.base(path)] += 1
    if name != "[unknown]":
        named[f"{plain(name)} {shares.base(path)}"] += 1
ours, our_files, rest = collections.Counter(), collections.Counter(), 0
for f in shares.zprof_json(ZPROF, "report", "--below", "--json", "--all", "out.zp")["functions"]:
    if not f["name"].startswith("[kernel]"):
        file = shares.base(f["module"] or "?")
        ours[f"{f['name'].removesuffix(' (sampled)')} {file}"] += f["self_ns"] / 1e6
        our_files[file] += f["self_ns"] / 1e6
# of a stripped file perf names no static function
named["without a name"] = sum(files.values()) - sum(named.values())
good = shares.compare(TITLE, named, ours, [n for n, _ in named.most_common(11) if n in ours])
good &= shares.compare(f"{TITLE}, by file", files, our_files, [f for f, _ in files.most_common(5)])
sys.exit(not good)
