#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof record --verify`: a second run with all hooks off says where the program spends its time by itself.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
root=$(cd "$(dirname "$0")/../.." && pwd)
unset ZPROF_RUN ZPROF_OPTIONS
build() { # FLAGS OF ZPROF CFLAGS...
	# shellcheck disable=SC2046
	gcc -w -O2 $("$zprof" cflags "$@") -I"$root" "$root/tests/second_run/verified.c" -o verified || exit 1
}
verify() { # PROGRAM ARGUMENT...: makes out, said, status
	rm -f zprof.out* notes
	"$zprof" record --verify "$@" >out 2>said
	status=$?
}
share() { # COLUMN NAME: in points
	awk -v column="$1" -v name="$2" '$NF == name { print $column }' said
}
between() { # WHAT LEAST VALUE MOST
	awk -v least="$2" -v value="${3:-none}" -v most="$4" 'BEGIN { exit !(value != "none" && value + 0 >= least && value + 0 <= most) }'
	tap $? "$1" || sed "s/^/# /" said
}
# This needs samples taken from outside.
gcc -w -O2 $("$zprof" cflags --fentry) -I"$root" "$root/tests/second_run/verified.c" -o verified || exit 1
verify ./verified 1 notes
if grep 'cannot take samples' said; then
	skip "record --verify" "the system does not allow samples"
	finish
	exit
fi

echo "from here" >input
for flags in --fentry ""; do
	# shellcheck disable=SC2086
	build $flags
	verify ./verified 4000 notes <input
	is "hooks${flags:+ by }$flags: the program's output and status are those of its first run" "0 done" "$status $(cat out)"
	is "the second run has its hooks off, and reads the same input" \
		"hooks are on, input is from here,,hooks are off, input is from here,," "$(tr '\n' , <notes)"
	# heavy() has three of four steps, and busy() almost no time.
	between "heavy() takes three quarters" 65 "$(share 1 heavy)" 78
	between "light() takes a quarter" 20 "$(share 1 light)" 28
	between "the profile shows about the same" 55 "$(share 2 heavy)" 85
	between "the distance is in points" 0 "$(sed -n 's/.* are \([0-9.]*\) points of 100 apart.*/\1/p' said)" 30
	between "and the part of it due to chance" 0.01 "$(sed -n 's/.* chance makes \([0-9.]*\)\..*/\1/p' said)" 20
	sum=$(awk '/^% native/ { on = 1; next } on && NF >= 4 { sum += $1 } END { print sum }' said)
	between "the rows add up to the whole" 99.5 "$sum" 100.5
	if [ "$flags" ]; then grep -q 'not quite native' said; [ $? = 1 ]; else grep -q 'not quite native' said; fi
	tap $? "time outside the program's code is marked as such"
	is "nothing is left of the second run here" "" "$(ls zprof.out.* | sed 1d)"
done

# What the second run writes goes to a folder of its own, and that is removed.
printf '#!/bin/sh\necho "$ZPROF_OPTIONS" >>options\nexec ./verified "$@"\n' >tells && chmod +x tells
verify ./tells 100 notes <input
folder=$(sed -n 's/.*output=\(.*\)\/%p.*/\1/p' options)
is "nor elsewhere" "1 gone" "$(echo "$folder" | grep -c '^/tmp/zprof-second-') $([ -e "$folder" ] || echo gone)"
cat >killed.c <<'END'
#include <signal.h>
int main(void) { raise(SIGINT); }
END
gcc -O2 -finstrument-functions killed.c -o killed && verify ./killed
is "a program that a signal ended is not run again" "130 1" "$status $(grep -c 'ended by a signal, so it is not run again' said)"

build --fentry
echo "through a pipe" | { verify ./verified 1000 notes; }
is "input from a pipe cannot be read again" "hooks are on, input is through a pipe,,hooks are off, input is nothing," "$(tr '\n' , <notes)"
verify ./verified 1000 notes fails <input
is "the program's status is its own" "1" "$status"
is "and nothing is said of a second run that ends in the same way" 0 "$(grep -c 'the second run ended' said)"
printf '#!/bin/sh\n[ ! -f there ] || fails=fails\ntouch there\nexec ./verified 100 notes $fails <input\n' >once && chmod +x once
verify ./once
is "but of one that ends in another way" "1 0" "$(grep -c 'the second run ended with status 1, and the first with 0' said) $status"
verify --clock=exact ./verified 1000 notes <input
between "exact times are judged, too" 55 "$(share 1 heavy)" 85
verify --only heavy ./verified 1000 notes <input
is "a left-out function's time is its caller's, and no function's if that is left out, too" "heavy" "$(awk '/^% native/ { on = 1; next } on && NF >= 4 { print $NF }' said)"
expect 2 "leave out --start=off" "$zprof" record --verify --start=off ./verified 1 notes

# Calls through registers are not sites.
gcc -w -g -O2 -finstrument-functions -mcmodel=large "$root/tests/second_run/verified.c" -o verified || exit 1
verify ./verified 100 notes <input
is "where no hook can be switched off, the command says so" "0 1" "$status $(grep -c 'none of its hooks can be switched off' said)"
finish
