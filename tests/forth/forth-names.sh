#!/bin/sh
# SPDX-License-Identifier: MIT
# Each source file of the Forth opens with a list of the words it defines; here the lists are compared
# with the image, both ways, and with the tests: a word that no test uses is reported.
set -u
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
"$ZPROF_BUILD/vm-6502" -I "$here/tests/forth" -e 'need floating' names.fth >image.all || { tap 1 "the image lists its words"; exit 1; }
grep -v -e '^forth-machine.fth ' -e '^names.fth ' image.all | sort -u >image
for f in "$here"/vm-6502/forth/*.s "$here"/vm-6502/forth/*.fth "$here"/vm-6502/forth/library/*.fth; do
	awk -v file="${f##*/}" -F '\t' '
		!/^[;\\]/ { if (NF) exit }
		/^[;\\]\t[^\t]+\t\(/ { n = split($2, name, " "); for (i = 1; i <= n; i++) print file, name[i] }' "$f"
done | sort -u >lists
check() { # WHAT FILE: of those for which it does not hold
	[ ! -s "$2" ]
	tap $? "$1" || sed 's/^/# /' "$2"
}
comm -23 image lists >unlisted
comm -13 image lists >undefined
# What tests use: the words of their code, and of texts that they pass to the Forth.
cat "$here"/tests/forth/*.fth "$here"/tests/forth/forth-*.sh | awk '
	$1 == "testing" || $1 == "#" { next }
	{
		for (i = 1; i <= NF; i++) {
			word = tolower($i)
			used[word]
			if (word == "\\") break
			gsub(/^["'\'']+/, "", word)
			used[word]
			gsub(/["'\''`;]+$/, "", word)
			used[word]
		}
	}
	END { for (word in used) print word }' | sort >used
awk 'NR == FNR { used[$1]; next } !(tolower($2) in used) { print }' used lists >untested
check "each word of the image is in the list of its file" unlisted
check "each word listed is in the image, from that file" undefined
# Parts of the library's words are tested by these words.
grep -v '^float' untested >untested.system
check "each word listed is used by a test" untested.system
[ "$(wc -l <image)" -gt 500 ]
tap $? "there are more than 500 words"
finish
