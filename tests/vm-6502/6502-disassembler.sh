#!/bin/sh
# SPDX-License-Identifier: MIT
# The disassembler against ca65: what it prints for random bytes assembles to those bytes.
vm=$ZPROF_BUILD/vm-6502
cat >flat.cfg <<'END'
MEMORY { RAM: start = $0300, size = $f000, file = %O; }
SEGMENTS { CODE: load = RAM, type = rw; }
END
. "${0%/*}/../lib/tap.sh"
round_trip() { # CPU FILE WHAT
	"$vm" --machine=flat --cpu="$1" --load=0300 --disassemble "$2" >"$2.s" &&
		ca65 "$2.s" -o "$2.o" && ld65 -C flat.cfg "$2.o" -o "$2.again" && cmp "$2" "$2.again"
	tap $? "$1: $3"
}
# Every opcode eight times, operands in zero page among them, each followed by a NOP.
octal() { LC_ALL=C awk -v "seed=$1" 'BEGIN { srand(seed); for (o = 0; o < 256; o++) for (i = 0; i < 8; i++) {
	printf "\\%03o\\%03o\\%03o\\%03o", o, rand() * 256, rand() < 0.5 ? 0 : rand() * 256, 234 } }'; }
printf "$(octal 1)" >all
round_trip 6502 all "every opcode"
round_trip 65c02 all "every opcode"
for seed in 2 3 4; do
	printf "$(LC_ALL=C awk -v "seed=$seed" 'BEGIN { srand(seed); for (i = 0; i < 12000; i++) printf "\\%03o", rand() * 256 }')" >noise
	round_trip 6502 noise "random bytes $seed"
	round_trip 65c02 noise "random bytes $seed"
done
finish
