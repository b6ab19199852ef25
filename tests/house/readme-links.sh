#!/bin/sh
# SPDX-License-Identifier: MIT
# readme-links.sh - every link in a Markdown file leads somewhere: to a file of this repository, or a folder, and to a heading there.
# Links to other machines are not followed. Every feature has a page for users, to which the README leads.
. "${0%/*}/../lib/tap.sh"
cd "${0%/*}/../.." || exit 2

# FILE TARGET, one per line, of links and pictures in pages given as arguments; not in blocks of code, nor in `code`.
links() {
	awk '
		FNR == 1 { text = ""; fence = 0 }
		/^ *```/ { fence = !fence; next }
		fence { next }
		{
			gsub(/`[^`]*`/, "code")
			text = text " " $0
			while (match(text, /\]\([^)]*\)/)) {
				target = substr(text, RSTART + 2, RLENGTH - 3)
				sub(/ .*/, "", target)
				print FILENAME, target
				text = substr(text, RSTART + RLENGTH)
			}
		}' "$@"
}
# The names that GitHub gives the headings of page $1.
anchors() {
	awk '/^```/ { fence = !fence } !fence && /^#+ /' "$1" |
		sed -E 's/^#+ +//; s/\[([^]]*)\]\([^)]*\)/\1/g; s/[^[:alnum:] _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]' |
		awk '{ n = seen[$0]++; print n ? $0 "-" n : $0 }'
}

git ls-files --cached --others --exclude-standard '*.md' >"$TEST_TMP/pages"
# shellcheck disable=SC2046
links $(cat "$TEST_TMP/pages") >"$TEST_TMP/links"
while read -r page target; do
	case $target in *://* | mailto:*) continue ;; esac
	path=${target%%#*}
	case $path in
	'') file=$page ;;
	/*) file=$path ;; # of the machine, not of the repository
	*) file=$(dirname "$page")/$path ;;
	esac
	# What git does not know is only on this machine.
	if [ "${path#/}" != "$path" ] || [ -z "$(git ls-files --cached --others --exclude-standard -- "$file")" ]; then
		echo "$page: no $target"
	elif [ "${target#*#}" != "$target" ] && ! anchors "$file" | grep -qxF -e "${target#*#}"; then
		echo "$page: no heading $target"
	fi
done <"$TEST_TMP/links" >"$TEST_TMP/broken"
[ ! -s "$TEST_TMP/broken" ] && [ "$(wc -l <"$TEST_TMP/links")" -ge 50 ]
tap $? "every link leads to a file, and to a heading of it" || sed 's/^/# /' "$TEST_TMP/broken"

for feature in $(sed -n 's/^\([a-z_]*\).*/\1/p' report/uses); do
	[ "$feature" = core ] || grep -qF "](report/$feature/README.md" README.md || echo "$feature"
done >"$TEST_TMP/missing"
[ ! -s "$TEST_TMP/missing" ]
tap $? "the README leads to the page of each feature" || sed 's/^/# /' "$TEST_TMP/missing"

[ "$(wc -l <README.md)" -le 250 ]
tap $? "the README is no manual: 250 lines at most"
finish
