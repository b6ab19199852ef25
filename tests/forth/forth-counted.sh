#!/bin/sh
# SPDX-License-Identifier: MIT
# forth-counted.sh - words that vm-6502 counts by itself and hands over in bulk (zprof_lent_add): the same contexts, calls and
# counters as when each word is entered and left, which clock=exact needs; samples in the running words; and what a killed run has
# handed over.
here=$(cd "$(dirname "$0")/../.." && pwd)
calc=$here/tests/forth/calc
vm=$ZPROF_BUILD/vm-6502
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"
record() { # PROFILE "MORE OPTIONS" ARGUMENT...
	profile=$PWD/$1 more=$2
	shift 2
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=$profile$more exec "$vm" "$@"
}
contexts() { # PROFILE: path, calls, counters and own nanoseconds of each
	"$zprof" report --tree --json --all "$1" | awk '
		function value(key) { return match($0, "\"" key "\":[-0-9.]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0 }
		/^\{"id":/ {
			match($0, /"name":"([^"\\]|\\.)*"/)
			name = substr($0, RSTART + 7, RLENGTH - 7)
			id = value("id")
			path[id] = path[value("parent")] "/" name
			counters = ""
			for (rest = $0; match(rest, /"(cycles|nexts)","self":[0-9]+/); rest = substr(rest, RSTART + RLENGTH))
				counters = counters " " substr(rest, RSTART, RLENGTH)
			print path[id], value("calls") counters, value("self_ns") }'
}
without_ns() {
	sed '/\[zprof\]/d; s/ [-0-9.]*$//' "$1" | LC_ALL=C sort
}

# ---- the same as with an event for each
(record bulk.zprof "" -I "$calc" calc.fth) >said.bulk
(record each.zprof ,clock=exact -I "$calc" calc.fth) >said.each
contexts bulk.zprof >bulk
contexts each.zprof >each
without_ns bulk >bulk.counts
without_ns each >each.counts
cmp said.bulk said.each && [ "$(grep -c '"nexts","self":[1-9]' bulk.counts)" -gt 500 ] && diff each.counts bulk.counts >difference
tap $? "contexts of words and of the emulator's functions below them, calls, cycles and NEXTs, as with an event for each"
sed 's/^/# /' difference | head -20
visits() { # PROFILE: visits that have not ended, or began again
	"$zprof" report --json --all "$1" | grep -o '"entered":.*"open": *[0-9]*' | grep -v '"reentered": *0.*"abandoned": *0.*"open": *0'
}
! visits bulk.zprof && "$zprof" report --json --all bulk.zprof | grep -q '"entered": *[1-9]'
tap $? "all words have returned"
"$zprof" report --json bulk.zprof | grep -q '"losses": *{}'
tap $? "nothing lost, nothing misused"

# ---- samples
cat >work.fth <<'END'
: work  200 0 do i drop loop ;
: light  work ;
: heavy  work work work work ;
: turns  30 0 do 4000 0 do light heavy loop loop ;
turns
END
(record work.zprof "" work.fth)
contexts work.zprof >work
# Of n samples in work, a share of p = 4/5 is heavy's, which calls it 4 times for each once of light's, in turns of some microseconds. A share
# that is off by d happens once in exp(2 d^2 n) / 2 (Hoeffding): with the d below, whatever n is, once in 10^8. More than half of the time is
# in work, or such a share of it would not be: about 9/10 is, so that less than 6/10 happens yet more seldom.
"$ZPROF_BUILD/tests/sample_sums" work.zprof >sums
awk -v period="$(sed -n 's/^period //p' sums)" '/"light"\/"work" / { light = $NF } /"heavy"\/"work" / { heavy = $NF } { all += $NF }
	END { n = (light + heavy) / period; d = sqrt(log(2e8) / 2 / n); share = heavy / (light + heavy)
		print "# light", light, "heavy", heavy, "all", all, "samples", n, "share", share, "within", d
		exit !(light > 0 && share > 0.8 - d && share < 0.8 + d && light + heavy > 0.6 * all) }' work
tap $? "samples are in the running word, by its caller"

# ---- killed in the middle
cat >loop.fth <<'END'
: inner  100 0 do i drop loop ;
: outer  10 0 do inner loop ;
: forever  begin outer again ;
forever
END
(record loop.zprof "" loop.fth) &
program=$!
calls() { # NAME
	awk -v name="/\"$1\" " 'index($0, name) { print $2; exit }' loop
}
tries=2400
until contexts loop.zprof >loop 2>/dev/null; inner=$(calls inner); [ "${inner:-0}" -gt 100000 ] || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
kill -9 $program
wait $program 2>/dev/null
contexts loop.zprof >loop
inner=$(calls inner) outer=$(calls outer)
[ "${inner:-0}" -gt 100000 ] && [ $((inner - 10 * outer)) -lt 2000 ] && [ $((10 * outer - inner)) -lt 2000 ]
tap $? "what a killed run handed over, ten times a second, is consistent ($inner calls, $outer of the caller)"
finish
