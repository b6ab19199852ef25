#!/bin/sh
# SPDX-License-Identifier: MIT
# Other people's images, which we may not keep here: `make test-images IMAGES=DIR`, where DIR has two checkouts,
#
#	VolksForth  of github.com/forth-ev/VolksForth at 426be9e
#	cc64        of github.com/pzembrod/cc64 at 1b4ef0a
#
# Sources and scripts go into a folder as PETSCII, the images run on the c64 and the flat machine, and the results are
# compared with what those projects expect, and with known figures.
set -u
unset MAKEFLAGS MFLAGS # those of `make test-images` have no built-in rules, which cc64's tests use
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
images=$(cd "${1:?usage: images.sh DIR}" && pwd) || exit 2
vm=$ZPROF_BUILD/vm-6502
c64=$images/VolksForth/6502/C64
cc64=$images/cc64
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp" || exit 2
to_petscii() { LC_ALL=C tr 'A-Za-z{|}~\n\t' '\301-\332A-Z\333-\336\r '; }
from_petscii() { LC_ALL=C tr 'A-Za-z\301-\332\333-\336\r' 'a-zA-ZA-Z{|}~\n'; }
petscii() { # FOLDER FILE...
	to=$1
	shift
	for file; do to_petscii <"$file" >"$to/${file##*/}"; done
}
image() { # PRESET FILE
	if [ ! -f "$2" ]; then
		echo "$0: '$2' is missing" >&2
		exit 2
	fi
	[ "$(sha256sum "$2" | cut -c -64)" = "$(sed -n 's/^sha256 = //p' "$ZPROF_BUILD/presets/$1")" ]
	tap $? "$1: the known image"
}
profile=$here/../tools/vm_profile.sh
sums() { awk 'NR == 1 { all = $1 } NR > 3 && !NF { exit } NR > 3 { self += $2 } END { exit !(all && all == self) }' "$1"; }

v4th=$c64/cbmfiles/v4th-c64 py65=$images/VolksForth/6502/py65/vfpy65.bin
image v4th-c64 "$v4th"
image vfpy65 "$py65"
image cc64 "$cc64/c64files/cc64"
image cc64prof "$cc64/c64files/cc64prof"

# ---- volksForth
printf ': sq dup * ;\n12 sq .\n' >script
"$profile" py65.txt "$vm" --preset=vfpy65 --zones=words "$py65" <script | grep -q '12 sq \. 144 '
tap $? "volksForth for py65 evaluates from a script"
sums py65.txt && grep -q ' INTERPRET$' py65.txt
tap $? "its words by name, own cycles are the run's"
mkdir disk
"$profile" v4th.txt "$vm" --preset=v4th-c64 --dir disk --keys script --zones=words "$v4th" | grep -q '12 sq \. 144 '
tap $? "volksForth for the C64 evaluates from a script"
sums v4th.txt && grep -q ' INTERPRET$' v4th.txt
tap $? "its words by name, own cycles are the run's"
petscii disk "$c64"/tests/*.fth "$c64"/tests/*.fr "$c64"/src/*.fth
: >disk/notdone
"$vm" --machine=c64 --dir disk --type 'include run-std-tests.fth\nsome 12345 keys\n' "$v4th" >/dev/null
for part in prelim core-template coreext double report-noblk; do
	sed 's/TMPL_KEYS_[A-Z]*_TMPL/some 12345 keys/' "$c64/tests/golden/$part.golden"
done | sed 's/ *$//' >golden
from_petscii <disk/test.log | sed 's/ *$//' >log
same "volksForth's own tests, run on the C64 image, write the log that it expects" golden log
[ ! -f disk/notdone ] && tail -5 log | grep -q '^Total  *0$'
tap $? "0 errors, and notdone is scratched"

# ---- cc64
rm -rf disk
mkdir disk
cp "$cc64"/c64files/* disk
e2e=$cc64/tests/e2e
tests=$(cd "$e2e" && echo *-test.c | sed 's/-test\.c//g')
{
	cat "$e2e/test-setup-c64.h"
	echo 'char *name(){ return "suite.out,s,w"; }'
	for t in $tests; do cat "$e2e/$t-test.c"; done
	echo 'test(){'
	for t in $tests; do printf '  println("%s-test:");\n  %s_test();\n' "$t" "$t"; done
	echo '}'
	cat "$e2e/test-main.h"
} | to_petscii >disk/suite.c
for t in $tests; do echo "$t-test:"; cat "$e2e/$t.golden"; done >golden
run_suite() { # WHAT
	rm -f disk/suite.out
	"$vm" --machine=c64 --dir disk --type '' disk/suite
	from_petscii <disk/suite.out >suite.out
	same "$1: what comes out runs, and writes what cc64 expects" golden suite.out
}
user() { # COMMAND...: runs it, and prints its time in the user's mode
	{ LC_ALL=C bash -c 'TIMEFORMAT=%U; time "$@" >/dev/null 2>&1' time "$@"; } 2>&1 | tail -1
}

"$vm" --preset=cc64 --dir disk --type 'cc suite.c\n' --registers disk/cc64 | sed -n 's/.*cycle //p' >cycles
[ "$(cat cycles)" = 553590705 ]
tap $? "cc64 takes 553,590,705 cycles: $(cat cycles)"
run_suite cc64
"$profile" cc64.txt "$vm" --preset=cc64 --dir disk --type 'cc suite.c\n' --zones=words disk/cc64 >/dev/null
sums cc64.txt && grep -q ' BUSTYPE$' cc64.txt
tap $? "cc64: words by name, own cycles are the run's"

rm -f disk/suite
"$vm" --preset=cc64prof --dir disk --type 'profile-cc64-1\ncc suite.c\nprofile2file cc64-1.profile\n' --registers \
	disk/cc64prof | sed -n 's/.*cycle //p' >cycles
[ "$(cat cycles)" = 2406186545 ]
tap $? "cc64prof takes 2,406,186,545 cycles: $(cat cycles)"
run_suite cc64prof
from_petscii <disk/cc64-1.profile >guest
# Its buckets, by the addresses that it prints.
awk '{ gsub(/[][]/, "") } /^[1-8] / { printf "[bucket %s]\naddr = %s-%s\n", $NF, $2, $3; all = all " " $NF }
	END { printf "[metric cc64-1]\nbuckets =%s\n", all }' guest >buckets.ini
"$vm" --preset=cc64prof --dir disk --type 'profile-cc64-1\ncc suite.c\nprofile2file cc64-1.profile\n' \
	--buckets=buckets.ini --bucket-report=host disk/cc64prof >/dev/null
counts() { awk '/^countstamps/ { getline; print } /^[0-8] / { print $4 }' "$1"; }
counts guest >guest.counts
counts host >host.counts
printf '%s\n' '5.300.451 6.759.271 ' 223974 113486 744244 1397684 315320 829111 146878 1875549 1113025 >known
same "cc64prof counts the known figures" known guest.counts
same "the host counts the same, in the same run" known host.counts
from_petscii <disk/cc64-1.profile | cmp -s - guest
tap $? "and the guest's report is the same, watched and not"

# Interleaved, the least of three.
for i in 1 2 3; do
	user "$vm" --preset=cc64prof --dir disk --type 'cc suite.c\n' disk/cc64prof >>plain
	user "$vm" --preset=cc64prof --dir disk --type 'cc suite.c\n' --buckets=buckets.ini --bucket-report=host \
		disk/cc64prof >>watched
done
awk -v a="$(sort -n plain | head -1)" -v b="$(sort -n watched | head -1)" 'BEGIN { printf "%.2f s, watched %.2f s\n", a, b;
	exit !(b <= 1.5 * a) }' >times
tap $? "the profiled compile takes at most 1.5 times the other: $(cat times)"

# ---- cc64's own tests
if command -v cc >/dev/null; then
	cp -r "$cc64" copy
	cp "$here/run-in-c64emu.sh" copy/emulator/
	mkdir bin
	for tool in ascii2petscii petscii2ascii; do
		cc -w -o bin/$tool copy/tools/$tool.c copy/tools/petscii.c copy/tools/openfiles.c
	done
	cc -w -o bin/bin2t64 copy/tools/bin2t64.c copy/tools/petscii.c copy/tools/openfiles.c
	(cd copy/tests/e2e && PATH=$tmp/bin:$PATH VM_6502=$vm make -s cc64-suite-c64_c64.result) >e2e.out 2>&1
	[ "$(cat copy/tests/e2e/cc64-suite-c64_c64.result 2>/dev/null)" = "cc64-suite-c64_c64 PASS" ]
	tap $? "cc64's make -C tests/e2e passes on the machine"
	[ -f copy/tests/e2e/cc64-suite-c64_c64.result ] || sed 's/^/# /' e2e.out | tail -10
	for suite in ctype printf stdio stdlib string strmem; do
		(cd copy/tests/lib && PATH=$tmp/bin:$PATH VM_6502=$vm make -s $suite-suite-c64_c64.result) >lib.out 2>&1
		[ "$(cat copy/tests/lib/$suite-suite-c64_c64.result 2>/dev/null)" = "$suite-suite-c64_c64 PASS" ]
		tap $? "the suite of cc64's library for $suite passes"
		[ -f copy/tests/lib/$suite-suite-c64_c64.result ] || sed 's/^/# /' lib.out | tail -10
	done
fi
finish
