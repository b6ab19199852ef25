#!/bin/sh
# SPDX-License-Identifier: MIT
# program-events.sh - page faults, context switches and migrations, by function (events=), beside the kernel's counts (events.c). What holds
# for certain:
#
#   - a function has at least the events that it has counted between two hooks of its own, and no more than its caller has counted around
#     the call and up to the next hook, which has what happened in hooks too. So stretch() has its 20,000 faults though its ring is full
#     after a few hundred, touch() its 20,000 though each is in a call of its own, and compute(), which runs as long and touches no new
#     memory in its loop, a few;
#   - a thread that is bound to one processor and then to another has migrated, and nothing else moves it in between;
#   - what happens in a pause is nobody's: work(), which is current there, has at most what is left of its caller's count;
#   - the faults of all functions, with those of the zone `[zprof]`, are those of the thread while it was recorded. Without a note are the
#     library's own faults in a pause and while it replaces a ring, which it does twice at most in a thread of this program
#     (sample/series.h): it then meets some pages of its code and data, and two of the new ring.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/samples.sh"
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof here=$(cd "${0%/*}" && pwd)
. "$here/../lib/events.sh"

run() { # OPTIONS PREFIX
	rm -rf p p.* counts/* err
	$2 env LD_PRELOAD="$work/libzprof.so" ZPROF_OPTIONS="output=$work/p${1:+,$1}" ./events counts 2>err &&
		cat p >main && cat p.2 >child && "$zprof" report --json main >json && "$zprof" report --json child >json.child
}

counted() { # WHO OPTIONS PREFIX
	run "events=page-faults context-switches migrations${2:+,$2}" "$3" && [ ! -s err ]
	tap $? "$1: the program runs" || sed 's/^/# /' err
	between "$1: a function that calls none has its faults" "$(of stretch page-faults self)" "$(truth stretch inner)" "$(truth stretch outer)"
	between "$1: a function has its faults behind a call" "$(of behind page-faults self)" "$(truth behind inner)" "$(truth behind outer)"
	between "$1: a function has its one fault in each call" "$(of touch page-faults self)" "$(truth touch_each inner)" \
		"$(truth touch_each outer)"
	between "$1: a function that computes has none" "$(of compute page-faults self)" "$(truth compute inner)" "$(truth compute outer)"
	between "$1: a thread's faults" "$(of in_thread page-faults self)" "$(truth in_thread inner)" "$(truth in_thread outer)"
	between "$1: a forked child's faults" "$(of in_child page-faults self json.child)" "$(truth in_child inner)" "$(truth in_child outer)"
	left=$(($(truth work outer) - $(truth stretch inner) - $(truth touch_each inner) - $(truth compute inner) - $(truth behind inner) -
		$(truth in_pause inner)))
	between "$1: a pause's faults are nobody's" "$(of work page-faults self)" 0 "$left"
	[ "$(grep -c '^"losses":{},$' json)$(grep -c '^"losses":{},$' json.child)" = 11 ]
	tap $? "$1: nothing is lost"
}

build -finstrument-functions
for clock in count exact; do
	counted "$clock" clock=$clock ""
	between "$clock: all faults are somebody's" $(($(of work page-faults total) + $(of '[zprof]' page-faults self))) \
		$(($(truth work outer) - $(truth in_pause inner) - 40)) $(($(truth work outer) + $(truth in_thread outer) + 200))
	between "$clock: a function has its context switches" "$(of doze context-switches self)" "$(truth doze inner)" "$(truth doze outer)"
	if [ "$(truth move inner)" ]; then
		is "$clock: a function has its migrations" "$(truth move inner)" "$(of move migrations self)"
	else
		skip "$clock: a function has its migrations" "there is one processor"
	fi
done
[ -z "$as_nobody" ] || counted "outside of the kernel" "" "$as_nobody"

if [ "$(uname -m)" = x86_64 ]; then
	build -pg -mfentry -minstrument-return=call -L"$work" -lzprof -Wl,-rpath,"$work"
	counted "fentry" "" ""
	build -Wp,-p -mfentry
	counted "entries alone" "" ""
	[ -z "$as_nobody" ] || counted "entries alone, outside of the kernel" "" "$as_nobody"
fi

# What cannot be counted has a line in the report, and all else is as ever.
build -finstrument-functions
refused() { # WHO LINE OPTIONS PREFIX
	run "events=page-faults context-switches$3" "$4" && [ ! -s err ] && "$zprof" report main >report
	tap $? "$1: the program runs"
	is "$1: one line says so" 1 "$(grep -c "^note: $2" report)" || sed 's/^/# /' report
	is "$1: no faults are shown" "" "$(of stretch page-faults self)"
	is "$1: calls are counted" 20000 "$(sed -n 's/.*"name":"touch",.*"calls":\([0-9]*\),.*/\1/p' json)"
}
counted "without io_uring" "" "./refuse 38 io_uring_setup"
refused "no asynchronous I/O" "page-faults are not counted (events=): the kernel refuses .*, error 38" "" "./refuse 38 io_uring_setup,io_setup"
between "no asynchronous I/O: switches are counted" "$(of doze context-switches self)" "$(truth doze inner)" "$(truth doze outer)"
refused "no rings" "nothing is counted of what events= asks for: .*, error 1" "" "$refuse_ring"
refused "no samples" "nothing is counted of what events= asks for: " ",sample=0" ""

# A wrong name leaves the program unprofiled, and the message has the right ones.
for name in faults "page-faults cycles" " "; do
	! run "events=$name" ""
	is "'$name' is refused by the library" "zprof: ZPROF_OPTIONS: bad value '$name'; events takes page-faults, context-switches, \
migrations, instructions, cache-misses, branch-misses, separated by spaces; running unprofiled" "$(cat err)"
	! "$zprof" record --events="$name" ./events counts >said 2>&1 &&
		grep -q -e '--events is page-faults, context-switches, migrations, instructions, cache-misses or branch-misses, not' said
	tap $? "and by zprof record" || sed 's/^/# /' said
done
rm -f p p.*
"$zprof" record --quiet -o p --events=page-faults,context-switches ./events counts && "$zprof" report --json p >json
between "zprof record takes names separated by commas" "$(of stretch page-faults self)" "$(truth stretch inner)" "$(truth stretch outer)"
finish
