#!/bin/sh
# SPDX-License-Identifier: MIT
# report-left-alone.sh - functions that --any left alone: a report says how many, and how much of the time samples found in them. Here
# profiles are made up, so each number is exact; tests/displace/program-any-refused.sh has programs.
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2

# The function of bytes 0x100 to 0x13f is refused, and has a part at 0x800; so is the one at 0x300. Address 0x140 is the next function's.
head='clock tsc 1000000000
mode count
sampler 1
command ./prog
module 1 /nowhere/prog 0x10000 0x20000 0x10000
module 2 /nowhere/lib.so 0x30000 0x40000 0x30000'
refused='refused @1+0x300 0x20
refused @1+0x100 0x40
refused @1+0x800 0x10 part'
main='thread 1 main 1
  @1+0x40 10 0'

made() { # NAME LINE...
	name=$1
	shift
	printf '%s\n' "$head" "$@" | "$ZPROF_BUILD/tests/make_profile" "$name" || exit 2
}
said() { # FILE OPTION...
	"$zprof" report --width=0 "$@" 2>/dev/null | sed -n 's/^note: \(.* left alone, .*\)/\1/p'
}
numbers() { # FILE OPTION...
	"$zprof" report --json "$@" 2>/dev/null | jq -c '.refused | [.functions, .sampled_ns / 1e6, .of_ns / 1e6, .at_least]'
}
why="because no jump can be placed safely"

made some.zp "$refused" "$main" 'seen 80 20 0 1000000' 'at @1+0x100 10 10000000' 'at @1+0x13f 8 8000000' 'at @1+0x140 32 32000000' \
	'at @1+0xff 20 20000000' 'at @1+0x805 3 3000000' 'at @1+0x120 7 7000000 kernel' 'at @2+0x100 20 20000000'
is "the share is that of addresses in the functions, with their parts, and calls of the kernel" \
	"2 functions were left alone, $why: 28.0 % of the time, by samples, is in them, and is shown as their callers' (see 'zprof info --refused')" "$(said some.zp)"
is "JSON has the numbers" "[2,28,100,false]" "$(numbers some.zp)"
is "a filter does not change them" "[2,28,100,false]" "$(numbers some.zp --under "prog+0x40")"
is "nor does --below, which divides the samples" "[2,28,100,false]" "$(numbers some.zp --below)"
"$zprof" merge -o merged.zp some.zp some.zp 2>/dev/null || "$zprof" merge -o merged.zp some.zp
is "a merged profile has them" "[2,28,100,false]" "$(numbers merged.zp)"
"$zprof" archive -o archived.zp some.zp 2>/dev/null
is "an archived one, too" "[2,28,100,false]" "$(numbers archived.zp)"
is "zprof info says it" "  left alone    $(said some.zp)" "$("$zprof" info --width=0 some.zp 2>/dev/null | grep 'left alone')"

made other.zp 'pid 18 1' "refused @1+0x100 0x40
refused @2+0x100 0x40" "$main" 'seen 100 0 0 1000000' 'at @2+0x100 100 100000000'
is "of several processes, each function counts once, and all their time is one sum" "[3,148,200,false]" "$(numbers some.zp other.zp)"

made one.zp 'refused @1+0x100 0x40' "$main" 'seen 40 0 0 1000000' 'at @1+0x200 40 40000000'
is "a function that no sample was in" "1 function was left alone, $why: no sample was in it; its time is its callers' (see 'zprof info --refused')" "$(said one.zp)"

# ---- where samples have no address

made rest.zp "$refused" "$main" 'seen 100 0 0 1000000' 'at @1+0x100 10 10000000' 'at @1+0x200 30 30000000'
is "time that no address stands for is divided as the context's other samples are" "[2,25,100,false]" "$(numbers rest.zp)"
made lost.zp "counter 34 60" "$refused" "$main" 'seen 100 0 0 1000000' 'at @1+0x100 10 10000000' 'at @1+0x200 30 30000000'
is "but if addresses gave way, what is left is a least" "[2,10,100,true]" "$(numbers lost.zp)"
is "and the report says so" "2 functions were left alone, $why: at least 10.0 % of the time, by samples, is in them, and is shown as their callers' (see 'zprof info --refused')" "$(said lost.zp)"
made few.zp "$refused" "$main" 'seen 100 0 0 1000000' 'at @1+0x100 10 10000000' 'at @1+0x200 10 10000000'
is "few samples of a context say nothing of its other time" "[2,10,100,true]" "$(numbers few.zp)"
made none.zp "$refused" "$main" 'seen 100 0 0 1000000'
is "without any address, the number of functions is all that is known" "2 functions were left alone, $why: their time is their callers' (see 'zprof info --refused')" "$(said none.zp)"
made clean.zp "$main" 'seen 100 0 0 1000000' 'at @1+0x100 100 100000000'
is "where none was refused, there is no such line" "" "$(said clean.zp)$(numbers clean.zp | grep -v '^\[null')"
made odd.zp 'refused @1+0xfffffff0 0x7fffffff
refused @9+0x100 0x40
refused @1+0x100 0' "$main" 'seen 40 0 0 1000000' 'at @1+0x100 40 40000000'
is "records of no module, and without bytes, are left out" "[1,0,40,false]" "$(numbers odd.zp)"
finish
