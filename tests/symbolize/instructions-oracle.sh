#!/bin/sh
# SPDX-License-Identifier: MIT
# The decoder of instructions says of distributions' code what Zydis says. What only Zydis knows is data in code, or AMD's XOP, and less
# than one in a thousand. That of arm64 says of random words what Capstone says.
. "${0%/*}/../lib/tap.sh"
cd "$(dirname "$0")/../.." || exit 2

gcc -std=gnu11 -O2 -I. tests/tools/arm64_capstone.c symbolize/arm64.c -o "$TEST_TMP/random" -lcapstone || exit 2
"$TEST_TMP/random" 2000000 >"$TEST_TMP/differ"
tap $? "arm64: instructions are decoded as Capstone does: $(tail -1 "$TEST_TMP/differ")" || head -5 "$TEST_TMP/differ" | sed 's/^/# /'

if ! echo '#include <Zydis/Zydis.h>' | gcc -E - >/dev/null 2>&1; then
	skip "instructions are decoded as Zydis does" "libzydis-dev is not installed"
	finish
fi
gcc -std=gnu11 -O2 -I. tests/tools/instruction_zydis.c symbolize/instruction.c -o "$TEST_TMP/compare" -lZydis -lelf || exit 2
files=
for file in /lib/x86_64-linux-gnu/libc.so.6 /lib/x86_64-linux-gnu/libm.so.6 /usr/bin/perl /usr/bin/git /usr/bin/gdb \
	/usr/lib/x86_64-linux-gnu/libcrypto.so.3 /usr/lib/x86_64-linux-gnu/libstdc++.so.6 /usr/lib/x86_64-linux-gnu/libsqlite3.so.0; do
	[ ! -e "$file" ] || files="$files $file"
done
# shellcheck disable=SC2086
"$TEST_TMP/compare" $files >"$TEST_TMP/found"
tap $? "instructions are decoded as Zydis does: $(tail -1 "$TEST_TMP/found")"
grep -v '^unknown' "$TEST_TMP/found" | head -5 | sed 's/^/# /'
tail -1 "$TEST_TMP/found" | awk '{ exit !($1 > 1000000 && $7 * 1000 < $1) }'
tap $? "nearly all are known"
finish
