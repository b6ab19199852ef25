#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled.sh - `zprof record --sampled` beside `perf record`, of gawk, jq and Lua as Debian has them, 1,000 samples a second each. Prints
# the shares of those of the ten functions that perf finds most often which both name, and of each file that is mapped. The status is 1 if one is further
# apart than 3 points, the kernel's share (perf charges it to no function) and the sampling error. That error is 6 standard deviations of the difference of two shares, each of which is
# binomial: for one comparison it is exceeded once in 5 * 10^8, and for the 45 of this script once in 10^7.
#
#   tests/bench/sampled.sh BUILD
build=$(cd "${1:?usage: tests/bench/sampled.sh BUILD}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
command -v perf >/dev/null 2>&1 || { echo "SKIPPED: there is no perf (linux-perf)" >&2; exit 0; }
python3 -c 'import json; json.dump([{"a": i, "b": ["x" * (i % 20), i * 1.5]} for i in range(400000)], open("data.json", "w"))'
failed=0

# compare NAME PROGRAM...
compare() {
	name=$1
	shift
	command -v "$1" >/dev/null 2>&1 || { echo "SKIPPED: there is no $1" >&2; return; }
	perf record -q -e task-clock -c 1000003 -o out.perf -- "$@" >/dev/null 2>&1 || { echo "SKIPPED: perf is refused" >&2; return; }
	perf script -i out.perf -F ip,sym,dso 2>/dev/null >samples
	"$build/zprof" record --quiet --force --sampled -o out.zp "$@" >/dev/null 2>&1
	"$build/zprof" report --json out.zp 2>/dev/null >report.json
	python3 - "$name" <<-'END' || failed=1
		import collections, json, math, os, re, sys
		named, files, count = collections.Counter(), collections.Counter(), 0
		for line in open("samples"):
		    found = re.match(r"\s*[0-9a-f]+ (.*) \((.*)\)$", line)
		    if not found: continue
		    count += 1
		    inside = "kernel" in found[2] or found[2] == "[unknown]"
		    file = "[kernel]" if inside else os.path.basename(os.path.realpath(found[2])) if found[2][0] == "/" else found[2]
		    files[file] += 1
		    name = re.sub(r"(@|\.constprop|\.isra|\.part).*", "", found[1])
		    name = {"malloc": "__libc_malloc", "cfree": "__libc_free", "free": "__libc_free", "realloc": "__libc_realloc", "calloc": "__libc_calloc"}.get(name, name)
		    if not inside and name != "[unknown]": named[name, file] += 1
		report = json.load(open("report.json"))
		samples = report["times"]["samples"]
		ours, our_files = collections.Counter(), collections.Counter()
		for f in report["functions"]:
		    file = os.path.basename(os.path.realpath(f["module"])) if f["module"] and f["module"][0] == "/" else f["module"]
		    ours[f["name"], file] += f["self_samples"]
		    our_files[file] += f["self_samples"]
		print(f"{sys.argv[1]}: {count} samples by perf, {samples} by zprof\n  perf  zprof  apart  bound")
		bad = False
		kernel = files.pop("[kernel]", 0)
		# of names of one address, each program chooses another
		rows = [(n, named[n], ours[n]) for n, _ in named.most_common(10) if n in ours]
		rows += [(("", f), n, our_files[f]) for f, n in files.most_common(5)]
		for (name, file), theirs, own in rows:
		    p, q = theirs / count, own / samples
		    # what zprof charges to a function while the kernel works for it, perf charges to the kernel
		    both = (theirs + own) / (count + samples)
		    bound = 0.03 + 6 * math.sqrt(both * (1 - both) * (1 / count + 1 / samples)) + kernel / count
		    wrong = abs(p - q) > bound
		    bad |= wrong
		    print(f"{100*p:6.1f} {100*q:6.1f} {100*(q-p):+6.1f} {100*bound:6.1f}  {name} {file}{'  TOO FAR' if wrong else ''}")
		sys.exit(bad)
	END
}
compare gawk gawk 'BEGIN { for (i = 0; i < 6000000; i++) a[i % 1000] += length(i "x"); print a[3] }'
compare Lua lua5.4 -e 'local t = {} for i = 1, 6000000 do t[i % 1000] = (t[i % 1000] or 0) + #tostring(i) end print(t[3])'
compare jq jq -c 'map(.a * 2) | add' data.json
exit $failed
