#!/bin/sh
# SPDX-License-Identifier: MIT
# The floats of the Forth's library against those of the host, as awk has them: the four operations and the square root
# must give the same bits, functions the same except for the last bits; numbers read and printed must be the
# same. Then what happens when there is no room for the library.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"

"$vm" --cycles=20000000000 -I "$here/tests/forth" floats.fth >floats.tap
status=$?
relay floats.tap
[ $status = 0 ] && grep -q '^1\.\.' floats.tap
tap $? 'floats.fth comes to its end'

awk 'function number(  r) {
		r = (2 * rand() - 1) * exp(log(2) * int(rand() * 60 - 30))
		if (rand() < 0.2) r = int(r) + 0
		if (rand() < 0.03) r *= 1e-290
		if (rand() < 0.03) r *= 1e280
		return r
	}
	function same(text, r) { if (r < 1e308 && r > -1e308) printf "%s %.17e exact\n", text, r }
	function near(text, r) { printf "%s %.17e close\n", text, r }
	BEGIN {
		srand(7)
		print "need floating"
		print "variable wrong  variable done"
		print ": told?  1 done +!  0= if 1 wrong +! source type cr then ;"
		print ": exact  0e f~ told? ;"
		print ": close  f2dup f= if fdrop fdrop true else -6e-16 f~ then told? ;"
		for (i = 0; i < 400; i++) {
			a = number(); b = number(); x = sprintf("%.17e", a); y = sprintf("%.17e", b)
			same(x " " y " f+", a + b); same(x " " y " f-", a - b); same(x " " y " f*", a * b)
			if (b != 0) same(x " " y " f/", a / b)
			same(x " fabs fsqrt", sqrt(a < 0 ? -a : a))
			c = 40 * rand() - 20; x = sprintf("%.17e", c)
			near(x " fexp", exp(c)); near(x " fabs fln", log(c < 0 ? -c : c))
			near(x " fsin", sin(c)); near(x " fcos", cos(c)); near(x " " y " fatan2", atan2(c, b))
		}
		print "done @ . wrong @ ."
	}' >random.fth
is 'arithmetic is the host'\''s to the bit, functions are except for the last bits' "$(($(wc -l <random.fth) - 6)) 0 " \
	"$("$vm" --cycles=20000000000 random.fth | tail -5)"

awk 'BEGIN {
		srand(8)
		print "need floating  17 set-precision"
		for (i = 0; i < 300; i++) {
			a = (2 * rand() - 1) * exp(log(10) * int(rand() * 600 - 300))
			printf "%.17e fs. cr\n", a
			t = sprintf("%.16e", a); mantissa = exponent = t
			sub(/e.*/, "", mantissa); sub(/.*e/, "", exponent)
			print mantissa "E" (exponent + 0) " " >"wanted"
		}
	}' >print.fth
"$vm" --cycles=20000000000 print.fth >got
same "digits are those of the float's exact value" wanted got

is 'need throws if there is no room, before anything is defined' '-8 0 1. ' \
	"$("$vm" -e ': t s" floating.fth" required ; create x 15000 allot '\'' t catch . [defined] fa . -15000 allot need floating 1e f.')"
is 'and says so' 'floating.fth:8: needs-room: dictionary overflow' "$("$vm" -e 'create x 15000 allot need floating' 2>&1 | head -1)"
is 'a forgotten library reads no numbers' '1e: undefined word' "$("$vm" -e 'need floating forget fshl 1e' 2>&1 | head -1)"
is 'an error at the prompt empties the stack of floats' '2 0 ' \
	"$("$vm" -e 'need floating 1e 2e fdepth . error-hook @execute fdepth .')"
is 'a saved system has them' '0.5 ' "$("$vm" -e 'need floating save-system f.img' && "$vm" --image=f.img -e '1e 2e f/ f.')"
"$vm" -e 'need floating save-system floats.img'
"$ZPROF_BUILD/tests/vm-6502/forth_lockstep" "$PWD/floats.img" "$here/tests/forth" all-native.fth float-steps.fth >lockstep.tap
failed=$?
grep '^not ok' lockstep.tap | sed 's/^/# /'
tap $failed 'they are the same natively and with --pure, at every NEXT'

is 'need finds files of the program' '5 ' "$(echo ': five 5 ;' >five.fth; "$vm" -e 'need five need five five .')"
is 'and names a missing file' 'none.fth: no such file' "$("$vm" -e 'need none' 2>&1 | head -1)"
finish
