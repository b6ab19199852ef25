#!/bin/sh
# SPDX-License-Identifier: MIT
# options.sh - texts about the library's options agree with preload/options.def.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"

"$ZPROF_BUILD/tests/options_table" >table
sed -n '/^| option | |$/,/^$/p' "$root/preload/README.md" | sed '/^$/d' | diff table - >difference
tap $? "the table in preload/README.md (the lines marked < are what it should say)"
sed 's/^/# /' difference

"$zprof" help record >help
sed -n 's/^| `\([a-z_]*\)=.*/\1/p' table | while read -r name; do
	grep -q -- "--$name" help || echo "$name"
done >missing
[ ! -s missing ]
tap $? "zprof help record names every option"
sed 's/^/# /' missing
finish
