#!/bin/sh
# SPDX-License-Identifier: MIT
# barriers.sh - each barrier of preload/ has its row in preload/base/cpu/barriers.md, and each row has its barriers.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd)
table=$root/preload/base/cpu/barriers.md

# FILE FUNCTION CALLED NUMBER, of the calls in each function. (The name of a function begins in a line's first column.)
(cd "$root" && git ls-files 'preload/*.c' 'preload/*.h' ':!preload/base/cpu/' | xargs awk '
	/^[A-Za-z].*\(/ && !/;$/ {
		name = $0
		gsub(/__attribute__\(\([^)]*\)\)/, "", name)
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
	}
	match($0, /cpu_(barrier|publish|in_order)\(/) { calls[FILENAME " " name " " substr($0, RSTART, RLENGTH - 1)]++ }
	END { for (c in calls) print c, calls[c] }') | sort >in_code
awk -F ' *[|] *' '$2 ~ /^`preload\// { gsub(/`/, ""); print $2, $3, $4, $5 }' "$table" | sort >in_table
same "each barrier has a row, and each row its barriers" in_table in_code

# A row says for whom the order is, and what arm64 needs: nothing where the thread's own handlers read, an instruction for others.
awk -F ' *[|] *' '$2 ~ /^`preload\// && (NF != 9 || $6 == "" || $7 == "" ||
	$8 != ($4 == "`cpu_publish`" ? "`dmb ishst`" : "none"))' "$table" >incomplete
[ ! -s incomplete ]
tap $? "each row has a reader, an order, and the instruction of its function" || sed 's/^/# /' incomplete
[ "$(grep -c . in_code)" -gt 20 ]
tap $? "barriers are found at all"
finish
