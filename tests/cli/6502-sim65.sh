#!/bin/sh
# SPDX-License-Identifier: MIT
# The same program on sim65 (cc65) and on vm-6502: the same checksum of what it computed, as exit status and as A, and the
# same cycles, of which sim65 leaves out the last JSR.
here=$(cd "$(dirname "$0")/../vm6502" && pwd)
ca65 -I "$here/bench" "$here/cmos.s" -o cmos.o && ld65 -C "$here/bench/sim65.cfg" cmos.o -o cmos.sim || exit 1
theirs=$(sim65 -c cmos.sim)
status=$?
ours=$("$ZPROF_BUILD/vm-6502" --machine=flat --cpu=65c02 --skip=12 --load=400 --stop=fff9 --registers cmos.sim)
wanted="stopped at fff9 after $((${theirs%% *} + 6)) cycles
A $(printf %02x $status) "
case "$ours" in
"$wanted"*) echo "ok 1 - 65C02: as sim65" ;;
*)
	printf 'sim65: %s, status %s\n%s\n' "$theirs" "$status" "$ours" | sed 's/^/# /'
	echo "not ok 1 - 65C02: as sim65"
	;;
esac
echo "1..1"
