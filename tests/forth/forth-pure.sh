#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program does, and its cycles, don't depend on --pure; nor on changing machine code while it runs. Four small programs
# take at most the cycles of another indirect-threaded Forth for this processor, and a heap with 400 blocks a twentieth of what
# looking at all of them takes.
set -u
vm=$ZPROF_BUILD/vm-6502
sources=$(cd "$(dirname "$0")/../forth" && pwd)
. "${0%/*}/../lib/tap.sh"
cycles() { # FILE OPTION…: cycles of the whole run
	file=$1; shift
	"$vm" "$@" --registers --cycles=200000000 -I "$sources" "$file" </dev/null | sed -n 's/.*cycle //p'
}

cat >patched.expected <<'END'
2 2 2 2 2 2 0 
1 1 1 1 1 1 0 
2 2 2 2 2 2 0 
1 1 1 1 1 1 0 
2 2 2 2 2 2 0 
1 2 1 2 1 2 1 2 
7E0 
END
for option in --cycles=100000000 --pure; do
	"$vm" $option -I "$sources" patched.fth </dev/null >patched.out
	cmp -s patched.out patched.expected
	tap $? "changed machine code runs as changed ($option)"
done

while read -r name most; do
	native=$(cycles "bench-$name.fth") pure=$(cycles "bench-$name.fth" --pure)
	echo "# $name: $native cycles, $pure with --pure, at most $most"
	[ -n "$native" ] && [ "$native" = "$pure" ]
	tap $? "$name takes the same cycles natively and with --pure"
	[ "$native" -le "$most" ]
	tap $? "$name takes at most $most cycles"
done <<'END'
dupdrop 6667211
fib 29344094
sieve 21536952
divide 38490000
allocate 150000000
END
finish
