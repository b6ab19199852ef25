#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh FOLDER PART... - prints page.html with page.css and the parts of the script inside, and with the script's hash where the
# page allows it.
set -eu
cd "$1"
shift
# The hash of the text between the tags, to the byte.
hash=$(/usr/bin/printf '%b' "$(cat "$@" | sha256sum | cut -c1-64 | sed 's/../\\x&/g')" | base64)
sed -e "s|@HASH@|$hash|" -e '/@STYLE@/{
r page.css
d
}' page.html | awk -v parts="$*" '
	/@SCRIPT@/ {
		printf "<script>"
		count = split(parts, part, " ")
		for (i = 1; i <= count; i++) while ((getline line <part[i]) > 0) print line
		print "</script>"
		next
	}
	{ print }'
