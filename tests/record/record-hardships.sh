#!/bin/sh
# SPDX-License-Identifier: MIT
# record-hardships.sh - what `zprof record` does where files may not be large, where the user has no home, and where a program crashes.
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 2
mkdir tmp cold
export TMPDIR=$PWD/tmp

cat >twice.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int right(int depth);
static int left(int depth) { return depth ? left(depth - 1) + right(depth - 1) : 1; }
static int right(int depth) { return depth ? right(depth - 1) + left(depth - 1) : 1; }

int main(int argc, char **argv)
{
	printf("%d\n", left(argc > 1 ? atoi(argv[1]) : 3));
	fflush(stdout);
	return argc > 2 ? raise(atoi(argv[2])) : 0;
}
END
gcc -g -O0 -finstrument-functions twice.c -o twice && gcc -g -O0 twice.c -o bare || exit 1

# ---- files may not be large

(export XDG_CACHE_HOME="$PWD/cold" && ulimit -f 100 && "$zprof" record --any --no_archive -o none.zp perl -e 'print 2 ** 3' >out 2>err)
is "where plans are larger than a file may be, the program goes on" "0 8" "$? $(cat out)"
grep -q "the plan cannot be written" err
tap $? "... and the command says so" || sed 's/^/# /' err
"$zprof" plan "$(command -v perl)" >plan 2>&1 # which is larger than is allowed below
(ulimit -f 400 && "$zprof" record --any --no_archive -o any.zp perl -e 'print 2 ** 3' >out 2>err)
is "functions whose trampolines need a larger file than is allowed are left alone: the program goes on" "0 8" "$? $(cat out)"
"$zprof" report any.zp 2>&1 | grep -q '^note: functions left alone, .*(ulimit -f): [1-9]'
tap $? "the report says why"

awk 'BEGIN {
	for (i = 0; i < 6000; i++) printf "static void f%d(void) { }\n", i
	print "int main(void)\n{"
	for (i = 0; i < 6000; i++) printf "\tf%d();\n", i
	print "\treturn 0;\n}" }' >many.c
gcc -O0 -finstrument-functions many.c -o many || exit 1
"$zprof" record --no_archive -o whole.zp ./many >out 2>err
"$zprof" report whole.zp | grep -q '; calls are exact$'
tap $? "calls are exact where none is missing"
(ulimit -f 100 && "$zprof" record --no_archive -o lost.zp ./many >out 2>err)
is "in a small file, too, each call is recorded or known to be missing" 6001 \
	"$("$zprof" report --json lost.zp | sed -n 's/^{"pid":.*"calls":\([0-9]*\).*/\1/p; s/.*"loss_space":\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n }')"
"$zprof" report lost.zp >text
lost=$("$zprof" report --json lost.zp | sed -n 's/.*"loss_space":\([0-9]*\).*/\1/p')
said=$(sed -n 's/^times: .*; \([0-9,]*\) calls missing, see below$/\1/p' text | tr -d ,)
[ "${lost:-0}" -gt 0 ] && [ "$said" = "$lost" ] && ! grep -q 'calls are exact' text
tap $? "the head says how many calls are missing, and not that calls are exact: ${lost:-none}"

# ---- no home

env -u XDG_CACHE_HOME HOME=/nonexistent "$zprof" record --any -o home.zp ./bare 4 >out 2>err
is "without a home, functions are displaced, too" "left 16 right 15" \
	"$("$zprof" report --json --all home.zp | tr '{' '\n' | sed -n 's/^"id":.*"name":"\(left\|right\)".*"calls":\([0-9]*\).*/\1 \2/p' | sort | tr '\n' ' ' | sed 's/ $//')"
is "and no plan is left behind" "" "$(ls tmp)"

# ---- a program that crashes

"$zprof" record -o crash.zp ./twice 3 11 >out 2>err
is "the status is a shell's" 139 $?
grep -q '^zprof: signal 11 (Segmentation fault) ended the program' err
tap $? "the signal is named"
"$zprof" record -o crash.zp ./twice 3 2 >out 2>err
! grep -q 'ended the program' err
tap $? "nothing is said of a user who stopped it"
"$zprof" record --quiet -o crash.zp ./twice 3 11 >out 2>err
is "nor with --quiet" "" "$(cat err)"
finish
