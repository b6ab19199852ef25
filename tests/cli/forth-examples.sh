#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples of the Forth, played to their ends.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
vm=$ZPROF_BUILD/vm-6502
n=0
is() { # WHAT WANTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf 'wanted: %s\n   got: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}
run() { # OPTION...: what is typed comes from stdin
	"$vm" --cycles=300000000 -I "$here/vm-6502/examples" "$@" 2>&1
	echo "($?)"
}

# ---- the session, typed by nobody
is 'a session' '5 0 1 4 9 16 25 36 49 64 81 21 321 FF : gcd tuck ( x1 x2 -- x2 x1 x2 ) (0)' \
	"$(run <"$here/vm-6502/examples/session.txt" | sed '/^ *[0-9A-F]\{4\} /d' | xargs)"

# ---- the game: found by trying all there is, and given up
tries() { awk 'BEGIN { for (i = 123; i < 9877; i++) printf "%04d\n", i }'; }
guesses=$(tries | grep -v '\(.\).*\1' | sed '/4839/q' | wc -l)
is 'digits: the secret is found' "4839|found, with $guesses guesses|(0)" \
	"$( (tries; echo) | run digits.fth -e '2012 secret hidden places type space cr play' | grep -v -e right -e different |
		sed 's/^[? ]*//; s/ $//' | paste -sd '|')"
is 'digits: right and elsewhere' '? 1 right, 1 elsewhere|? 0 right, 4 elsewhere|? four digits, all different|? four digits, all different|? it was 4839|(0)' \
	"$(printf '%s\n' 1234 8493 1123 12x4 '' | run digits.fth -e '2012 secret play' | paste -sd '|')"
is 'digits: every secret has four digits' '(0)' \
	"$(run digits.fth -e ': all 2000 0 do i secret hidden guess places move alike? hidden places digits? 0= or if i . then loop ; all' </dev/null)"

# ---- the adventure
is 'lighthouse: the way to the end' 'You did it in 11 turns.' \
	"$(printf '%s\n' e 'take oil' w n w 'TAKE match' e u 'fill lamp' inventory light | run lighthouse.fth -e play | tail -2 | head -1)"
is 'lighthouse: what is refused' 'There is no way in that direction.|It is not here.|What?|I do not know what .moon. is.|You do not have it.|There is nothing here to do that with.|I cannot .bye.. HELP says what I can.|The light stays out.' \
	"$(printf '%s\n' s 'take oil' take 'take moon' 'drop shell' light bye 'quit bye' | run lighthouse.fth -e play | sed -n "s/'/./g; s/^> \(.\)/\1/p" | paste -sd '|')"
is 'lighthouse: the lamp wants oil and a flame' 'You have nothing to light it with.|With what?|It is dry. That would waste the match.' \
	"$(printf '%s\n' n u light fill d w 'take match' e u light quit | run lighthouse.fth -e play | sed -n 's/^> \(.\)/\1/p' | grep -e with -e what -e dry | paste -sd '|')"
is 'lighthouse: things stay where they are put' 'There is a shell.|Taken.|Dropped.|There is a shell.' \
	"$(printf '%s\n' 'take shell' e 'drop shell' w e quit | run lighthouse.fth -e play | sed 's/^> //' | grep -e shell -e Taken -e Dropped | paste -sd '|')"
is 'lighthouse: nobody types for ever' 'You fall asleep.' "$(run lighthouse.fth -e play </dev/null | tail -2 | head -1)"
echo "1..$n"
