#!/bin/sh
# SPDX-License-Identifier: MIT
# fails-once.sh - each system call of the library, and each system call and allocation of commands, fails once: nothing crashes, the
# program's output is its own, and what is missing is said.
#
# Tried are, of the calls that one place in the library's code makes, the first and the last; of a command's calls all, and of
# its allocations some 100 that are spread evenly. FAIL_ALL=1: all of them.
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof broken=$ZPROF_BUILD/tests/broken programs=$ZPROF_BUILD/tests/programs/gcc-O2
export LC_ALL=C

# ---- the library: each process has a profile with all of its calls, or one that says what it lost, or a message says why there is none

record() { # N PROGRAM [ARGUMENT...]: makes out, err, status, truth.PID, profile.PID
	n=$1
	shift
	rm -f truth.* profile.*
	TRUTH=$PWD timeout 60 "$broken/fail_once" "$n" calls --in libzprof.so env LD_PRELOAD="$ZPROF_BUILD/libzprof.so" \
		ZPROF_OPTIONS="output=$PWD/profile.%p" "$programs/$@" >out 2>err
	status=$?
}
is_told() { # PID
	if [ ! -s "profile.$1" ]; then
		grep -q '^zprof: ' err || echo "no profile of process $1, and no message"
		return
	fi
	"$zprof" graph --json "profile.$1" >json 2>said || { echo "$(cat said)"; return; }
	"$ZPROF_BUILD/tests/check_counts" "truth.$1" <json >said 2>&1 && return
	tr -d ' \n' <json | grep -q '"losses":{}' && echo "calls are missing in silence: $(head -1 said)"
}
library() { # PROGRAM [ARGUMENT...]
	record 0 "$@"
	expected=$status
	cp out plain
	awk -v all="${FAIL_ALL:-}" '{ place = $2 " " $3; n[place]++; if (n[place] <= 1 || all) print $1; else last[place] = $1 }
		END { for (place in last) print last[place] }' calls >tried
	[ -s tried ]
	bad=$?
	while read -r n; do
		record "$n" "$@"
		[ $status = $expected ] && cmp -s out plain || echo "status $status: $(head -1 err)"
		for truth in truth.*; do
			is_told "${truth#truth.}"
		done
	done <tried >wrong
	[ ! -s wrong ] || bad=1
	tap $bad "libzprof.so in '$*': one of $(wc -l <tried) system calls fails" || sed 's/^/# /' wrong | head -20
}
library crowd 3
library forks

# ---- commands: the output is as always, or something is said

ZPROF_OPTIONS=output=$PWD/crowd.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so TRUTH=$PWD "$programs/crowd" 3 || exit 1
# (The kernel's functions are named by a file of 120,000 lines, which takes 2,500 calls to read. As if the machine had been started again
# since, the file is not the profile's, and is not read.)
python3 - crowd.zp <<'END'
import sys
boot = bytes.fromhex(open('/proc/sys/kernel/random/boot_id').read().replace('-', ''))
profile = open(sys.argv[1], 'rb').read()
open(sys.argv[1], 'wb').write(profile.replace(boot, b'an earlier boot '))
END

# (Names of functions of libc, which are between others in "via", may come from a file of debug information that is not opened. They
# have other names then, or are "?".)
is_same() { sed 's/"via":[^]]*]//' "$1" | cmp -s - plain; }
is_well() { # WHAT
	[ $status -lt 124 ] || { echo "$1: status $status"; return; }
	is_same out && [ $status = 0 ] && return
	# (That a source file cannot be read is said in its place.)
	sort -u err | comm -23 - said_always | grep -q . || grep -q 'cannot read it' out || echo "$1: status $status, and nothing is said: $(cmp out plain 2>&1)"
}
command_fails() { # ARGUMENT...
	rm -f made
	FAIL_ALLOCATION_COUNT=$PWD/count LD_PRELOAD=$broken/fail_allocation.so "$zprof" "$@" 2>err | sed 's/"via":[^]]*]//' >plain
	sort -u err >said_always
	allocations=$(cat count)
	step=$(((allocations + 99) / 100))
	[ -z "${FAIL_ALL:-}" ] || step=1
	for n in $(seq 1 $step "$allocations"); do
		rm -f made
		FAIL_ALLOCATION=$n LD_PRELOAD=$broken/fail_allocation.so timeout 60 "$zprof" "$@" >out 2>err
		status=$?
		is_well "allocation $n"
	done >wrong
	[ "$allocations" -gt 50 ] && [ ! -s wrong ]
	tap $? "zprof $1: one of $allocations allocations fails" || sed 's/^/# /' wrong | head -20
	rm -f made
	"$broken/fail_once" 0 calls --not-in ld-linux-x86-64.so.2 "$zprof" "$@" >out 2>err
	calls=$(wc -l <calls)
	for n in $(seq 1 "$calls"); do
		rm -f made
		timeout 60 "$broken/fail_once" "$n" call --not-in ld-linux-x86-64.so.2 "$zprof" "$@" >out 2>err
		status=$?
		is_well "$(tail -1 call)"
	done >wrong
	[ "$calls" -gt 20 ] && [ ! -s wrong ]
	tap $? "zprof $1: one of $calls system calls fails" || sed 's/^/# /' wrong | head -20
}
command_fails report crowd.zp
command_fails report --json crowd.zp
command_fails diff crowd.zp crowd.zp
command_fails annotate crowd.zp
command_fails html -o made crowd.zp
command_fails merge -o made crowd.zp crowd.zp

# record_fails CHECK ARGUMENT...: the program's output and status are its own, and there is a profile that CHECK finds whole, or a message
# says why there is none. Of calls from one place in a row, the first, the second and the last are tried: the kernel's list of functions is
# read by more than a thousand.
has_all_calls() { "$zprof" graph --json made >json 2>said && "$ZPROF_BUILD/tests/check_counts" truth.* <json >said 2>&1; }
is_readable() { "$zprof" graph made >said 2>&1; }
record_fails() {
	check=$1
	shift
	rm -rf truth.* made*
	TRUTH=$PWD "$broken/fail_once" 0 calls --first --not-in ld-linux-x86-64.so.2 "$zprof" record "$@" -o made "$programs/crowd" 3 >plain 2>said_always
	awk '{ now = $2 " " $3; if (now != before) { if (run > 2) print n; run = 0 } if (++run <= 2) print $1; before = now; n = $1 }
		END { if (run > 2) print n }' calls >tried
	calls=$(wc -l <calls)
	for n in $(cat tried); do
		rm -rf truth.* made*
		TRUTH=$PWD timeout 60 "$broken/fail_once" "$n" call --first --not-in ld-linux-x86-64.so.2 "$zprof" record "$@" -o made \
			"$programs/crowd" 3 >out 2>err
		status=$?
		what="$(tail -1 call): status $status"
		if [ ! -s out ] && [ $status = 1 ] && grep -q '^zprof: ' err; then
			continue
		fi
		cmp -s out plain || echo "$what: the output is not the program's"
		[ $status = 0 ] || grep -q '^zprof: ' err || echo "$what, and nothing is said"
		if [ -s made ]; then
			$check || echo "$what: $(head -1 said)"
		else
			grep -q '^zprof: ' err || echo "$what: no profile, and no message"
		fi
	done >wrong
	[ "$calls" -gt 20 ] && [ ! -s wrong ]
	tap $? "zprof record $*: one of its own $calls system calls fails ($(wc -l <tried) were tried)" || sed 's/^/# /' wrong | head -20
}
if [ -n "${FAIL_ALL:-}" ]; then
	record_fails has_all_calls --quiet
	record_fails is_readable --quiet --sampled
	command_fails graph --json crowd.zp
	command_fails groups crowd.zp
	command_fails info crowd.zp
	command_fails info --json crowd.zp
	command_fails ls .
	command_fails tune crowd.zp
	command_fails brief crowd.zp
	command_fails export --format=pprof -o made crowd.zp
	command_fails export --format=callgrind crowd.zp
	command_fails export --format=firefox crowd.zp
	command_fails archive -o made crowd.zp
fi
finish
