#!/bin/sh
# SPDX-License-Identifier: MIT
# Buckets: the guest's own profiler and the host's agree on every NEXT of every bucket of every metric, and their ticks differ
# by a constant number of cycles per NEXT; layouts; the user's own buckets.
set -u
. "${0%/*}/../lib/golden.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
calc=$here/tests/forth/calc
vm=$ZPROF_BUILD/vm-6502
same_tables() { # WHAT GOLDEN FILE
	# What depends on the Forth's own words is left out: where they end, and what they take.
	sed 's/^\(0 \)[0-9A-F]*\( FFFF *\)[0-9]* *[0-9]*/\1CORE\2/; s/^\(0  *\)[0-9]* *[0-9]*/\1/; s/^[0-9.]* \([0-9.]* \)*$/STAMPS/' "$3" >actual
	golden_file "$1" "forth/$2" actual
}
rows() { awk '/^profiler report/ { metric = $3 } /^[0-9] [0-9A-F]+ [0-9A-F]+ / { print metric, $1, $4, $5, $6 }' "$1"; }
counts() { rows "$1" | cut -d ' ' -f 1-3,5; }

refused='vm-6502: subroutines of machine code have no words and no buckets: leave out --zones=subroutines, or what asks for those'
for option in --groups=g --bucket-report --trace=words "--buckets=$calc/none"; do
	[ "$("$vm" --zones=subroutines "$option" -e '1 .' 2>&1)" = "$refused" ]
	tap $? "$option has no subroutines to tell of"
done

"$vm" -I "$calc" calc.fth >guest
"$vm" --zones=buckets --ticks=as-next --bucket-report=report.next -I "$calc" calc.fth >next
"$vm" --zones=buckets --bucket-report=report.run -I "$calc" calc.fth >run
"$vm" --guest --bucket-report=report.guest -I "$calc" calc.fth >hooked
counts guest >counts.guest
[ "$(wc -l <counts.guest)" = 27 ]
tap $? "the guest reports three metrics"
all=0
for f in next run hooked report.next report.run report.guest; do counts $f | cmp - counts.guest || all=1; done
tap $all "guest and host agree on the NEXTs of every bucket of every metric"
rows guest >rows.guest
rows next | paste -d ' ' rows.guest - | awk '$3 { k = ($4 - $9) / $3; if (seen++ && k != first || k != int(k)) bad = 1; first = k }
	END { print "#", first, "cycles a NEXT"; exit bad || seen < 10 }'
tap $? "the guest's ticks are the host's as-next and the same for each NEXT"
cmp guest hooked
tap $? "watching a guest that hooks NEXT itself changes none of its figures"
all=0
for f in next run; do
	"$vm" --pure --zones=buckets --ticks=as-$f --bucket-report=pure.$f -I "$calc" calc.fth | cmp - $f && cmp report.$f pure.$f || all=1
done
tap $all "the same tables, to the cycle, when nothing runs natively"
sed '/^$/{ N; /\nprofiler/s/^\n//; }' report.run >report.joined
sed '/^[a-z]* = /d; / errors$/d' run | cmp - report.joined
tap $? "the host prints the guest's report to the letter"
awk '/^timestamps/ { getline; gsub(/\./, ""); t = $NF } /^countstamps/ { getline; gsub(/\./, ""); c = $NF }
	/^[0-9] / { n += $4; k += $5 } /^8 / { if (n != c || k != t) bad = 1; n = k = 0; seen++ } END { exit bad || seen != 3 }' report.run
tap $? "the rows of a table sum to its last stamps"
sed -n '1,/^8 /p' report.run >classic
same_tables "the classic layout" classic.txt classic
"$vm" --zones=buckets --metric modules --bucket-report=talk --classic=talk -I "$calc" calc.fth >/dev/null
same_tables "the layout of the talk, of one metric" talk.txt talk
"$vm" --metric modulus --bucket-report -I "$calc" calc.fth 2>&1 >/dev/null | grep -q "there is no metric 'modulus'"
tap $? "a missing metric is named"

# ---- in a saved system
"$vm" -I "$calc" calc.fth -e 'save-system calc.img' >/dev/null
"$vm" --image=calc.img --zones=buckets --bucket-report=report.saved -e measure >saved
counts saved >counts.saved
counts report.saved | cmp - counts.guest && cmp counts.saved counts.guest
tap $? "the metrics of a saved system are found in its image"

# ---- the user's own, of a program that is not marked
sed 's/^1 profiling.*//' "$calc/calc.fth" >calc.fth
cat >own.ini <<'END'
[bucket all of it]
file = scanner.fth
[bucket numbers]
words = scan-number scan-number
[bucket upto-scan]
words = blank? name-char
[bucket symbols]
file = symbols.fth
[bucket none]
words = nobody nobody
[metric files]
buckets = numbers
[metric words]
buckets = numbers
	upto-scan none
END
"$vm" --buckets=own.ini --zones=buckets --bucket-report=own -I "$calc" --dir . calc.fth >/dev/null
same_tables "the user's buckets by file and by words, in two metrics that overlap" own.txt own
wrong() { # TEXT MESSAGE
	printf '%b' "$1" >wrong.ini
	"$vm" --buckets=wrong.ini -e bye 2>said
	[ $? != 0 ] && grep -q -F "$2" said || { cat said; false; }
}
wrong '[bucket a]\naddr = 5\n' "wrong.ini:2: addr = '5': give two addresses" &&
	wrong '[bucket a]\nwords = b\n' "wrong.ini:2: words = 'b': give two words" &&
	wrong '[bucket a]\nfunc = b\n' "wrong.ini:2: a bucket has no 'func': file, words or addr" &&
	wrong '[metric a]\nbuckets = b\n' "wrong.ini:2: there is no bucket 'b' before the metric" &&
	wrong '[a]\nb = c\n' "wrong.ini:2: there is no section [a]: [bucket NAME] and [metric NAME]"
tap $? "an error in a file of buckets is named, with its line"
"$vm" --buckets=missing.ini -e bye 2>&1 | grep -q "^vm-6502: cannot open 'missing.ini': No such file"
tap $? "a missing file of buckets is named"
finish
