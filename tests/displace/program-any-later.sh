#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any-later.sh - libraries that the program loads while it runs (later.c): their functions are recorded from then on, if the process
# has one thread, whatever is closed and loaded again at whichever address. Otherwise reports say that such a library was there.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd) zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" && mkdir plans || exit 1
export XDG_CACHE_HOME="$PWD/cache"
g++ -w -O1 -fno-optimize-sibling-calls -fPIC -shared "$root/tests/displace/later_plugin.cc" -o plugin.so &&
	g++ -w -O1 -fno-optimize-sibling-calls -fPIC -shared -DPLUGGED=other -DWITHIN=inside "$root/tests/displace/later_plugin.cc" -o other.so &&
	gcc -w -O1 -fno-optimize-sibling-calls -pthread -I"$root" "$root/tests/displace/later.c" -o later -ldl -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD" || exit 1
"$ZPROF_BUILD/tests/make_plan" plans later >planned || exit 1

run() { # WAY [OPTIONS [FILE...]]
	way=$1 options=${2:-}
	[ $# -lt 2 ] || shift
	shift
	rm -f out*
	check=,check=1
	[ "$way" != off ] || check= # main() had begun before
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=plans=plans,output=out$check$options ./later "$way" "$@" >printed 2>said
	is "$way$options: the program's result is right" 0 $?
	is "$way$options: nothing is printed for it" "" "$(cat said)"
	"$zprof" info --width=0 out >info 2>said
	is "$way$options: no caller is wrong, and none is guessed" 0 "$(grep -c 'wrong caller\|did not agree\|had to be guessed' info)"
}
tree() { # FILE: `CALLS PATH` of contexts, without those of later.c that have no part in it, in order of paths
	"$zprof" report --tree --json "$1" 2>>said | jq -r '.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
		def path: if .parent == null or $by[.parent | tostring] == null then .name else ($by[.parent | tostring] | path) + "/" + .name end;
		.[] | select(.name) | "\(.calls) \(path)"' | grep '[^0-9]use' | sed 's/main\///' | sort -k2
}
noted() { sed -n "s/^  note  .*$1.*: \([0-9]*\)\$/\1/p" info; }
all='1 use
1000 use/plugged
2000 use/plugged/within
2000 use/plugged/within/called'

run load
is "its functions are counted, below the caller of each, and exceptions pass" "$all" "$(tree out)"
is "a note says how many functions these are" 3 "$(noted 'of libraries that the program loaded')"
is "no library is left as it is, but for those of the run time" "" "$(noted 'when the program had started')"
run reload
is "closed and loaded again, it is counted on" "$(echo "$all" | sed 's/^1 /601 /; s/^1000/2200/; s/^2000/4400/')" "$(tree out)"
is "areas of trampolines that are not needed go" 2 "$(cat printed)"
run replace '' ./plugin.so ./other.so
is "another library comes to its addresses" 1 "$(sed 's/[0-9a-f]\{3\}$//' printed | sort -u | wc -l)"
is "each is counted by its own names" "2 use
1000 use/other
2000 use/other/inside
2000 use/other/inside/called
1000 use/plugged
2000 use/plugged/within
2000 use/plugged/within/called" "$(tree out)"
run thread
is "not recorded if the process has a thread" "1 use
2000 use/called" "$(tree out)"
[ "$(noted 'when the program had started')" -gt 0 ]
tap $? "that is said"
run fork
is "in a forked child, too" "$all" "$(tree out.*)"
run off ,start=off
is "if nothing is recorded meanwhile, it is when recording begins" "$all" "$(tree out)"
run load ',only=main use within called'
is "--only chooses among its functions" "1 use
2000 use/within
2000 use/within/called" "$(tree out)"

# ---- libraries that are left as they are
cp plugin.so liblua5.4.so.0
run load '' ./liblua5.4.so.0
is "an interpreter that an adapter records" "1 use
2000 use/called" "$(tree out)"
is "that is no loss" "" "$(noted 'when the program had started')"
objcopy --remove-section=.note.gnu.build-id plugin.so without.so
run load '' ./without.so
is "a library without a build-id" 1 "$(noted 'when the program had started')"
XDG_CACHE_HOME=/dev/null
run load
is "a library whose plan cannot be kept" 1 "$(noted 'when the program had started')"
finish
