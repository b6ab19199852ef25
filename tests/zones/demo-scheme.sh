#!/bin/sh
# SPDX-License-Identifier: MIT
# demo-scheme.sh - the Scheme in tests/demo/scheme: its profile has what the interpreter counted itself.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
scheme=$ZPROF_BUILD/demo/scheme
demo=$root/tests/demo/scheme/demo.scm
. "${0%/*}/../lib/tap.sh"

profile() { # ARGUMENT... -> profile.out, said, counted
	rm -f profile.out*
	ZPROF_OPTIONS=output=$PWD/profile.out LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$scheme" --counts "$@" >said 2>counted
}

# One line per procedure: PLACE STEPS ENTERED RE-ENTERED RETURNED ABANDONED OPEN
procedures() {
	"$zprof" report --json profile.out | tr '\n' ' ' | sed 's/{"id"/\n{"id"/g' |
		sed -n 's/.*"name":"\([^"]*\)".*"line":\([0-9]*\),"group":"scheme".*"visits":{"entered":\([0-9]*\),"reentered":\([0-9]*\),"returned":\([0-9]*\),"abandoned":\([0-9]*\),"open":\([0-9]*\)}.*"name":"steps","self":\([0-9]*\).*/\1:\2 \8 \3 \4 \5 \6 \7/p'
}

# Several lambda expressions may stand on a line.
by_place() {
	awk '{ n[$1] += $2 } END { for (p in n) if (n[p]) print p, n[p] }' | sort
}

"$scheme" "$demo" >plain
for tails in calls continue; do
	flag=
	[ $tails = continue ] && flag=--continue
	profile $flag "$demo"
	cmp -s plain said
	tap $? "the program prints the same as without zprof (tail calls: $tails)"
	procedures >found
	by_place <found >steps
	by_place <counted | diff - steps >difference && [ -s steps ]
	tap $? "steps of each procedure are what the interpreter counted (tail calls: $tails)"
	sed 's/^/# /' difference
	awk '$3 + $4 != $5 + $6 + $7 || $7' found >difference
	[ ! -s difference ]
	tap $? "each visit has returned or was abandoned (tail calls: $tails)"
	sed 's/^/# /' difference
	! "$zprof" report profile.out 2>&1 | grep -E 'misuse|lost|matched no'
	tap $? "nothing was lost or misused (tail calls: $tails)"
	cp found "found-$tails"
done

# even? and odd? call each other 10,000 times, each time as a tail call.
[ "$(awk '$1 ~ /^(even|odd)\?/ { n += $3 } END { print n }' found-calls)" = 10001 ]
tap $? "a tail call is a call"
[ "$(awk '$1 ~ /^(even|odd)\?/ { n += $3 } END { print n }' found-continue)" = 1 ]
tap $? "or, with --continue, its caller going on"
grep -q '^visit:[0-9]* [0-9]* [0-9]* [1-9]' found-calls
tap $? "a continuation that is entered again is a re-entry"
"$zprof" graph --func rank profile.out | grep -q 'sort '
tap $? "C code that Scheme calls stands between Scheme procedures"

cat >wrong.scm <<'END'
(define (deeper n) (if (= n 0) (car '()) (+ 1 (deeper (- n 1)))))
(deeper 5)
END
profile wrong.scm
[ $? = 1 ] && grep -q 'a pair is missing' counted && procedures | grep -q '^deeper:1 [0-9]* 6 0 0 6 0'
tap $? "an error abandons the procedures that were running"
finish
