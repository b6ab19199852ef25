#!/bin/sh
# SPDX-License-Identifier: MIT
# report-below-kernel.sh - --below: the kernel's part by the kernel's functions, where the user may read their names (as root, mostly).
# The names are compared with those that awk finds for the profile's addresses in the kernel's list. No sum changes.
. "${0%/*}/../lib/tap.sh"
here=$(cd "${0%/*}" && pwd)
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2
gcc -O1 -g -finstrument-functions "$here/below_kernel.c" -o below || exit 2
for how in read touch; do
	"$zprof" record --quiet --no-archive -o $how.zp ./below $how || exit 2
done

# Of the records of places in the kernel that belong to the context with most of their time, or to any: addresses and nanoseconds.
places() { # PROFILE [any]
	od -An -v -t x8 -w8 "$1" | awk -v any="${2:-}" '
		function number(hex,   i, n) {
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		{ word[NR - 1] = $1 }
		END {
			for (at = 512; at < NR;) {
				type = substr(word[at], 9)
				if (type == "00000029")
					for (i = at + 8; i < at + number(word[at + 2]) / 8; i += 4) {
						node = substr(word[i], 9)
						all[node] += number(word[i + 3])
						ns[node, word[i + 1]] += number(word[i + 3])
						if (node != "00000000" && all[node] > all[most])
							most = node
					}
				at += type == "00000000" ? 512 : number(word[at + 1]) / 8
			}
			for (i in ns) {
				split(i, part, SUBSEP)
				if (any || part[1] == most)
					print part[2], ns[i]
			}
		}'
}

# The function of each place: nanoseconds, and all names at the address where it begins. Parts of a function (.cold, .isra.0) have its name.
named() { # PROFILE [any]
	{
		sed -n 's/^\([89a-f][0-9a-f]*\) [tTwW] \([^[:space:]]*\).*/\1 A \2/p' /proc/kallsyms
		places "$@" | sed 's/ / P /'
	} | LC_ALL=C sort | awk '
		$2 == "A" && $1 != start { start = $1; names = "" }
		$2 == "A" { sub(/\..*/, "", $3) }
		$2 == "A" && index(names " ", " " $3 " ") == 0 { names = names " " $3 }
		$2 == "P" { ns[start] += $3; of[start] = names }
		END { for (s in ns) printf "%d%s\n", ns[s], of[s] }'
}

# The rows of the kernel below in_kernel: name (? for the row without one) and self ticks.
rows() { # COMMAND... PROFILE
	"$@" | jq -r '.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
		.[] | select(.name // "" | startswith("[kernel]")) | select($by[.parent | tostring].name == "in_kernel") | "\(.name) \(.self_ticks)"' |
		sed 's/^\[kernel\] //; s/^(sampled)/? (sampled)/; s/ (sampled)//' | sort
}

# Whether the functions of a file, with their shares of its sum, are those in the kernel's list for the places of a profile.
as_listed() { # FILE PROFILE [any]
	rows=$1
	shift
	named "$@" >expected
	awk -v whole="$(sum <"$rows")" '
		NR == FNR { all += $1; for (i = 2; i <= NF; i++) ns[$i] += $1; next }
		!($1 in ns) { print $1, "is not in the list"; bad = 1; next }
		{ shown += $2; off = $2 / whole - ns[$1] / all }
		off > 0.001 || off < -0.001 { print $1, "has", $2 / whole, "and not", ns[$1] / all; bad = 1 }
		END { exit bad || shown < 0.99 * whole }' expected "$rows" >wrong
}

sum() { awk '{ sum += $2 } END { printf "%d\n", sum }'; }

# In a mount namespace where the kernel's list is as for a user without rights.
sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >hidden
without() {
	unshare -m sh -c 'mount --bind hidden /proc/kallsyms && exec "$@"' sh "$@"
}

if ! "$zprof" info --json read.zp | grep -q '"sampler":"kernel"'; then
	skip "the kernel's functions" "this user may not sample the kernel here"
	finish
	exit
fi

names=no
grep -q '^[89a-f][0-9a-f]* T' /proc/kallsyms && names=yes
for how in read touch; do
	[ -n "$(places $how.zp)" ]
	tap $? "$how: the profile has places in the kernel"
	rows "$zprof" report --below --tree --json $how.zp >with
	if [ $names = no ]; then
		is "$how: one row, where this user may not read names" '?' "$(sed 's/ .*//' with)"
		continue
	fi
	as_listed with $how.zp
	tap $? "$how: functions, and their shares, are those of the addresses in the kernel's list" || sed 's/^/# /' wrong
	"$zprof" archive -o archive.zp $how.zp && "$zprof" merge -o merged.zp $how.zp
	for of in archive merged; do
		rows "$zprof" report --below --tree --json $of.zp >again
		is "$of of $how: the same rows" "$(sed 's/ .*//' with)" "$(sed 's/ .*//' again)"
		join with again | awk '{ off = $2 - $3; bad += off > 99 || off < -99 } END { exit bad || NR < 2 }'
		tap $? "... and times"
	done
	if ! without true 2>/dev/null; then
		skip "$how: without rights" "no mount namespace here"
		continue
	fi
	rows without "$zprof" report --below --tree --json $how.zp >one
	is "$how: without rights to read the list, there is one row" '?' "$(sed 's/ .*//' one)"
	awk -v one="$(sum <one)" -v all="$(sum <with)" 'BEGIN { exit one - all > 99 || all - one > 99 }'
	tap $? "... with the sum of the rows by name, but for rounding each"
	for of in archive merged; do
		rows without "$zprof" report --below --tree --json $of.zp | join -v1 with - | grep .
		tap $((!$?)) "$of of $how: names are kept"
	done
done

if [ $names = yes ]; then
	for format in callgrind pprof folded csv speedscope firefox cpuprofile dot functions; do
		"$zprof" export --below --format=$format -o out.$format read.zp 2>said
		{ gzip -dc out.$format 2>/dev/null || cat out.$format; } | grep -q '\[kernel\] [a-z_].* (sampled)'
		tap $? "$format" || sed 's/^/# /' said
	done
fi

# ---- sampled from outside

gcc -O1 -g "$here/below_kernel.c" -o bare && "$zprof" record --sampled --quiet -o sampled.zp ./bare touch
if [ $names = yes ] && "$zprof" info --json sampled.zp | grep -q '"sampler":"kernel"'; then
	"$zprof" report --below --json sampled.zp |
		jq -r '.functions[] | select(.name // "" | startswith("[kernel] ")) | "\(.name) \(.self_ticks)"' | sed 's/^\[kernel\] //; s/ (sampled)//' >with
	as_listed with sampled.zp any
	tap $? "--sampled: functions, and their shares, are those of the addresses in the kernel's list" || sed 's/^/# /' wrong
	[ "$(wc -l <with)" -gt 1 ]
	tap $? "... and there are several"
else
	skip "--sampled" "this user may not sample the kernel, or not read its names"
fi

"$zprof" record --quiet --inside=0 -o none.zp ./below read && [ -z "$(places none.zp)" ]
tap $? "--inside=0 keeps no places in the kernel"
finish
