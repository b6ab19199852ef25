#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof brief` keeps to its tokens whatever names are like, shows a function at least, and counts those that it leaves out.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
long=$(printf 'ä%.0s' $(seq 55))
{
	echo 'clock tsc 1000000000'
	printf 'command ./%s\n' "$(printf 'x%.0s' $(seq 900))"
	echo 'counter 1 7'
	echo 'thread 1 t 1'
	for i in $(seq 12); do printf '  f%d_%s 1 %d\n    g%d_%s 1 %d\n' "$i" "$long" $((i * 100)) "$i" "$long" $((i * 100)); done
} | "$ZPROF_BUILD/tests/make_profile" long.prof || exit 1
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1

for profile in long sample; do
	[ $profile = long ] && all=24 || all=10
	larger= none= wrong= broken= parts=
	for tokens in 100 101 110 120 137 150 200 250 300 350 400 500 700 1000; do
		"$zprof" brief --tokens $tokens $profile.prof >text 2>errors
		shown=$(grep -c '^[^ ].*: self ' text)
		more=$(sed -n 's/^(\([0-9]*\) more functions*: zprof report)$/\1/p' text)
		[ "$(wc -c <text)" -le $((tokens * 4)) ] || larger="$larger $tokens"
		[ "$shown" -gt 0 ] || none="$none $tokens"
		[ $((shown + ${more:-0})) = $all ] || wrong="$wrong $tokens:$shown+$more"
		iconv -f UTF-8 -t UTF-8 text >/dev/null 2>&1 || broken="$broken $tokens"
		grep -q '[^ ]\.\.\.$' text && parts="$parts $tokens"
	done
	is "$profile: no more bytes than were asked for" "" "$larger"
	is "$profile: a function is shown" "" "$none"
	is "$profile: the functions that are left out are counted" "" "$wrong"
	is "$profile: no letter is cut in two" "" "$broken"
	is "$profile: no number or word is cut in two" "" "$parts"
done
printf 'thread 1 t 1\n  one 1 9\n    two 1 5\n' | "$ZPROF_BUILD/tests/make_profile" two.prof
expect 0 "two: self 5 (35.7%), total 5, 1 call" "$zprof" brief two.prof
grep -q more actual
is "where all are shown, none are more" 1 $?
expect 2 "zprof: --tokens is a number, 100 or more, not '99'" "$zprof" brief --tokens 99 two.prof
expect 2 "zprof: --tokens is a number, 100 or more, not 'few'" "$zprof" brief --tokens few two.prof
finish
