#!/bin/sh
# SPDX-License-Identifier: MIT
# What one meets in a day's work with the Forth: words that another Forth has or does, notes and errors that help.
set -u
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"
prints() { # WHAT EXPECTED TEXT [SED]: what the Forth says to TEXT, lines ended by |, changed by sed
	is "$1" "$2" "$("$vm" --cycles=300000000 -e "$3" 2>&1 </dev/null | tr '\n' '|' | sed "${4:-}")"
}
# shellcheck disable=SC2016
{
prints '." outside of a definition prints' 'abc 0 ' '." abc " depth .'
prints 'and leaves nothing in the dictionary' 'abc-1 ' 'here ." abc" here = .'
prints 'abort" outside of a definition does nothing without a reason' '0 ' '0 abort" no" depth .'
prints 'and else ends with its text' 'abort": too bad|   1 abort" too bad" 2 .|     ^^^^^^|' '1 abort" too bad" 2 .'
prints 'both in a definition, and postponed' 'one two one -2 ' ': t ." one " abort" bad" ; : u postpone ." ; immediate : v u two " ; 0 t v 1 '"' t catch ."
prints 'a vocabulary in place of FORTH can be left' '1 ' 'vocabulary v v only 1 .'
prints 'by BYE too' '' 'vocabulary v v bye 1 .'
prints 'and by FORTH; ORDER tells' 'v root-wordlist   compiling to Forth |Forth root-wordlist   compiling to Forth |' 'vocabulary v v order forth order'
prints 'an empty order is empty' '-50 ' ': t 0 set-order '"['] previous catch only . ; t"
prints 'SEE of a code word is a disassembly, to its end' 'code four |   addr  a9 04     lda #$04|   addr  d0 fe     bne $addr|' \
	'code four 4 # lda  begin, eq until, end-code  : after ; see four' 's/   [0-9a-f]\{4\}  /   addr  /g; s/\$[0-9a-f]\{4\}|/$addr|/'
prints 'of which it shows one after the other' '   addr  a9 05     lda #$05|   addr  ea        nop|   addr  ea        nop|0 ' \
	"code five 5 # lda nop end-code  ' five see-code ' five 4 + .instruction next-header @ - ." 's/   [0-9a-f]\{4\}  /   addr  /g'
prints 'a deferred word without an action says so' 'd: deferred word without an action|   defer d d|           ^|' 'defer d d'
prints 'and can be caught' '-262 ' "defer d ' d catch ."
prints 'as what it does at first' '-262 ' "' no-action catch ."
prints 'the largest numbers' '-32768 65535 -2147483648 4294967295 ' '-32768 . 65535 u. -2147483648. d. 4294967295. ud.'
for number in 65536 -32769 100000 4294967297 '$10000' 4294967296. -2147483649. 99999999999999999999.; do
	prints "$number is not cut without a note" "cut to fit: $number" "$number" 's/|.*//'
done
prints 'the note can be switched off' '34464 ' 'warnings off 100000 u.'
prints 'it is a word that is told of the number' '-1 |a: b|' "' (cut) cut-hook @ = .  s\" b\" s\" a: \" (note) 2drop"
prints 'a failed open in a word names the file' 't: no such file: none.txt' ': t s" none.txt" r/o open-file throw ; t' 's/|.*//'
prints 'and why' 't: file input or output error: ../x (the name leads out of --dir)' ': t s" ../x" r/o open-file throw ; t' 's/|.*//'
prints 'an INCLUDE says the name once' 'none.fth: no such file|   include none.fth|           ^^^^^^^^|' 'include none.fth'
prints 'a name of a helper can be taken without a note' '' ': check ; : same? ; : length ; : result ; : wanted ;'
prints 'nor one that is marked so' 'redefined yours|' ': mine ; : yours ; s" private mine" evaluate  : mine ; : yours ;'
prints 'of the library too' '' 'need floating : kept ; : big ; : f-digits ;'
prints 'but a word that is to be used is told' 'redefined dup|redefined f+|' 'need floating : dup ; : f+ ;'
prints 'a structure that was not begun is not ended' 'else: control structure mismatch|   : x else ;|       ^^^^|' ': x else ;'
for words in 'then' until again while repeat loop +loop 'if loop' 'if repeat'; do
	prints "nor by $words" "${words#if }: control structure mismatch" ": x $words" 's/|.*//'
done
for word in 'then' 'else' until again while repeat loop leave recurse; do
	prints "$word interpreted compiles nothing" "$word: interpreting a compile-only word" "1 2 3 $word" 's/|.*//'
done
for word in see to is forget help locate edit include require need char "'" save-system '0 turnkey'; do
	prints "$word wants a name, and says so" "${word#0 }: a name is missing" "$word" 's/|.*//'
done
prints 'locate says which word there is not' 'nosuch: undefined word|   locate nosuch|          ^^^^^^|' 'locate nosuch'
prints 'the mark stands below letters of several bytes' 'größer: undefined word|   s" naïve €" größer|               ^^^^^^|' 's" naïve €" größer'
prints 'a message begins on a line of its own' '5 |nosuch: undefined word|   5 . nosuch|       ^^^^^^|' '5 . nosuch'
prints 'a note too' '5 |redefined dup|6 ' '5 . : dup ; 6 .'
"$vm" -e '5 . nosuch' 2>err | grep -q '^5 $' && [ "$(head -1 err)" = 'nosuch: undefined word' ]
tap $? "but adds nothing to what goes elsewhere"
printf '5 .\n( no end\n: gone ;\n' >open.fth
prints 'a comment without an end is an error' '5 |open.fth:3: (: unexpected end of file|' 'include open.fth'
}
finish
