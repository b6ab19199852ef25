#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh FOLDER - prints page.html with page.css and page.js inside, and with the script's hash where the page allows it.
set -eu
cd "$1"
# The hash of the text between the tags, to the byte.
hash=$(/usr/bin/printf '%b' "$(sha256sum page.js | cut -c1-64 | sed 's/../\\x&/g')" | base64)
sed -e "s|@HASH@|$hash|" -e '/@STYLE@/{
r page.css
d
}' page.html | awk -v script=page.js '
	/@SCRIPT@/ { printf "<script>"; while ((getline line <script) > 0) print line; print "</script>"; next }
	{ print }'
