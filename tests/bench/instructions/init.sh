#!/busybox sh
# SPDX-License-Identifier: MIT
# init.sh - the first process of the machine that tests/bench/instructions/run.sh starts: runs each program in each mode of CLOCKS, and
# switches the machine off.
/busybox mkdir -p /proc /dev /tmp
/busybox mount -t proc none /proc
/busybox mount -t devtmpfs none /dev
for program in /pair-*; do
	front=${program#/pair-}
	for clock in $(echo "$CLOCKS" | /busybox tr , ' '); do
		[ "$front $clock" != "entries exact" ] || continue # there are no exits to time
		echo "row $front $clock $(LD_PRELOAD=/libzprof.so ZPROF_OPTIONS=output=/tmp/profile,sample=0,clock=$clock $program)"
	done
done
/busybox poweroff -f
