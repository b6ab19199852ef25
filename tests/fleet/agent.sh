#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof attach --push` and `--every`: the agent of a fleet records what runs, sends it, lets hooks sleep again, survives restarts of
# programs and of the receiver, and counts what it drops. Nothing here waits for a time: each loop waits for what must come.
. "${0%/*}/../lib/attached.sh"
. "${0%/*}/../lib/receiver.sh"
build $fentry
program=shop.$$ # by its name; no other that runs has it
cp attached $program
build_id=$(readelf -n $program | sed -n 's/.*Build ID: //p')

state() { "$zprof" info "zprof.out.$1" 2>errors | sed -n 's/^ *state  *//p'; }
await() { # COMMAND...: until it succeeds, or the agent ends
	while ! "$@"; do
		[ -z "$agent" ] || kill -0 $agent || return
		sleep 0.05
	done
}
sent() { [ "$(requests "$1")" -ge "$2" ]; }
agent_begins() { # LOG OPTION...
	log=$1
	shift
	"$zprof" attach --for 50ms --every 200ms "$@" $program 2>"$log" &
	agent=$!
}
agent_ends() { # WHAT: on SIGTERM, well
	kill $agent
	wait $agent
	is "$1: SIGTERM ends the agent well" 0 $?
	agent=
}
agent=

# ---- once
start
first=$pid
mv said said.first
mv complaints complaints.first
./$program >said.second 2>&1 &
second=$!
while [ ! -s said.second ]; do sleep 0.02; done
receive once 200
expect 0 "2 recorded, 2 profiles received" "$zprof" attach --for 200ms --push "$url" $program
is "both processes, and nothing is wrong with the requests" "2 " "$(requests once) $(wrong once)"
is "they are of this build" "$program{host=$(uname -n)${build_id:+,version=$build_id}}" "$(asked once 1 query name)"
case "$(state $first) $(state $second)" in *"being recorded now"*) false ;; *) true ;; esac
tap $? "their hooks sleep again" || echo "# $(state $first); $(state $second)"
expect 0 "1 recorded, 1 profile received" "$zprof" attach --for 200ms --push "$url" $first
# All calls in a message: the first value of each sample of pprof (profile.proto: field 2 of the profile; in it, packed in field 2).
calls_sent() { # FOLDER N
	/usr/bin/python3 -c 'import gzip, sys
def number(b, i):
    value = shift = 0
    while True:
        value |= (b[i] & 127) << shift
        shift, i = shift + 7, i + 1
        if b[i - 1] < 128: return value, i
def fields(b):
    i = 0
    while i < len(b):
        key, i = number(b, i)
        value, i = number(b, i)
        if key & 7 == 2: value, i = b[i:i + value], i + value
        yield key >> 3, value
body = gzip.decompress(open(sys.argv[1], "rb").read())
print(sum(number(v, 0)[0] for f, s in fields(body) if f == 2 for g, v in fields(s) if g == 2))' "$1/$2.pprof"
}
second_began=$("$zprof" info "zprof.out.$first" | sed -n 's/^ *2: \([^,]*\),.*/\1/p')
second_calls=$("$zprof" report --recording 2 --json "zprof.out.$first" | /usr/bin/python3 -c 'import json, sys
print(sum(f["calls"] for f in json.load(sys.stdin)["functions"]))')
# A thread may have been in the middle of a hook when the message was written; the call is in the file since.
is "the second recording is sent alone" "$(date -d "$second_began" +%s)" "$(asked once 3 query from)"
not_yet=$((second_calls - $(calls_sent once 3)))
[ $not_yet -ge 0 ] && [ $not_yet -le $threads ]
tap $? "with its calls: $not_yet of $second_calls were being counted"
expect 2 "--push goes with --for" "$zprof" attach --push "$url" $program
expect 2 "go with --push" "$zprof" attach --for 1s --every 1m $program
expect 2 "at least twice the time of --for" "$zprof" attach --for 1s --every 1s --push "$url" $program
expect 1 "begins with https:// or http://" "$zprof" attach --for 1s --push nowhere $program
expect 1 "0 recorded, 0 profiles received" "$zprof" attach --for 1s --push "$url" nobody.$$
stop_receiver
kill $second
wait $second 2>errors
# ---- a process that calls nothing does not keep the others waiting
receive idle 200
rm -f said
./$program idle >said 2>complaints &
pid=$!
while [ ! -s said ]; do sleep 0.02; done
expect 1 "process $pid calls no function that has hooks" "$zprof" attach --for 50ms --push "$url" $pid $first
grep -q "1 recorded, 1 profile received, 1 failed" actual
tap $? "the next one is recorded"
stop "idle"
stop_receiver

# ---- again and again; the program is started anew
receive often 200
agent_begins log --push "$url"
await sent often 2
pid=$first
mv said.first said
mv complaints.first complaints
stop "recorded again and again"
begin_anew() {
	rm -f said
	./$program >said 2>complaints &
	pid=$!
	while [ ! -s said ]; do sleep 0.02; done
}
begin_anew
profile_there() { [ -s "zprof.out.$pid" ]; }
await profile_there
holds "a program that is started anew is found" profile_there
before=$(requests often)
await sent often $((before + 1))
stop "started anew"
gone() { [ ! -e "zprof.out.$pid" ]; }
await gone
holds "the profile that the agent began is removed when its process has ended" gone
begin_anew
before=$(requests often)
await sent often $((before + 1))
agent_ends "again and again"
is "nothing is wrong with the requests" "" "$(wrong often)"
grep -q 'recorded, .* received' log
tap $? "each round is counted" || sed 's/^/# /' log
case "$(state $pid)" in *"being recorded now"*) false ;; *) true ;; esac
tap $? "no hook is left awake"
stop_receiver

# ---- the receiver is gone, and comes back
hold_deaf_port
agent_begins log --push "$deaf_url" --spool spool --keep 2
dropped() { grep -q '2 kept, [1-9][0-9]* dropped' log; }
await dropped
holds "the newest profiles are kept, and others counted" dropped
agent_ends "without a receiver"
is "the receiver's absence is said once" 1 "$(grep -c 'does not take profiles' log)"
is "two files are in the folder" 2 "$(find spool -name '*.push' | wc -l)"
release_deaf_port
echo rubbish >spool/00000000000.000000.push
receive back 200
agent_begins log --push "$url" --spool spool --keep 3
empty() { [ "$(find spool -name '*.push' | wc -l)" = 0 ]; }
await empty
holds "what was kept is sent when the receiver is back" empty
await sent back 3
agent_ends "with one again"
is "nothing is wrong with the requests" "" "$(wrong back)"
stop_receiver
stop "with the receiver back"
finish
