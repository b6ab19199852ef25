#!/bin/sh
# SPDX-License-Identifier: MIT
# The c64 machine: each entry of its system and each error of its drive, by a program in PETSCII; how programs start and end;
# keys; the STOP key; files that stay in the folder.
here=$(cd "$(dirname "$0")" && pwd)
vm="$ZPROF_BUILD/vm-6502 --machine=c64 --cycles=1000000000"
. "${0%/*}/../lib/tap.sh"
prints() { # WHAT STATUS EXPECTED-OUTPUT COMMAND...
	what=$1 want=$2 text=$3
	shift 3
	got=$("$@" 2>&1 </dev/null)
	status=$?
	[ "$status" = "$want" ] && [ "$got" = "$text" ]
	tap $? "$what" || printf 'status %s:\n%s\n' "$status" "$got" | sed 's/^/# /'
}
program() { # NAME OCTAL: machine code for 0810, behind `10 SYS 2064`
	# shellcheck disable=SC2059
	printf '\001\010\013\010\012\000\236 2064\000\000\000\352\352'"$2" >"$1"
}

# ---- entries and the drive
ca65 -t c64 "$here/kernal.s" -o kernal.o && ld65 -t none -S '$0801' kernal.o -o kernal.bin &&
	printf '\001\010' | cat - kernal.bin >kernal.prg
mkdir disk
$vm --dir disk --type 'kline\ng' kernal.prg >kernal.out
tap $? "SYS from the first line, and RTS leaves"
diff "$here/kernal.expected" kernal.out >difference
tap $? "each entry of the system, each error of the drive, both halves of s0:"
sed 's/^/# /' difference
printf '\021\042\063\104' >four
tail -c 4 disk/saved | cmp -s - four
status=$?
printf 'TU' | cmp -s - disk/text && [ "$(echo disk/*)" = "disk/saved disk/text" ] && [ $status = 0 ]
tap $? "files are bytes as they are, under translated names"
printf 'kline\ng' >keys
$vm --dir disk --keys keys kernal.prg | grep -v '^0[0-9]00\|^drive' >by_file
printf 'kline\ng' | $vm --dir disk kernal.prg | grep -v '^0[0-9]00\|^drive' | cmp -s - by_file
tap $? "keys from a file, and from stdin"
for run in first second; do
	rm -f disk/*
	$vm --dir disk --type 'kline\ng' --registers kernal.prg | tail -2 >$run
done
cmp first second && grep -q cycle first
tap $? "the same cycles every time"

# ---- how programs end
program reset '\114\342\374'         # JMP FCE2
program error '\114\173\343'         # JMP E37B
program unknown '\040\333\377\140'   # JSR FFDB
# LDA #35 STA 1, LDA #60 STA FFDB JSR FFDB, LDA #37 STA 1, RTS
program banked '\251\065\205\001\251\140\215\333\377\040\333\377\251\067\205\001\140'
program broken '\040\064\240\140'    # JSR A034
prints "a reset leaves" 0 "" $vm reset
prints "BASIC's warm start leaves with status 1" 1 "" $vm error
prints "a missing entry is named, with its caller" 1 \
	"vm-6502: the program calls ffdb from 0810: the c64 machine has no such entry" $vm unknown
prints "RAM where the system is switched off" 0 "" $vm banked
prints "a call to where there is nothing" 1 "vm-6502: the program ran into a BRK at a034" $vm broken
# The same address with the system switched off and on: JSR FFD2 twice.
program twice '\251\065\205\001\251\140\215\322\377\040\322\377\251\067\205\001\251\101\040\322\377\140'
"$here/../tools/vm_profile.sh" twice.txt $vm twice >said
[ "$(cat said)" = a ] && [ "$(awk 'NR > 3 && !NF { exit } NR > 3 { print $7, $4, $2 }' twice.txt | grep -v root | sort | paste -sd '|')" = \
	'$0810 1 36|kernal:$ffd2 1 6|ram:$ffd2 1 6' ]
tap $? "different code at one address has different names in a profile"
LD_PRELOAD="$ZPROF_BUILD/libzprof.so" ZPROF_OPTIONS=output="$PWD/twice.zprof" $vm twice >said
"$ZPROF_BUILD/zprof" graph --json twice.zprof >twice.json
grep -q '"name":"kernal:$ffd2"' twice.json && ! grep -E '"name":"(contexts_(add|enter|leave|child)|add_zone|bank[a-z_]*|zone_at|subroutines_[a-z]*|symbols_at)"' twice.json >seen
tap $? "nor has a profile functions of the emulator that ask for names"
printf '\001\010\013\010\012\000\236(2081)\000\000\000' >compiled
dd if=/dev/zero bs=1 count=18 2>/dev/null | tr '\0' '\377' >>compiled
printf '\140' >>compiled
prints "a SYS in brackets" 0 "" $vm compiled
printf '\001\010\013\010\012\000\231 2064\000\000\000' >nosys
prints "a program without SYS" 1 \
	"vm-6502: 'nosys' has no SYS in its first line: --start=ADDR says where to begin" $vm nosys
prints "no program" 1 "vm-6502: the c64 machine needs a program to run" $vm
prints "no folder" 1 "vm-6502: cannot open folder 'nowhere': No such file or directory" $vm --dir nowhere reset

# ---- keys: waits for one, prints it, again
program keys '\251\000\205\314\255\167\002\040\322\377\251\000\205\306\360\360'
prints "it ends when it waits for a key and there is none" 0 "aBc1
 {_}" $vm --type 'aBc1\n {_}' keys
$vm --screen --type 'ab\ncd' keys </dev/null >screen
[ "$(wc -l <screen)" = 25 ] || [ "$(($(wc -l <screen) % 25))" = 0 ]
status=$?
tail -25 screen | head -2 | sed 's/ *$//' | tr '\n' '|' | grep -q '^ab|cd|$' && [ $status = 0 ]
tap $? "--screen draws 25 lines"
# A program that polls the queue without waiting takes nothing: LDA C6, JSR FFB7, RTS.
program stopq '\245\306\320\375\040\267\377\140'
prints "looking at the queue takes no key" 0 "" $vm --type 'xyz' stopq

# ---- RUN/STOP with RESTORE: the handler asks for the key and leaves; before that the program waits for keys.
#	LDA #<nmi STA 0318 LDA #>nmi STA 0319 @1: LDA #0 STA CC LDA C6 BEQ *-2 STA C6 BEQ @1 … nmi: LDY DD0D BMI, JSR UDTIM
#	JSR STOP BNE, LDA #'s' JSR CHROUT JMP FCE2
program nmi '\251\051\215\030\003\251\010\215\031\003\251\000\205\314\245\306\360\374\251\000\205\306\114\032\010\254\015\335\060\015\040\352\377\040\341\377\320\005\251\123\040\322\377\114\342\374'
mkfifo fifo
$vm nmi <fifo >stopped &
pid=$!
exec 3>fifo
until grep -q '^0 0x0 ' "/proc/$pid/syscall"; do sleep 0.01; done # it reads a key
kill -INT $pid
wait $pid
[ $? = 0 ] && [ "$(cat stopped)" = s ]
tap $? "Ctrl-C is RUN/STOP with RESTORE"
exec 3>&-
program forever '\114\020\010'
timeout -s INT 1 $vm forever
[ $? != 0 ]
tap $? "Ctrl-C ends a program that does not handle it"

# ---- CLOSE leaves in X the file's place in the table, and ff if no such file is open; as digits, X + '0': an open file 2,
# again, none. LDA #2 TAX TAY JSR SETLFS, LDA #0 JSR SETNAM, LDA #3 LDX #3 LDY #0 JSR SETLFS JSR OPEN, LDA #4 … JSR OPEN,
# LDA #4 JSR CLOSE TXA ORA #30 JSR CHROUT, LDA #3 likewise, LDA #3 JSR CLOSE INX TXA ORA #30 JSR CHROUT RTS
setlfs='\040\272\377' open='\040\300\377' close='\040\303\377'
show='\212\011\060\040\322\377'
program closing '\251\003\242\003\240\000'"$setlfs$open"'\251\004\242\003\240\000'"$setlfs$open"'\251\004\242\101'"$close$show"'\251\003\242\101'"$close$show"'\251\003\242\101'"$close"'\350'"$show"'\140'
prints "CLOSE leaves the file's place in the table in X" 0 "100" $vm closing

# ---- the folder's borders: opens a name of the command line of the test, and prints the status
ln -s /etc/passwd disk/link
mkdir disk/deeper
cp kernal.prg disk/.hidden
cat >open.s <<'E2'
	.org $0801
	.word here, 10
	.byte $9e, " 2064", 0
here:	.word 0, 0
	.res $0810 - *
	lda #length
	ldx #<name
	ldy #>name
	jsr $ffbd
	lda #2
	ldx #8
	tay
	jsr $ffba
	jsr $ffc0
	lda #8
	jsr $ffb4
	lda #$6f
	jsr $ff96
@next:	jsr $ffa5
	jsr $ffd2
	cmp #13
	bne @next
	rts
name:	.byte NAME
length = * - name
E2
opens() { # NAME STATUS
	sed "s|NAME|\"$1\"|" open.s >name.s
	ca65 -t c64 name.s -o name.o && ld65 -t none -S '$0801' name.o -o name.bin && printf '\001\010' | cat - name.bin >name.prg
	prints "open $1" 0 "$2" $vm --dir disk name.prg
}
opens 'saved' '00, ok,00,00'
opens 'link' '62, file not found,00,00'
opens 'deeper' '62, file not found,00,00'
opens '../keys' '62, file not found,00,00'
opens '..' '62, file not found,00,00'
opens 'link,s,w' '63, file exists,00,00'
opens '@:link,s,w' '62, file not found,00,00'
# A pipe that nobody writes to or reads from is no file, and is not waited for.
mkfifo disk/pipe
vm="timeout 100 $vm"
opens 'pipe' '62, file not found,00,00'
opens 'pipe,s,a' '26, write protect on,00,00'
opens '@:pipe,s,w' '26, write protect on,00,00'
rm disk/pipe
chmod 500 disk
if [ "$(id -u)" = 0 ]; then
	tap 0 "a folder that may not be written (root may)"
else
	opens 'fresh,s,w' '26, write protect on,00,00'
fi
chmod 700 disk
finish
