#!/bin/sh
# SPDX-License-Identifier: MIT
# report-chains.sh - inside=stack: below a function, functions without hooks stand below their callers. No sum changes.
# Each of the program's two functions runs for 0.1 s of processor time by its own clock, nearly all of it in one function without hooks. A
# sample comes at least at each tick of the kernel's timer (10 and more), and that none of them is in that function cannot happen. The frames
# from there to the zone are in the copy of the first thread's stack: in the library they have less than 128 bytes, in the C library less than
# 1,000. But a user who is not root may have used up the memory for samples in other tests, and then gets a shorter copy, or none: the report
# must then count samples that were not followed.
. "${0%/*}/../lib/tap.sh"
here=$(cd "${0%/*}" && pwd)
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2
gcc -O1 -g -shared -fPIC "$here/chains_library.c" -o libchains.so || exit 2

record() { # NAME RECORD_OPTION FLAG...
	name=$1
	option=$2
	shift 2
	gcc -O1 -g "$here/chains.c" "$@" -L. -lchains -Wl,-rpath,"$PWD" -o "$name" &&
		"$zprof" record --quiet --inside=stack "$option" -o "$name.zp" "./$name" || exit 2
}

# By function with hooks, the sum of its own self ticks and of those of the rows (sampled) anywhere below it: up to the next function with hooks.
owners='.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
	def sampled: .name // "" | endswith("(sampled)");
	def owner: if sampled then $by[.parent | tostring] | owner else . end;
	def way: if sampled then ($by[.parent | tostring] | way) + ">" + .name else .name // "" end;'

selves() { # OPTION... PROFILE
	"$zprof" report --tree --json "$@" | jq -r "$owners"' map({name: (owner | .name), ticks: .self_ticks}) |
		group_by(.name)[] | "\(.[0].name) \(map(.ticks) | add)"'
}

ways() { # PROFILE: of each row (sampled) with a self time, the names from the function with hooks down
	"$zprof" report --tree --json --below "$1" | jq -r "$owners"' .[] | select(sampled and .self_ticks > 0) | way' | sort -u
}

found() { # NAME PATTERN
	grep -q "$2" ways || { [ "$(id -u)" -ne 0 ] && "$zprof" report "$1.zp" | grep -q 'samples whose stack could not be'; }
}

check() { # NAME
	selves "$1.zp" >without
	selves --below "$1.zp" >with
	[ -s without ] && diff without with >difference
	tap $? "$1: self times are divided among the rows of chains, to the tick"
	sed 's/^/# /' difference
	ways "$1.zp" >ways
	found "$1" '^in_library>outer (sampled)>middle (sampled)>leaf (sampled)$'
	tap $? "$1: each function of the library stands below its caller, up to the function with hooks"
	found "$1" '^sorts>.*(sampled)>compare (sampled)$'
	tap $? "$1: a comparison stands below the C library's function that called it"
	! grep -v '^[a-z_]*>' ways
	tap $? "$1: each chain begins at a function with hooks"
	sed 's/^/# /' ways
}

record calls --clock=count -finstrument-functions
check calls
record exact --clock=exact -finstrument-functions
check exact
if [ "$(uname -m)" = x86_64 ]; then
	record fentry --clock=count -pg -mfentry -minstrument-return=call -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD"
	check fentry
	record entries --clock=count -pg -mfentry
	check entries
fi

ways calls.zp >ways
"$zprof" merge -o merged.zp calls.zp && "$zprof" archive -o archive.zp calls.zp || exit 2
for of in merged archive; do
	ways $of.zp | diff ways - >difference
	tap $? "$of: the same chains"
	sed 's/^/# /' difference
done

# ---- what exports say

"$zprof" export --below --format=folded -o out.folded calls.zp && sed 's/;/>/g; s/ [0-9]*$//; s/.*>in_library/in_library/' out.folded >ways &&
	found calls '^in_library>outer (sampled)>middle (sampled)>leaf (sampled)$'
tap $? "folded: a line has the whole chain"
"$zprof" export --below --format=callgrind -o out.callgrind calls.zp && grep -q "^desc: Calls: not counted of functions '(sampled)'" out.callgrind
tap $? "callgrind: it says that calls are not counted"
"$zprof" export --below --format=pprof -o out.pprof calls.zp && gzip -dc out.pprof | grep -aq "calls of functions '(sampled)' are not counted"
tap $? "pprof: it says so, too"
"$zprof" html --below -o page.html calls.zp && cp page.html ways && found calls 'middle (sampled)'
tap $? "the page has callers that have no self time"

# ---- without the option

"$zprof" record --quiet -o plain.zp ./calls && ways plain.zp >ways
grep -qx 'in_library>leaf (sampled)' ways && ! grep '>.*>' ways
tap $? "without the option, rows stand directly below the function"
"$zprof" record --quiet --inside=2 -o bad.zp ./calls 2>said
[ $? -eq 2 ] && grep -q 'inside is 0, 1 or stack' said
tap $? "another value is refused"
sed 's/^/# /' said
finish
