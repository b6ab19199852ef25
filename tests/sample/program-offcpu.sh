#!/bin/sh
# SPDX-License-Identifier: MIT
# program-offcpu.sh - what was waited for (offcpu=1): calls and locks by name, as functions below the one that waited; compared
# with the kernel's counts by what holds for certain (program-waits.sh; the times beside strace's are in tests/bench/waits.sh); nothing is
# added or lost by it; and what a user without the right sees.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
zprof=$ZPROF_BUILD/zprof programs=$ZPROF_BUILD/tests/programs/gcc-O2
. "${0%/*}/../lib/waits.sh"
cd "$TEST_TMP" || exit 1

# The calls that the C library makes for poll() and epoll_wait(), and what a call is called whose number is not in the code.
case $(uname -m) in
aarch64) poll=ppoll epoll_wait=epoll_pwait syscall=nanosleep ;;
*) poll=poll epoll_wait=epoll_wait syscall=syscall ;;
esac

# head MEMBER: of the whole profile
head_of() {
	sed -n "s/^\"times\":.*\"$1\":\([0-9.e+-]*\).*/\1/p" json
}

below() { # CALLER NAME: how often one called the other
	awk -v caller="$1" -v name="$2" 'match($0, /"id":[0-9]+,"name":"[^"]*"/) {
			split(substr($0, RSTART, RLENGTH), part, /[:,"]+/)
			names[part[3]] = part[5]
		}
		match($0, /"caller":[0-9]+,"callee":[0-9]+,"calls":[0-9]+/) {
			split(substr($0, RSTART, RLENGTH), part, /[:,]/)
			if (names[part[2]] == caller && names[part[4]] == name) sum += part[6]
		}
		END { printf "%d\n", sum }' json
}

plus() { # A B: as an integer; what is missing is 0
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f\n", a + b }'
}

record() { # CLOCK PROGRAM MODE [COMMAND...]
	clock=$1 program=$2 mode=$3
	shift 3
	rm -f "$mode".*
	"$@" env "ZPROF_OPTIONS=output=$mode.%p,clock=$clock,offcpu=1" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "$programs/$program" "$mode" >truth ||
		tap 1 "$mode runs"
	"$zprof" report --json "$mode".* >json
	"$zprof" report --all "$mode".* >text
}

record count waits input
if grep -q 'what was waited for is not known' text || [ "$(of main self_waits)" = null ]; then
	skip "what was waited for" "the kernel does not let this user see it"
	finish
	exit
fi

for clock in exact count; do
	# The program's own account: elapsed time, and the kernel's counts. What acquire() waited for otherwise is memory for its hooks, or its
	# code, or found no room; and the kernel may count a thread as preempted that was about to wait.
	record $clock waits convoy
	{ read -r _ _ _ _ _ with_hooks _ && read -r _ _ waits _ preemptions elapsed _; } <truth
	least=$(plus "$(of '[wait] lock lock' self_ns)" 0) times=$(of '[wait] lock lock' calls)
	[ "$least" -gt 0 ] && [ "$least" -le "$elapsed" ]
	tap $? "a convoy, $clock: the lock was waited for no longer than it was asked for"
	echo "# $least and $elapsed ns"
	others=0
	for other in outside zprof '(not told apart)'; do others=$(plus $others "$(of "[wait] $other" calls)"); done
	[ "$times" -le $((waits + preemptions)) ] && [ $((times + others + $(of acquire self_preemptions))) -ge "$waits" ]
	tap $? "a convoy, $clock: as often as the kernel counted"
	echo "# $times, $others for something else, $waits by the kernel"
	total=$(plus "$(of acquire total_waited_ns)" 0)
	[ "$total" -ge "$least" ] && [ "$total" -le "$with_hooks" ]
	tap $? "a convoy, $clock: it is in what the function that asked for the lock has waited in all"
	echo "# $total, of $with_hooks ns"
	[ "$(of acquire self_waits)" = 0 ]
	tap $? "a convoy, $clock: and not in its self"
	awk -F'"self_waits":' 'NF > 1 { sum += $2 } END { printf "%d\n", sum }' json >sum
	[ "$(cat sum)" = "$(head_of whole_waits)" ]
	tap $? "a convoy, $clock: functions add up to all waits"

	# Threads that begin wait for each other in their first hooks.
	record $clock crowd "${CROWD:-1000}"
	[ "$(of '[wait] zprof' calls)" -ge 1 ]
	tap $? "waits of hooks are told apart, $clock"
	grep -F '[wait]' text | head -n 5 | sed 's/^/# /'

	# More waits in one call than there is room for: the rest is divided among them, and counted
	# once.
	record $clock offcpu mixed
	both=$(($(below pump '[wait] read') + $(below pump "[wait] $poll"))) waits=$(of pump total_waits)
	pages=$(($(below pump '[wait] outside') + $(below pump '[wait] zprof')))
	[ $((both + pages)) = "$waits" ]
	tap $? "read and poll in turn, $clock: every wait is in one of the two, but for pages of the program's or of its hooks'"
	echo "# $both, and $pages for pages, of $waits"
	[ "$(of '[wait] read' calls)" -ge 1 ] && [ "$(of "[wait] $poll" calls)" -ge 1 ]
	tap $? "read and poll in turn, $clock: both"

	record $clock offcpu calls
	missing=''
	for call in read $poll pselect6 $epoll_wait wait4 $syscall 'futex semaphore'; do
		[ "$(of "[wait] $call" calls)" -ge 1 ] 2>/dev/null || missing="$missing $call,"
	done
	[ -z "$missing" ]
	tap $? "system calls by name, $clock"
	echo "# missing:$missing"
	"$zprof" report --tree "$mode".* >tree
	awk '/in_poll/ { depth = match($0, /[^ ]*in_poll/) } /\[wait\] p?poll/ { ok = last ~ /in_poll/ } { last = $0 } END { exit !ok }' tree
	tap $? "below the function that waited, $clock"

	record $clock offcpu single
	[ "$(of '[wait] nanosleep' calls) $(of '[wait] ppoll' calls) $(of '[wait] clock_nanosleep' calls)" = "1 1 1" ]
	tap $? "system calls that are made in one place, by the number that they were asked for, $clock"

	record $clock offcpu locks
	for lock in 'plain' 'store+0x18'; do
		[ "$(of "[wait] lock $lock" calls)" = 3 ]
		tap $? "a lock that is a variable, $clock: $lock"
	done
	line=$(sed -n '/pthread_mutex_init(lock/=' "${0%/*}/../programs/offcpu.c")
	while read -r address; do
		[ "$(of "[wait] lock $address, made at offcpu.c:$line" calls)" = 3 ]
		tap $? "a lock that is not a variable, $clock: its address, and where it was made"
	done <truth
done

# Functions like any other.
record count offcpu locks
"$zprof" report --json --not group:waits "$mode".* >json.not
near "$(of fetch self_waited_ns json.not)" "$(of fetch total_waited_ns)" "with --not, waits are in their function" 0.001
"$zprof" groups --json "$mode".* >json.groups
near "$(of waits self_ns json.groups)" "$(head_of whole_waited_ns)" "the group of all waits" 0.001
"$zprof" merge -o merged "$mode".* >/dev/null
"$zprof" report merged --format calls,name --all | grep wait] | sort >is
"$zprof" report "$mode".* --format calls,name --all | grep wait] | sort >should
[ -s is ] && cmp -s is should
tap $? "merged"
cp "$programs/offcpu" moved
rm -f gone.*
env "ZPROF_OPTIONS=output=gone.%p,offcpu=1" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" ./moved locks >truth
"$zprof" report gone.* --format calls,name --all | grep wait] | sort >should
"$zprof" archive gone.* >/dev/null
rm moved
"$zprof" report gone.* --format calls,name --all | grep wait] | sort >is
[ -s is ] && cmp -s is should
tap $? "archived, without the program"
sed 's/^/# /' is

record count offcpu fork
[ "$(of "[wait] $poll" calls)" = 2 ]
tap $? "a forked child's waits are named, too"

# What came since an earlier copy, and the copy, make the whole.
rm -f whole early
env "ZPROF_OPTIONS=output=whole,offcpu=1" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "$programs/waits" input >truth &
recording=$!
until { cp whole early && "$zprof" report --json early >json.early && [ "$(of '[wait] recvfrom' calls json.early)" -gt 5 ]; } 2>/dev/null; do
	kill -0 $recording || break
	sleep 0.02
done
wait $recording
"$zprof" report --json whole >json
"$zprof" report --json --since early whole >json.since
early=$(of '[wait] recvfrom' calls json.early) since=$(of '[wait] recvfrom' calls json.since)
[ $((early + since)) = "$(of '[wait] recvfrom' calls)" ]
tap $? "since an earlier copy: what came after it"
echo "# $early, then $since"

# A program whose user lacks the right is recorded without, and the report says so.
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ]; then
	open=$(mktemp -d "${TMPDIR:-/tmp}/zprof-offcpu.XXXXXX") || exit 2
	trap 'rm -rf "$open"' EXIT
	chmod 777 "$open"
	cp "$programs/offcpu" "$ZPROF_BUILD/libzprof.so" "$open"
	setpriv --reuid 65534 --regid 65534 --clear-groups env "ZPROF_OPTIONS=output=$open/other,offcpu=1" "LD_PRELOAD=$open/libzprof.so" \
		"$open/offcpu" locks >/dev/null
	tap $? "another user's program runs"
	"$zprof" report --force "$open/other" >text
	grep -q 'what was waited for is not known (offcpu=1)' text && ! grep -q '\[wait\]' text
	tap $? "and the report says that waits are not known"
else
	skip "another user" "not root, or the kernel lets every user see it"
fi
finish
