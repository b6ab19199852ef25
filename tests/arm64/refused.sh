#!/bin/sh
# SPDX-License-Identifier: MIT
# refused.sh - what zprof refuses on arm64, and what it says: run by tests/arm64/run.sh.
. "${0%/*}/../lib/tap.sh"
cd "$TEST_TMP" || exit 2
echo 'int main(void) { return 0; }' >program.c
gcc -finstrument-functions program.c -o program

refuses() { # STATUS SENTENCE COMMAND...
	status=$1 sentence=$2
	shift 2
	"$ZPROF_BUILD/zprof" "$@" >said 2>&1
	is "$1 $2: exit status" "$status" $?
	is "$1 $2: one sentence" "zprof: $sentence" "$(cat said)"
}
no_fentry="compilers have no -mfentry for arm64; 'zprof cflags' has hooks that they do have there"
no_switches="on arm64 hooks cannot be switched off and on in a program's code: record a program from its start, and use zprof_pause() and \
zprof_resume() in it for parts of its run"
refuses 1 "$no_fentry" cflags --fentry
refuses 1 "$no_fentry" cflags --release
refuses 1 "$no_fentry" cflags --entries
refuses 1 "$no_fentry" cflags --after-inlining
refuses 1 "$no_fentry" cflags --cc=clang --entries
refuses 1 "$no_switches" sleep program
refuses 1 "$no_switches" wake program
refuses 1 "$no_switches" attach $$
refuses 1 "$no_switches" watch $$ main
refuses 1 "$no_switches" unwatch $$ main
refuses 125 "on arm64 functions are recorded by hooks alone: build the program with the flags of 'zprof cflags', and record it without --any" \
	record --any ./program

for flags in "" --counts --cc=clang "--cc=clang --after-inlining" "--std-headers=no"; do
	# shellcheck disable=SC2086
	"$ZPROF_BUILD/zprof" cflags $flags >said 2>&1
	tap $? "cflags $flags" || sed 's/^/# /' said
done
"$ZPROF_BUILD/zprof" record -o profile -- ./program >said 2>&1 && "$ZPROF_BUILD/zprof" report --json profile | grep -q '"name":"main"'
tap $? "record" || sed 's/^/# /' said
finish
