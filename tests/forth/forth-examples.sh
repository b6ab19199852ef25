#!/bin/sh
# SPDX-License-Identifier: MIT
# The Forth's examples, played to their ends.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"
run() { # OPTION...: what is typed comes from stdin
	"$vm" --cycles=300000000 -I "$here/vm-6502/examples" "$@" 2>&1
	echo "($?)"
}

# ---- the session, from a script
is 'a session' '5 0 1 4 9 16 25 36 49 64 81 21 321 FF : gcd tuck ( x1 x2 -- x2 x1 x2 ) (0)' \
	"$(run <"$here/vm-6502/examples/session.txt" | sed '/^ *[0-9A-F]\{4\} /d' | xargs)"

# ---- the game: found by trying all numbers, and given up
tries() { awk 'BEGIN { for (i = 123; i < 9877; i++) printf "%04d\n", i }'; }
guesses=$(tries | grep -v '\(.\).*\1' | sed '/4839/q' | wc -l)
is 'digits: the secret is found' "4839|found, with $guesses guesses|(0)" \
	"$( (tries; echo) | run digits.fth -e '2012 secret hidden places type space cr play' | grep -v -e right -e different |
		sed 's/^[? ]*//; s/ $//' | paste -sd '|')"
is 'digits: right, and right in another place' '? 1 right, 1 elsewhere|? 0 right, 4 elsewhere|? four digits, all different|? four digits, all different|? it was 4839|(0)' \
	"$(printf '%s\n' 1234 8493 1123 12x4 '' | run digits.fth -e '2012 secret play' | paste -sd '|')"
is 'digits: every secret has four digits' '(0)' \
	"$(run digits.fth -e ': all 2000 0 do i secret hidden guess places move alike? hidden places digits? 0= or if i . then loop ; all' </dev/null)"

# ---- the adventure
play() { # LINE...: what is answered, between bars
	printf '%s\n' "$@" | run lighthouse.fth -e play | sed -n "s/'/./g; s/^> \(.\)/\1/p" | paste -sd '|'
}
key="take shell,examine shell,take key"
oil="e,take can,take lantern,w,n,w,take match,light lantern,d,fill can,u,e"
lines() { # LINES, parted by commas: the last lines of a game
	echo "$1" | tr ',' '\n' | run lighthouse.fth -e play | sed "s/'/./g; s/^> //"
}
is 'lighthouse: the way to the end' 'You did it in 20 turns.' "$(lines "$key,$oil,UNLOCK door,u,fill lamp,inventory,Light Lamp" | tail -2 | head -1)"
is 'lighthouse: what is refused' 'There is no way in that direction.|It is not here.|What?|I do not know what .moon. is.|You do not have it.|That is no use.|I cannot .bye.. HELP says what I can.|The light stays out.' \
	"$(play s 'take can' take 'take moon' 'drop shell' 'light shell' bye 'quit bye')"
is 'lighthouse: one door, one key' 'The iron door is locked.|You have no key.|You hear the sea in it, and outside of it too.|A key falls out of it.|Taken.|The key turns, and breaks. The door is open.|It is open.|Beside the great lamp|You have nothing.' \
	"$(lines 'n,u,unlock door,s,examine shell,take key,n,unlock door,unlock door,u,inventory,quit' | sed -n '/^$/d; /key\|door is\|^It is open\|You h\|Taken\|great lamp/p' | paste -sd '|')"
is 'lighthouse: the cellar is dark, and one match is all there is' 'It is dark. Something drips.|It is too dark for that.|There is nothing here to fill it with.|The wind blows the match out. It was the last one.|You have nothing to light it with.|You have a can, a lantern.' \
	"$(lines 'e,take can,take lantern,w,n,w,take match,d,examine cask,fill can,u,e,s,light lantern,light lantern,inventory,quit' | grep -e dark -e 'fill it' -e 'The wind' -e 'light it' -e 'You have a' | paste -sd '|')"
is 'lighthouse: the lamp needs oil and a flame' 'With what?|It is dry. That would be no use.|The oil runs into the lamp.|With what?|You have nothing to light it with.|A flame, then a beam. Out at sea a ship turns, slowly, away from the rocks.' \
	"$(lines "$key,$oil,drop can,unlock door,u,fill lamp,light lamp,d,take can,u,fill lamp,fill lamp,drop lantern,light lamp,take lantern,light lamp" | grep -e '^With' -e dry -e runs.into -e 'nothing to' -e beam | paste -sd '|')"
is 'lighthouse: fixed things stay' 'It stays where it is.' "$(play n 'take door' quit | cut -d '|' -f 1)"
is 'lighthouse: the ship does not wait' 'Out at sea, a ship.s horn.|The horn again, much nearer.|Wood breaks on the rocks. You are too late.' \
	"$(lines "$(yes look | head -60 | paste -sd ,)" | grep -e horn -e Wood | paste -sd '|')"
is 'lighthouse: a second game begins anew' '2 There is a shell.' \
	"$(printf '%s\n' 'take shell' quit 'drop shell' quit | run lighthouse.fth -e play -e play | grep -o 'There is a shell.' | uniq -c | xargs)"
is 'lighthouse: things stay where they are put' 'There is a shell.|Taken.|Dropped.|There is a shell.' \
	"$(printf '%s\n' 'take shell' e 'drop shell' w e quit | run lighthouse.fth -e play | sed 's/^> //' | grep -e shell -e Taken -e Dropped | paste -sd '|')"
is 'lighthouse: the end of input ends the game' 'You fall asleep.' "$(run lighthouse.fth -e play </dev/null | tail -2 | head -1)"
finish
