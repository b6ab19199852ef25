#!/bin/sh
# SPDX-License-Identifier: MIT
# A 6502 program's subroutines as zones of zprof: the calls that zprof reports are those that the program makes, nothing was lost or misused, and the program's own zone is below the emulator's functions.
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
ca65 -g -I "$ZPROF_BUILD" "$here/profile.s" -o profile.o &&
	ld65 -C "$here/image.cfg" profile.o -Ln profile.lab -o profile.img || exit 1
LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output="$TEST_TMP/profile.zprof" \
	"$ZPROF_BUILD/vm-6502" --image=profile.img --symbols=profile.lab </dev/null
"$ZPROF_BUILD/zprof" graph --json profile.zprof >graph.json
awk 'NR > 3 && NF == 0 { exit } NR > 3 { print $7, $4 }' "$here/profile.expected" | grep -v root | sort >own
sed -n 's/.*"name":"\([^"]*\)".*"group":"6502","calls":\([0-9]*\),.*/\1 \2/p' graph.json | sort >theirs
[ -s own ] && cmp -s own theirs
tap $? "zprof reports the calls of each subroutine" || diff own theirs | sed 's/^/# /'
grep -q '"losses":{}' graph.json
tap $? "nothing lost, nothing misused" || grep '"losses"' graph.json | sed 's/^/# /'
id() { sed -n 's/.*"id":\([0-9]*\),"name":"'"$1"'".*"group":'"$2"',.*/\1/p' graph.json; }
grep -q "\"caller\":$(id run_slices null),\"callee\":$(id main '"6502"'),\"calls\":1," graph.json
tap $? "the program is called by the emulator"
finish
