#!/bin/sh
# SPDX-License-Identifier: MIT
# vm-6502's command line: where programs stop, and its message and status then; the monitor; a profile whose figures
# were counted by hand; the forth machine's devices, one after the other.
here=$(cd "$(dirname "$0")" && pwd)
vm=$ZPROF_BUILD/vm-6502
flat="$vm --machine=flat"
. "${0%/*}/../lib/tap.sh"
prints() { # WHAT STATUS EXPECTED-OUTPUT COMMAND...
	what=$1 want=$2 text=$3
	shift 3
	got=$("$@" 2>&1 </dev/null)
	status=$?
	[ "$status" = "$want" ] && [ "$got" = "$text" ]
	tap $? "$what" || printf 'status %s:\n%s\n' "$status" "$got" | sed 's/^/# /'
}
image() { # NAME: builds NAME.img and NAME.lab
	ca65 -g -I "$ZPROF_BUILD" "$here/$1.s" -o "$1.o" &&
		ld65 -C "$here/image.cfg" "$1.o" -Ln "$1.lab" -o "$1.img"
}

printf '\242\003\312\320\375\114\005\004' >loop    # LDX #3, DEX, BNE, JMP 0405
printf '\352\352\222' >jam                         # NOP, NOP, a JAM
prints "a self-jump is found, before it runs" 0 "loop at 0405 after 16 cycles" \
	$flat --load=0400 --start=0400 --until-loop loop
prints "a stop address" 0 "stopped at 0402 after 2 cycles" $flat --load=400 --stop='$402' loop
prints "a cycle limit" 1 "out of cycles at 0405 after 1000 cycles" $flat --load=0400 --cycles=1000 loop
prints "a JAM says where" 1 "vm-6502: the processor jammed: opcode 92 at 0002 after 4 cycles; \
--monitor looks around there, --trace shows how it got there" $flat jam
# Reads f004 and writes f001 until it reads 0, and then goes on.
printf '\255\004\360\215\001\360\114\000\004' >echo
printf 'one\ntwo\n' >lines
printf 'one\ntwo\n' | $flat --load=0400 --putc=f001 --getc=f004 --exit-at-eof echo | tr -d '\0' | cmp - lines
tap $? "--exit-at-eof leaves at the end of the input"
printf 'x\n' | $flat --load=0400 --putc=f101 --getc=f004 --newline=cr --cycles=20 --registers echo | grep -q 'A 0d'
tap $? "--newline=cr: the program reads CR"
printf 'x\n' | $flat --load=0400 --putc=f001 --getc=f004 --newline=cr --exit-at-eof echo | tr -d '\0' | od -c | grep -q ' x  *\\n$'
tap $? "--newline=cr: a CR that the program writes ends a line"
prints "a missing file" 1 "vm-6502: cannot open 'none': No such file or directory" $flat none
prints "an unknown option" 2 "vm-6502: there is no option '--bogus': see --help" "$vm" --bogus
prints "a wrong address" 2 "vm-6502: 'xyzzy' is neither an address nor a symbol" $flat --load=xyzzy loop
prints "a file that doesn't fit" 1 "vm-6502: 'loop' has 8 bytes, too many to load at fffc" $flat --load=fffc loop
"$vm" --help | grep -q -- --until-loop
tap $? "--help"

printf 'x 1\nr\ns 2\nb 405\nw 10\ne 10 2a\nm 10 11\nd 400 402\ng\nq\n' |
	$flat --load=0400 --monitor loop >monitor.out
cmp monitor.out "$here/monitor.expected"
tap $? "the monitor's commands"

image profile
"$here/../tools/vm_profile.sh" profile.out "$vm" --image=profile.img --symbols=profile.lab </dev/null &&
	cmp profile.out "$here/profile.expected"
tap $? "a profile: recursion, RTS as a jump, an escape, an interrupt, to the cycle"

image files
mkdir in inc
echo secret >secret
echo i >inc/included
ln -s ../secret in/link
printf 'a line\nxy' | "$vm" --image=files.img --dir=in -I inc -e 'one 1' file.fth -- word >files.out 2>files.err
[ $? = 7 ] && [ "$(cat files.err)" = '!' ] && cmp files.out "$here/files.expected" &&
	[ "$(cat secret)" = secret ] && [ "$(ls in)" = link ]
tap $? "the forth machine's operations, and no way out of its folder"
finish
