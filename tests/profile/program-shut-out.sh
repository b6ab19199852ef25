#!/bin/sh
# SPDX-License-Identifier: MIT
# program-shut-out.sh - a program that enters a chroot and gives up root, as daemons do: from then on it cannot reach its profile,
# but later threads and contexts are recorded in room reserved at that moment.
. "${0%/*}/../lib/check.sh"
unset ZPROF_OPTIONS ZPROF_RUN LD_PRELOAD
cd "$TEST_TMP" || exit 2
chmod 700 .
${CC:-gcc} -O1 -g -w -finstrument-functions "${0%/*}/shut_out.c" -o shut_out -pthread || exit 1
mkdir empty

run() { # ARGUMENT...: leaves out, err, profile
	rm -f profile
	ZPROF_OPTIONS=output=$PWD/profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./shut_out "$@" >out 2>err
}
if ./shut_out empty 1 1 >out 2>err; [ $? = 3 ]; then
	skip "a program in a chroot, as another user" "needs root"
	finish
	exit
fi

calls() { # NAME: of all threads
	"$ZPROF_BUILD/zprof" report --json profile | tr '{' '\n' | sed -n "s/^\"id\".*\"name\":\"$1\".*\"calls\":\([0-9]*\).*/\1/p"
}
loss() { # KIND: 0, or how many
	"$ZPROF_BUILD/zprof" report --json profile | sed -n "s/.*\"loss_$1\":\([0-9]*\).*/\1/p" | grep . || echo 0
}
run empty 100 5
bad=$?
sed 's/^/# /' err
for name in in_thread left; do
	[ "$(calls $name)" = "$(sed -n "s/^$name //p" out)" ] || { bad=1; echo "# $(calls $name) calls of $name"; }
done
[ "$(loss shut)$(loss threads)$(loss space)" = 000 ] && [ ! -s err ] || bad=1
"$ZPROF_BUILD/tests/check_conserved" profile || bad=1
"$ZPROF_BUILD/zprof" report --json profile | grep -q '"losses":{}' || { bad=1; echo "# something was lost or repaired"; }
"$ZPROF_BUILD/zprof" report --json profile | grep '"name":"in_thread"' | grep -q '"recursive_calls":0' ||
	{ bad=1; echo "# a thread was taken to be in another's in_thread()"; }
tap $bad "a hundred threads that begin after chroot and setuid are recorded whole"
[ "$(sed -n 's/^descriptors //p' out)" = "3 3" ]
tap $? "no descriptor stays open for it"

run empty 4 19
bad=$?
recorded=$(($(calls in_thread) + $(calls left) + $(calls right)))
[ "$(loss shut)" != 0 ] && [ $((recorded + $(loss space))) = $((4 * (2 * ((1 << 19) - 1) + 1))) ] ||
	{ bad=1; echo "# $recorded calls recorded, $(loss space) lost, $(loss shut) growths refused"; }
"$ZPROF_BUILD/zprof" report profile | grep -q 'had changed its root or its user (chroot, setuid), and used up what was set aside' || bad=1
"$ZPROF_BUILD/tests/check_conserved" profile || bad=1
grep -c '^zprof: cannot grow' err | grep -qx 1 || bad=1
tap $bad "what finds no room there is counted as lost, and the report says why"
finish
