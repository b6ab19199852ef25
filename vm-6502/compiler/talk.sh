#!/bin/sh
# SPDX-License-Identifier: MIT
# talk: where does a compiler spend its time? The story of its profiles, each table made by running it: a metric shows the
# hot bucket, the next one looks into that, a module gets its second version, and so on. Cycles are the same in every run.
#
#	talk.sh VM-6502 PROGRAM.c       in an empty folder
#
# The host's profiler counts for no cycle of the program's, and zprof shows what words take; the guest's own, which hooks NEXT, is run beside it, and
# must count the same NEXTs in each bucket.
set -eu
vm=$1 source=$2 zprof=$(dirname "$1")/zprof
compiler=$(cd "$(dirname "$0")" && pwd)
cp "$source" in.c
status=0

compile() { # OPTION...
	"$vm" -I "$compiler" "$@" compiler.fth -- in.c out.bin
}
rows() { awk '/^[0-8] / && NF == 6 { print $6, $4 }' "$1"; }
cycles_of() { awk '/^timestamps/ { getline; gsub(/[. ]/, ""); print; exit }' "$1"; }
whole() { sed -n 's/.* cycle //p' "$1"; }

# The table of a metric, of the host's figures, and what the guest says beside it.
look() { # METRIC NUMBER CHOICES
	compile --zones=buckets --bucket-report=all.txt --metric="$1" --registers -e "profiling on  $2 constant metric#  $3" >host.txt
	compile --guest --registers -e "profiling on  $2 constant metric#  $3" >guest.txt
	rows host.txt >host.rows
	rows guest.txt >guest.rows
	printf '\nmetric %s\n' "$1"
	awk -v all="$(cycles_of host.txt)" 'BEGIN { printf "%12s %12s %7s  %s\n", "NEXTs", "cycles", "%", "bucket" }
		/^[0-8] / && NF == 6 { printf "%12d %12d %7.1f  %s\n", $4, $5, 100 * $5 / all, $6 }' host.txt
	if cmp -s host.rows guest.rows; then same="the same NEXTs in each row"; else same="OTHER NEXTs" status=1; fi
	awk -v same="$same" -v all="$(cycles_of host.txt)" -v guest="$(whole guest.txt)" -v host="$(whole host.txt)" \
		'BEGIN { printf "The host counted for no cycle. The guest counted %s, in %.1f times the cycles.\n", same, (guest - host + all) / all }'
	cycles_of host.txt >"cycles.$1"
}
change() { # WHAT CHOICES
	before=$(cat cycles.compiler)
	look compiler 1 "$2" >table
	awk -v what="$1" -v before="$before" -v now="$(cat cycles.compiler)" -v first="$first" 'BEGIN {
		printf "\n%s: %d cycles become %d, %.1f %% fewer; since the beginning %.1f %%.\n", what, before, now,
			100 * (1 - now / before), 100 * (1 - now / first) }'
	cat table
}

echo "The compiler, compiling $(wc -l <in.c) lines."
look compiler 1 ""
first=$(cat cycles.compiler)
cp out.bin first.bin
printf '\nThe scanner, then, and the strings that it compares. Which part of it?\n'
look scanner 2 ""
printf '\nWords: keywords and operators are looked for one by one. They get lists by their first characters.\n'
change fast-words "1 constant fast-words"
printf '\nNow the input: each character is a call that compares. A line gets its end as a last character.\n'
change fast-input "1 constant fast-words  1 constant fast-input"
printf '\nSymbols are looked for from the newest to the oldest. They get lists, too.\n'
look words 3 "1 constant fast-words  1 constant fast-input"
change fast-symbols "1 constant fast-words  1 constant fast-input  1 constant fast-symbols"
cmp first.bin out.bin
printf '\nThe machine code is the same.\n'

# Words with most cycles of their own while it compiles: without its files it is loaded and does nothing.
profile() { # FILE CHOICES ARGUMENT...
	file=$1 choices=$2
	shift 2
	rm -f words.zprof
	"$zprof" record --quiet --output words.zprof -- "$vm" -I "$compiler" --zones=words --primitives -e "$choices" compiler.fth \
		"$@" >words.out 2>&1 || true
	"$zprof" report --all --group forth --format cycles,name words.zprof | sed '1,/^$/d' | tr -d , >"$file"
}
words() { # WHEN CHOICES
	profile loaded.txt "$2"
	profile words.txt "$2" -- in.c out.bin
	printf '\n%s, words with most cycles of their own, the system'\''s among them:\n' "$1"
	awk 'FNR == NR { cycles[$2] -= $1; next }
		{ cycles[$2] += $1 }
		END { for (w in cycles) if (cycles[w] > 0) printf "%12d cycles  %s\n", cycles[w], w }' \
		loaded.txt words.txt | sort -rn | head -6
}
words "At first" ""
words "Now" "1 constant fast-words  1 constant fast-input  1 constant fast-symbols"
exit $status
