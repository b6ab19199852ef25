#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-limits.sh - a program that has no disk, files, descriptors or memory left, before it is first recorded or later.
#
# Its output and exit status are those of a run without the library, except for one line on stderr, which is there exactly when
# something is missing; calls in the profile and calls lost add up to those made. Disks are real ones: small tmpfs, a ramfs (which
# cannot allocate ahead), in a mount namespace of this script's own.
here=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${EXACT_LIMITS_MOUNTS:-}" ]; then
	EXACT_LIMITS_MOUNTS=no
	export EXACT_LIMITS_MOUNTS
	for how in "unshare -m" "unshare -rm"; do
		$how true 2>/dev/null || continue
		EXACT_LIMITS_MOUNTS=yes exec $how "$0"
	done
fi
. "$here/tests/lib/check.sh"
unset ZPROF_OPTIONS ZPROF_RUN LD_PRELOAD
cd "$TEST_TMP" || exit 2
library=$ZPROF_BUILD/libzprof.so
${CC:-gcc} -O2 -g -finstrument-functions "$here/tests/programs/limits.c" -o limits || exit 1
program=$PWD/limits

# run NAME ARGUMENT...: leaves NAME.out, NAME.err, NAME.status and NAME.calls. No limit on files applies to these: they go through pipes.
run() {
	name=$1
	shift
	{ { { "$@" 2>&3 3>&-; echo $? >&8; } 9>&1 >&7 | tail -n 1 >"$name.calls"; } 7>&1 | cat >"$name.out"; } 8>"$name.status" 3>&1 >/dev/null | cat >"$name.err"
}

recorded() { # calls in the profile, without the library's own row
	"$ZPROF_BUILD/zprof" report --json "$1" | tr '{' '\n' |
		sed -n '/"name":"\[zprof\]"/d; s/.*"name":.*"calls":\([0-9]*\).*/\1/p' | awk '{n += $1} END {print n + 0}'
}
lost() {
	"$ZPROF_BUILD/zprof" report --json "$1" | sed -n 's/.*"loss_space":\([0-9]*\).*/\1/p' | grep . || echo 0
}

spilled() { # calls known by caller and callee alone, in the overflow table
	"$ZPROF_BUILD/zprof" report --json "$1" | sed -n 's/.*"overflow":{"calls":\([0-9]*\).*/\1/p' | grep . || echo 0
}

# agrees WHAT whole|part|none PROFILE: compares plain.*, zprof.* and the profile.
agrees() {
	bad=0
	lines=$(grep -c '^zprof: ' zprof.err)
	grep -v '^zprof: ' zprof.err | cmp -s - plain.err || { bad=1; echo "# another stderr"; }
	cmp -s plain.out zprof.out || { bad=1; echo "# another stdout"; }
	cmp -s plain.status zprof.status || { bad=1; echo "# exit status $(cat zprof.status), not $(cat plain.status)"; }
	if [ ! -e "$3" ]; then
		got=none
		[ "$lines" = 1 ] || { bad=1; echo "# no profile, and $lines lines say so"; }
	else
		calls=$(cat zprof.calls) recorded=$(recorded "$3") lost=$(lost "$3")
		got=whole
		[ "$lost" = 0 ] && [ "$(spilled "$3")" = 0 ] || got=part
		[ $((recorded + lost)) = "$calls" ] || { bad=1; echo "# $calls calls, but $recorded recorded and $lost lost"; }
		[ "$recorded" != 0 ] || { bad=1; echo "# a profile of nothing"; }
		[ "$lines" = "$([ $got = whole ] && echo 0 || echo 1)" ] || { bad=1; echo "# $got of it recorded, and $lines lines say so"; }
		"$ZPROF_BUILD/tests/check_conserved" "$3" || bad=1
		[ "$lost" = 0 ] || "$ZPROF_BUILD/zprof" report "$3" | grep -q ' no room in the file or in memory .*raise ulimit -f, -n, -v' ||
			{ bad=1; echo "# the report does not say what to do about the $lost lost"; }
	fi
	case $got in $2) ;; *) bad=1; echo "# $got of it recorded, not $2" ;; esac
	[ $bad = 0 ] || sed 's/^/# stderr: /' zprof.err
	tap $bad "$1"
	rm -f "$3"
}

undisturbed() { # WHAT whole|part|none ARGUMENT...
	what=$1 expected=$2
	shift 2
	run plain "$program" "$@"
	run zprof env ZPROF_OPTIONS=sample=0,output="$PWD/profile" LD_PRELOAD="$library" "$program" "$@"
	agrees "$what" "$expected" profile
}

undisturbed "no limit" whole then
for bytes in 0 4096 8192; do
	undisturbed "files of $bytes bytes at most" none fsize=$bytes then
	undisturbed "files of $bytes bytes at most, and the program meets the limit with SIGXFSZ" none fsize=$bytes then write
	undisturbed "files of $bytes bytes at most, and the program handles SIGXFSZ" none fsize=$bytes handle write then write
done
for bytes in 65536 1048576; do
	undisturbed "files of $bytes bytes at most" part fsize=$bytes then
	undisturbed "files of $bytes bytes at most, and the program handles SIGXFSZ" part fsize=$bytes handle write then write
done
for bytes in 0 65536 200000; do
	undisturbed "later, files of $bytes bytes at most" part then fsize=$bytes
	undisturbed "later, files of $bytes bytes at most, and the program meets the limit with SIGXFSZ" '*' then fsize=$bytes write
	undisturbed "later, files of $bytes bytes at most, and the program handles SIGXFSZ" part handle then fsize=$bytes write
done
undisturbed "three descriptors" none nofile=3 then
undisturbed "four descriptors" whole nofile=4 then
undisturbed "later, three descriptors" part then nofile=3

# Address space: from none to enough, so that every step of beginning a profile fails once.
undisturbed "no address space" none as=0 then
undisturbed "a gigabyte of address space is plenty" whole as=1000000000 then
low=0 enough=400000
while [ $((enough - low)) -gt 8 ]; do
	middle=$(((low + enough) / 2))
	run zprof env ZPROF_OPTIONS=sample=0,output="$PWD/profile" LD_PRELOAD="$library" "$program" as=$((1000 * middle)) then
	if grep -q '^zprof: ' zprof.err; then low=$middle; else enough=$middle; fi
	rm -f profile
done
for less in 0 100 300 500 520 530 540 560 580 600 610 620 640 700 1000 2000 5000; do
	[ $less -lt $enough ] || continue
	undisturbed "$less kB of address space less than enough" '*' as=$((1000 * (enough - less))) then
done
for bytes in 0 20000 100000 200000; do
	undisturbed "later, $bytes bytes of address space" part then as=$bytes
done

# With 16 MiB more, a program never lacks the memory that the library takes, however many contexts it has.
said() { # WORD FILE: the number after it
	sed -n "s/^$1 //p" "$2"
}
unmissed() { # WHAT BYTES ARGUMENT...: SPACE in an argument is the limit
	what=$1 bytes=$2
	shift 2
	# shellcheck disable=SC2046
	run plain "$program" $(echo "$@" | sed "s/SPACE/space=$bytes/")
	# shellcheck disable=SC2046
	run zprof env ZPROF_OPTIONS=sample=0,output="$PWD/profile" LD_PRELOAD="$library" "$program" $(echo "$@" | sed "s/SPACE/space=$((bytes + (16 << 20)))/")
	[ "$(said blocks zprof.out)" -ge "$(said blocks plain.out)" ] && [ "$(cat zprof.status)" = 7 ] && [ "$(said blocks plain.out)" -gt 10 ]
	tap $? "$what: $(said blocks plain.out) blocks without the library, $(said blocks zprof.out) with it and 16 MiB more"
	rm -f profile
}
unmissed "limited to 64 MiB when recording has begun" $((64 << 20)) then SPACE blocks
unmissed "limited to 64 MiB before" $((64 << 20)) SPACE then blocks
unmissed "limited to 512 MiB, with half a million contexts" $((512 << 20)) SPACE then calls=11 blocks
run plain "$program" then size
run zprof env ZPROF_OPTIONS=sample=0,output="$PWD/profile" LD_PRELOAD="$library" "$program" then size
more=$(($(said size zprof.out) - $(said size plain.out)))
[ $more -gt 0 ] && [ $more -lt $((16 << 10)) ]
tap $? "a small program's address space is larger by $more kB, less than 16 MiB"
rm -f profile

# Nor may the library's message end the program: stderr may be a file at its limit, or a pipe without a reader.
for stderr in file pipe; do
	for with in plain zprof; do
		[ $with = plain ] || export ZPROF_OPTIONS=output=/proc/none LD_PRELOAD="$library"
		if [ $stderr = file ]; then
			: >full
			"$program" fsize=0 handle then >$with.out 2>full 9>/dev/null
			echo $? >$with.status
		else
			{ sleep 0.1; "$program" handle then 2>&1 >$with.out 9>/dev/null; echo $? >$with.status; } | true
		fi
		unset ZPROF_OPTIONS LD_PRELOAD
	done
	cmp plain.out zprof.out >&2 && cmp plain.status zprof.status >&2
	tap $? "stderr is a $stderr that cannot be written"
done

if ! mkdir mnt || ! mount -t tmpfs -o size=64k tmpfs mnt 2>/dev/null; then
	skip "full disks, a read-only one, one that cannot allocate" "mounting is not permitted here"
	finish
	exit
fi
umount mnt

disk() { # WHAT whole|part|none TYPE MOUNT-OPTIONS ARGUMENT...
	what=$1 expected=$2 type=$3 how=$4
	shift 4
	mount -t "$type" -o "$how" disk mnt || exit 1
	run plain "$program" "$@"
	umount mnt
	mount -t "$type" -o "$how" disk mnt || exit 1
	run zprof env ZPROF_OPTIONS=output="$PWD/mnt/profile" LD_PRELOAD="$library" "$program" "$@"
	cp mnt/profile profile 2>/dev/null
	umount mnt
	agrees "$what" "$expected" profile
}
disk "a disk that is full" none tmpfs size=32k fill=mnt/filler then
disk "a disk with 8 KiB left" none tmpfs size=8k then
disk "a disk with 64 KiB left" part tmpfs size=64k then
disk "a disk with 512 KiB left" part tmpfs size=512k then
disk "later, a disk that is full" part tmpfs size=1m then fill=mnt/filler
disk "a disk that is read-only" none tmpfs ro then
disk "a disk without free inodes" none tmpfs nr_inodes=1 then
disk "a disk that cannot allocate ahead" whole ramfs mode=700 then

# Not as root, who may write everywhere.
open=$(mktemp -d "${TMPDIR:-/tmp}/zprof-limits.XXXXXX")
cp "$program" "$library" "$open"
chmod 555 "$open"
if setpriv --reuid=65534 --clear-groups test -x "$open/limits" 2>/dev/null; then
	run plain setpriv --reuid=65534 --clear-groups "$open/limits" then
	run zprof setpriv --reuid=65534 --clear-groups env ZPROF_OPTIONS=output="$open/profile" LD_PRELOAD="$open/libzprof.so" "$open/limits" then
	agrees "a folder that may not be written" none "$open/profile"
else
	skip "a folder that may not be written" "cannot run as another user"
fi
rm -rf "$open"
finish
