#!/bin/sh
# SPDX-License-Identifier: MIT
# Forths that aren't ours, watched by --next and its companions: one indirect-threaded, one direct-threaded, with a return
# stack in zero page, two tasks, and a profiler of their own that patches NEXT in the middle while the host counts.
set -u
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
vm=$ZPROF_BUILD/vm-6502
symbol() { awk -v name=".$1" '$3 == name { print substr($2, 3) }' k.lab; }
profile=$here/tests/tools/vm_profile.sh
# With tables=FILE, zprof records the run into tables of that name.
tables=''
plain() { ${tables:+"$profile"} ${tables:+"$tables"} "$vm" --machine=flat --load=0400 --putc=f001 --until-loop --symbols=k.lab "$@" k.bin; }
watched() { # THREADING OPTION...
	how=$1
	shift
	plain --next=10 --ip=17 --w=27 --rp=2 --docol=docol --dodoes=dodoes --exit=code_exit --core-end=w_quadruple \
		--threading="$how" --patched=1b "$@"
}

for how in itc dtc; do
	# shellcheck disable=SC2046
	ca65 -g $([ $how = dtc ] && echo -D DIRECT) "$here/tests/forth/other.s" -o k.o &&
		ld65 -t none -S '$0400' k.o -Ln k.lab -o k.bin || exit 1
	printf '[bucket inner]\naddr = %s-%s\n[metric both]\nbuckets = inner\n' "$(symbol w_quadruple)" \
		"$(symbol w_constant)" >buckets.ini
	plain >without
	tables=profile
	watched $how --zones=words --bucket-report=report --buckets=buckets.ini >with
	tables=''
	cmp without with
	tap $? "$how: the run takes the same cycles, watched and not"
	set -- $(head -1 with)
	awk '/^countstamps/ { getline; gsub(/[. ]/, ""); all = $1 } /^[01] / { row[$1] = $4 }
		END { printf "%04X %04X %04X\n", all, row[0], row[1] }' report >rows
	same "$how: the host's rows are those that the guest counted by its patch, in one run" - rows <<END
$1 $2 $3
END
	awk 'NR == 1 { all = $1 } NR > 3 && !NF { exit } NR > 3 { self += $2 }
		END { exit !(all && self == all) }' profile
	tap $? "$how: own cycles of all words, and of NEXT, are the cycles of the run"
	awk -f "$here/tests/tools/forth_arcs.awk" profile | grep -v NEXT | LC_ALL=C sort >arcs
	awk 'NR > 3 && !NF { exit } NR > 3 { print $NF, $5 }' profile | grep -v -e NEXT -e root | LC_ALL=C sort >>arcs
	same "$how: EXECUTE, DOES>, R> DROP; the words of a task that pauses are entered anew" - arcs <<'END'
w_caller w_escape 1
w_quadruple w_double 24
w_yields w_double 2
w_caller 1
w_double 28
w_escape 1
w_quadruple 12
w_thousand 10
w_yields 4
END
	watched $how --trace=words:trace >/dev/null
	awk '$4 == "w_caller" { on = 1 } on && k++ < 4 { print $3, $4 }' trace >around
	same "$how: --trace=words" - around <<'END'
0 w_caller
1 w_escape
2 code_forget
2 code_exit
END
	tables=cells
	watched $how --zones=cells --listing=lst >/dev/null
	"$ZPROF_BUILD/zprof" annotate --file lst cells.zprof | awk '/: w_quadruple$/ { getline; print $2, $NF; getline; print $2, $NF; exit }' >cells
	same "$how: cells" - cells <<'END'
12 w_double
12 w_double
END
	tables=profile
	watched $how --zones=both --buckets=buckets.ini --groups=groups >/dev/null
	tables=''
	grep -q '^\[group inner\]' groups && grep -q ' inner$' profile
	tap $? "$how: buckets are zones, and groups for zprof"
done

# ---- what a program's own report of bucket sizes says
{ printf '\nfrom  to   size  bucket\n'; printf '%s %s %5d  [INNER]\n\n' "$(symbol w_quadruple)" "$(symbol w_constant)" \
	$((0x$(symbol w_constant) - 0x$(symbol w_quadruple))); } >sizes
printf '[metric both]\nbuckets = [INNER]\n' >metric.ini
watched dtc --buckets=sizes --buckets=metric.ini --bucket-report=report >/dev/null
awk '/^[01] / { print $4 }' report >rows
same "a bucket-size-report is read as it is, and a metric made of it" - rows <<'END'
82
90
END
echo '0400 0500 17 [x]' >>sizes
watched dtc --buckets=sizes --bucket-report 2>message >/dev/null
same "a line that does not belong in it" - message <<'END'
vm-6502: sizes:5: not a line of a bucket-size-report
END

# ---- presets
{ printf 'size = %d\nsha256 = %s\n' "$(wc -c <k.bin)" "$(sha256sum k.bin | cut -c -64)"
	printf '%s\n' 'machine = flat' 'load = 0400' 'putc = f001' 'until-loop = yes' 'next = 10' 'ip = 17' 'w = 27' \
		'rp = 2' 'docol = docol' 'dodoes = dodoes' 'core-end = w_quadruple' 'threading = dtc'; } >k.preset
"$profile" out "$vm" --symbols=k.lab --preset=./k.preset --zones=words k.bin >said 2>err
grep -q ' w_quadruple$' out && [ ! -s err ]
tap $? "a preset in a file"
cp k.bin other.bin
printf '\352' >>other.bin
"$vm" --symbols=k.lab --preset=./k.preset other.bin >out 2>err
same "a preset for another image is a warning" - err <<'END'
vm-6502: warning: 'other.bin' is not the image that preset './k.preset' is for
END
for preset in v4th-c64 cc64 cc64prof vfpy65; do
	"$vm" --preset=$preset none 2>&1 | grep -q "cannot open 'none'" || echo $preset
done >unread
[ ! -s unread ]
tap $? "the presets that come with vm-6502 can be read"
"$vm" --preset=nobody k.bin 2>&1 | grep -q "there is no preset 'nobody'"
tap $? "a missing preset"
printf 'bogus = 1\n' >bad.preset
"$vm" --preset=./bad.preset k.bin 2>message
same "a preset with a line that is not an option" - message <<'END'
vm-6502: a preset has no 'bogus'
END
plain --next=10 --ip=17 2>message >/dev/null
same "--next without the other options that it needs" - message <<'END'
vm-6502: --next needs --w too
END
finish
