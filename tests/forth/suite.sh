#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the public Forth 2012 test suite and prints the errors of each word set.
#
#   ZPROF_BUILD=build tests/forth/suite.sh DIR
#
# DIR is the folder that its runtests.fth is in. Without it nothing is tested, and a message says
# so.
set -u
suite=${1:-}
if [ ! -f "$suite/runtests.fth" ]; then
	echo "SKIPPED: the Forth 2012 test suite was NOT run: '$suite' has no runtests.fth"
	echo 'Get it:  git clone https://github.com/gerryjackson/forth2012-test-suite'
	echo 'Then:    make test-forth-suite SUITE=forth2012-test-suite/src'
	exit 0
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT INT TERM
echo 'a line for ACCEPT' | "$ZPROF_BUILD/vm-6502" --cycles=60000000000 --dir="$tmp" -I "$suite" runtests.fth >"$tmp/out" 2>&1
rc=$?
sed -n '/^Word Set/,/^Total/p' "$tmp/out" | grep -v '^-'
status=0
wrong() {
	echo "FAILED: $1"
	status=1
}
[ $rc = 0 ] || wrong "exit status $rc: $(tail -1 "$tmp/out")"
grep -q '^Forth tests completed' "$tmp/out" || wrong 'it did not reach its end'
grep -q '^0 tests failed out of 57' "$tmp/out" || wrong 'the preliminary tests'
grep -q '^Total  *0$' "$tmp/out" || wrong 'there are errors'
grep -n -i -A 3 -E 'incorrect result|wrong number' "$tmp/out" && wrong 'the suite reports wrong results'

# The tests of floats, each in a system of its own, since together they are too large. So is paranoia.4th alone: its
# instructions to the user are left out, and each part is loaded, run and forgotten. One test of ak-fp-test.fth needs a
# cell that holds a whole single, which 16 bits cannot.
floats() { # FILE...
	"$ZPROF_BUILD/vm-6502" --cycles=60000000000 --dir="$tmp" -I "$suite/fp" -e 'need floating' "$@" >"$tmp/out" 2>&1 ||
		wrong "$* ends with $?: $(tail -1 "$tmp/out")"
	grep -E 'INCORRECT|WRONG NUMBER|DOES NOT MATCH|BELOW' "$tmp/out" | grep -v -F 'T{ fmem cell+ @ -> 0 }T' && wrong "$*"
	grep '#ERRORS' "$tmp/out" | grep -v '#ERRORS: 0' && wrong "$*"
}
for file in fatan2-test.fs ieee-arith-test.fs ieee-fprox-test.fs fpzero-test.4th fpio-test.4th to-float-test.4th ak-fp-test.fth; do
	[ -f "$suite/fp/$file" ] || continue
	floats ttester.fs $file
	grep -q "^End of $file" "$tmp/out" || wrong "$file did not reach its end"
	echo "fp/$file"
done
if [ -f "$suite/fp/paranoia.4th" ]; then
	awk '/^: (Instructions|Heading|Characteristics|History) / { print $1, $2, ";"; skip = 1 }
		skip { if (/^;/) skip = 0; next }
		/^0 \[IF\]/ { text = 1 }
		text { if (/^\[THEN\]/) text = 0; next }
		/^: part[2-8]/ { keep = substr($2, 5, 1) }
		/^main *$/ || /^CR .\( End of paranoia/ { next }
		/^: main/ { keep = ""; main = 1 }
		main && /^\t*part[2-8] *$/ { next }
		keep { part[keep] = part[keep] $0 "\n"; next }
		{ print }
		END {
			print "main"
			for (i = 2; i <= 8; i++) printf "marker overlay\n%spart%d\noverlay\n", part[i], i
		}' "$suite/fp/paranoia.4th" >"$tmp/paranoia.fth"
	floats paranoia.fth
	sed -n '/^FAILUREs/,/^END/p' "$tmp/out"
	grep -q '^No failures, defects nor flaws' "$tmp/out" || wrong 'paranoia.4th'
fi
exit $status
