#!/bin/sh
# SPDX-License-Identifier: MIT
# join.sh PAGE STYLES PART... - prints PAGE with the files STYLES and the parts of the script inside, and with the script's hash where the
# page allows it.
set -eu
page=$1 styles=$2
shift 2
# The hash of the text between the tags, to the byte.
hash=$(/usr/bin/printf '%b' "$(cat "$@" | sha256sum | cut -c1-64 | sed 's/../\\x&/g')" | base64)
sed "s|@HASH@|$hash|" "$page" | awk -v styles="$styles" -v parts="$*" '
	function put(files, count, file, i, line) {
		count = split(files, file, " ")
		for (i = 1; i <= count; i++) while ((getline line <file[i]) > 0) print line
	}
	/@STYLE@/ { put(styles); next }
	/@SCRIPT@/ { printf "<script>"; put(parts); print "</script>"; next }
	{ print }'
