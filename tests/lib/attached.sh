# SPDX-License-Identifier: MIT
# Sourced by the tests of `zprof attach`: builds tests/programs/attached.c, starts it, and compares counts.
. "${0%/*}/../lib/switched.sh"
threads=2
program=attached

build() { # FLAGS...: makes ./attached, asleep in its file
	gcc -w -g -O2 "$@" -I"$root" -c "$root/tests/programs/attached.c" -o attached.o &&
		gcc attached.o -o attached -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread && "$zprof" sleep attached 2>errors || exit 1
}
start() { # ARGUMENT...: runs ./$program; makes $pid
	rm -f zprof.out* own.out* said
	./$program "$@" >said 2>complaints &
	pid=$!
	while [ ! -s said ]; do sleep 0.02; done
}
stop() { # WHAT: it has ended well, and does not mention a profiler
	kill $pid
	wait $pid
	is "$1: the program runs on, and does not notice" "0 begun right " "$? $(tr '\n' ' ' <said)$(cat complaints)"
}
calls() { # NAME [FILE]
	"$zprof" report --json "${2:-zprof.out.$pid}" | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}
# Each thread may be in one call at each switch; all other calls are counted exactly.
counts_agree() { # WHAT SWITCHES
	leaves=$(calls leaf) middles=$(calls middle) serves=$(calls serve) slack=$((threads * $2))
	[ "${serves:-0}" -gt 0 ] && [ $((leaves - 10 * middles)) -le $((10 * slack)) ] && [ $((10 * middles - leaves)) -le $((10 * slack)) ] &&
		[ $((middles - 2 * serves)) -le $((2 * slack)) ] && [ $((2 * serves - middles)) -le $((2 * slack)) ]
	tap $? "$1: what was called meanwhile is counted, and nothing else"
	[ "${serves:-0}" -gt 0 ] || echo "# $leaves, $middles, $serves calls"
	"$zprof" report "zprof.out.$pid" >text
	is "$1: nothing is lost or blamed on jumps" "" "$(grep -E 'left without returning|matched no open zone' text)"
}
