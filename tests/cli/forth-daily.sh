#!/bin/sh
# SPDX-License-Identifier: MIT
# What one meets in a day's work with the Forth: words that another Forth has or does, notes and errors that help.
set -u
vm=$ZPROF_BUILD/vm-6502
n=0 status=0
is() { # WHAT WANTED TEXT [SED]: what it prints, lines ended by |, changed by sed
	n=$((n + 1))
	got=$("$vm" --cycles=300000000 -e "$3" 2>&1 </dev/null | tr '\n' '|' | sed "${4:-}")
	if [ "$2" = "$got" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf 'wanted: %s\n   got: %s\n' "$2" "$got" | sed 's/^/# /'
		status=1
	fi
}
# shellcheck disable=SC2016
{
is '." outside of a definition prints' 'abc 0 ' '." abc " depth .'
is 'and leaves nothing in the dictionary' 'abc-1 ' 'here ." abc" here = .'
is 'abort" outside of a definition does nothing without a reason' '0 ' '0 abort" no" depth .'
is 'and else ends with its text' 'abort": too bad|   1 abort" too bad" 2 .|     ^^^^^^|' '1 abort" too bad" 2 .'
is 'both in a definition, and postponed' 'one two one -2 ' ': t ." one " abort" bad" ; : u postpone ." ; immediate : v u two " ; 0 t v 1 '"' t catch ."
is 'a vocabulary in place of FORTH can be left' '1 ' 'vocabulary v v only 1 .'
is 'by BYE too' '' 'vocabulary v v bye 1 .'
is 'and by FORTH; ORDER tells' 'v root-wordlist   compiling to Forth |Forth root-wordlist   compiling to Forth |' 'vocabulary v v order forth order'
is 'an empty order is empty' '-50 ' ': t 0 set-order '"['] previous catch only . ; t"
is 'SEE of a code word is a disassembly, to its end' 'code four |   addr  a9 04     lda #$04|   addr  d0 fe     bne $addr|' \
	'code four 4 # lda  begin, eq until, end-code  : after ; see four' 's/   [0-9a-f]\{4\}  /   addr  /g; s/\$[0-9a-f]\{4\}|/$addr|/'
is 'of which it shows one after the other' '   addr  a9 05     lda #$05|   addr  ea        nop|   addr  ea        nop|0 ' \
	"code five 5 # lda nop end-code  ' five see-code ' five 4 + .instruction next-header @ - ." 's/   [0-9a-f]\{4\}  /   addr  /g'
is 'a deferred word without an action says so' 'd: deferred word without an action|   defer d d|           ^|' 'defer d d'
is 'and can be caught' '-262 ' "defer d ' d catch ."
is 'as what it does at first' '-262 ' "' no-action catch ."
is 'the largest numbers' '-32768 65535 -2147483648 4294967295 ' '-32768 . 65535 u. -2147483648. d. 4294967295. ud.'
for number in 65536 -32769 100000 4294967297 '$10000' 4294967296. -2147483649. 99999999999999999999.; do
	is "$number is not cut without a note" "cut to fit: $number" "$number" 's/|.*//'
done
is 'the note can be switched off' '34464 ' 'warnings off 100000 u.'
is 'it is a word that is told of the number' '-1 a: b|' "' (cut) cut-hook @ = .  s\" b\" s\" a: \" (note) 2drop"
is 'a failed open in a word names the file' 't: no such file: none.txt' ': t s" none.txt" r/o open-file throw ; t' 's/|.*//'
is 'and why' 't: file input or output error: ../x (the name leads out of --dir)' ': t s" ../x" r/o open-file throw ; t' 's/|.*//'
is 'an INCLUDE says the name once' 'none.fth: no such file|   include none.fth|           ^^^^^^^^|' 'include none.fth'
is 'a name of a helper can be taken without a note' '' ': check ; : same? ; : length ; : result ; : wanted ;'
is 'nor one that is marked so' 'redefined yours|' ': mine ; : yours ; s" private mine" evaluate  : mine ; : yours ;'
is 'of the library too' '' 'need floating : kept ; : big ; : f-digits ;'
is 'but a word that is to be used is told' 'redefined dup|redefined f+|' 'need floating : dup ; : f+ ;'
}
exit $status
