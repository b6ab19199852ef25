#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands in the README of vm-6502: each block of console text is run, and must print what stands there. Forth
# sources are put into the files that their first lines name.
. "${0%/*}/../lib/tap.sh"
readme=$(dirname "$0")/../../vm-6502/README.md
PATH=$ZPROF_BUILD:$PATH
sed -n '/^```asm/,/^```$/p' "$readme" | sed '1d;$d' >primes.s
sed -n '/^```c$/,/^```$/p' "$readme" | sed '1d;$d' >stats.c
awk '/^```/ { file = ""; wanted = $0 == "```forth"; next }
	wanted { if (!file) { file = $2; sub(/:$/, "", file) } print >file }' "$readme"
sed -n '/^```console/,/^```$/p' "$readme" | grep -v '^```' >expected
# shellcheck disable=SC2016
grep '^\$ ' expected | sed 's/^\$ //' >commands
while read -r command; do
	printf '$ %s\n' "$command"
	sh -c "$command" </dev/null 2>&1
done <commands >printed
[ -s commands ] || echo "(there are no commands in it)" >printed
same "the README's commands print what it says" expected printed
finish
