#!/bin/sh
# SPDX-License-Identifier: MIT
# report-below.sh - --below: functions without hooks below those that they ran for. Self times are divided, and no sum changes.
# Each of the program's functions runs for 0.3 s of processor time by its own clock, nearly all of it in one function without hooks.
# A sample comes at least at each tick of the kernel's timer (75 and more), and that none of them is in that function cannot happen.
. "${0%/*}/../lib/tap.sh"
here=$(cd "${0%/*}" && pwd)
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2
gcc -O1 -g -shared -fPIC "$here/below_library.c" -o libbelow.so &&
	gcc -O1 -g -finstrument-functions "$here/below.c" -L. -lbelow -Wl,-rpath,"$PWD" -o below || exit 2
"$zprof" record --quiet -o plain.zp ./below && "$zprof" merge -o merged.zp plain.zp && "$zprof" archive -o archive.zp plain.zp || exit 2

# By function with hooks, the sum of its own self ticks and of those of rows (sampled) directly below it.
selves() { # OPTION... PROFILE
	"$zprof" report --tree --json "$@" | jq -r '.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
		map({name: (if (.name // "" | endswith("(sampled)")) then $by[.parent | tostring].name else .name end), ticks: .self_ticks}) |
		group_by(.name)[] | "\(.[0].name) \(map(.ticks) | add)"'
}

rows() { # FUNCTION OPTION... PROFILE: names of the rows below it
	of=$1
	shift
	"$zprof" report --tree --json --below "$@" | jq -r --arg of "$of" '.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
		.[] | select(.name // "" | endswith("(sampled)")) | select($by[.parent | tostring].name == $of) | .name' | sort
}

for of in plain archive merged; do
	selves $of.zp >without
	selves --below $of.zp >with
	[ -s without ] && diff without with >difference
	tap $? "$of: self times are divided, to the tick"
	sed 's/^/# /' difference
	rows in_library $of.zp | grep -qx 'library_turn (sampled)'
	tap $? "$of: a library's function is below the one that called it"
	rows in_helper $of.zp | grep -qx 'helper (sampled)'
	tap $? "$of: a function of the program without hooks, too"
	! rows in_itself $of.zp | grep -q 'in_itself\|library_turn\|helper'
	tap $? "$of: a function's own samples are its own"
done

"$zprof" report --below --json plain.zp | jq -e '[.functions[] | select(.name // "" | endswith("(sampled)")) | .calls == 0] | all' >/dev/null
tap $? "such rows have no calls"
"$zprof" report --below plain.zp | grep 'library_turn (sampled)' | awk '{ exit !(NF >= 6 && $0 ~ /%|[0-9] ms/ && $0 !~ / 0 +library/) }'
tap $? "the table has no number of calls for them"
"$zprof" graph --below --group sampled plain.zp | grep -q 'library_turn (sampled)'
tap $? "they are in the group 'sampled'"

# ---- a library without symbols, and one that is gone

strip libbelow.so && "$zprof" record --quiet -o stripped.zp ./below 2>said || exit 2
rows in_library stripped.zp | grep -qx 'library_turn (sampled)'
tap $? "stripped: .dynsym names a function"
# the same code, where no symbol names it: .eh_frame tells where it begins
gcc -O1 -g -shared -fPIC -fvisibility=hidden "-Dlibrary_turn(n)=inner_turn(n)" -c "$here/below_library.c" -o inner.o &&
	echo 'unsigned long inner_turn(unsigned long); unsigned long library_turn(unsigned long n) { n = inner_turn(n); __asm__(""); return n + 1; }' >outer.c &&
	gcc -O1 -g -shared -fPIC outer.c inner.o -o libbelow.so || exit 2
start=$(nm libbelow.so | awk '$3 == "inner_turn" { sub(/^0*/, "0x", $1); print $1 }')
strip libbelow.so && "$zprof" record --quiet -o stripped.zp ./below 2>said && "$zprof" archive -o kept.zp stripped.zp || exit 2
row="libbelow.so+$start (sampled)"
rows in_library stripped.zp | grep -qxF "$row"
tap $? "stripped: a function without a name is a row by its offset"
"$zprof" report --below --json stripped.zp | jq -e --arg row "$row" '.functions[] | select(.name == $row) | .after == "library_turn" and .self_samples > 0' >/dev/null
tap $? "... with the nearest function before it that has one"
mv libbelow.so elsewhere.so
rows in_library kept.zp | grep -qxF "$row"
tap $? "an archive has such a row where the library is gone"
rows in_library archive.zp | grep -qx 'library_turn (sampled)'
tap $? "... and the names of others"

# ---- every format has them

for format in callgrind pprof folded csv speedscope firefox cpuprofile dot functions arcs; do
	"$zprof" export --below --format=$format -o out.$format plain.zp 2>said
	{ gzip -dc out.$format 2>/dev/null || cat out.$format; } | grep -q 'library_turn (sampled)'
	tap $? "$format"
	sed 's/^/# /' said
done
"$zprof" html --below -o page.html plain.zp && grep -q 'library_turn (sampled)' page.html
tap $? "the page"

# ---- lines, without --callsites

"$zprof" annotate --json plain.zp >lines 2>/dev/null
loop=$(grep -n 'n = n \* 31' "$here/below.c" | sed -n '2s/:.*//p')
jq -e --argjson line "$loop" '[.. | objects | select(.line? == $line and .own_ns? > 0)] | length > 0' lines >/dev/null
tap $? "annotate: the line of a loop has its own time"

# ---- where there is nothing to divide

mv elsewhere.so libbelow.so
"$zprof" record --quiet --inside=0 -o none.zp ./below && "$zprof" report --below none.zp >said
grep -q 'no rows (sampled)' said && ! grep -q '(sampled)$' said
tap $? "--inside=0: there are no such rows, and the head says so"
finish
