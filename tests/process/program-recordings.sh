#!/bin/sh
# SPDX-License-Identifier: MIT
# Each `zprof attach` begins a recording of its own: what was called in each is exact, whatever is open meanwhile, and all commands
# say the same of the process. The program calls what it is told to, and nothing else of what is counted here.
. "${0%/*}/../lib/switched.sh"
source=$root/tests/process/recordings.c

build() { # FLAGS...
	gcc -w -g -O2 "$@" -I"$root/preload" "$source" -o recordings -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread || exit 1
}
begin() { # COMMAND...: makes $pid and $profile
	rm -rf commands answers zprof.out* && mkfifo commands answers
	"$@" <commands >answers 2>complaints &
	pid=$!
	exec 8>commands 9<answers
	read -r answer <&9
	profile=zprof.out.$pid
}
tell() { # COMMAND...
	echo "$*" >&8
	read -r answer <&9
}
end() { # WHAT
	echo quit >&8
	wait $pid
	is "$1: the program does not notice" "0 " "$? $(cat complaints)"
	exec 8>&- 9<&-
}
attach() { "$zprof" attach $pid 2>errors || cat errors; }
detach() { "$zprof" detach $pid 2>errors || cat errors; }
calls() { # NAME OPTION...
	name=$1; shift
	"$zprof" report --json "$@" 2>errors | tr '{' '\n' | sed -n "s/.*\"name\": *\"$name\".*\"calls\": *\([0-9]*\).*/\1/p"
}
each() { # FILE: leaf's calls in recordings 1, 2, ..., and in all
	n=1
	while [ $n -lt 20 ] && calls leaf --recording $n "$1" >some && ! grep -q 'no recording' errors; do
		printf '%s ' "$(cat some)"
		n=$((n + 1))
	done
	calls leaf "$1"
}
state() { # what info, ls, detach or attach say
	"$zprof" info --json $profile 2>errors | sed -n 's/^ *{*.*"state": *"\([^"]*\)".*/\1/p'
}
lossless() { # WHAT: no jump is blamed, and nothing is lost
	"$zprof" report --raw $profile 2>errors >text
	is "$1: nothing is lost or blamed on jumps" "" "$(grep -E 'left without returning|matched no open zone|could not|not recorded|abandoned' text)"
}
conserved() { # WHAT
	"$ZPROF_BUILD/tests/check_conserved" $profile >difference 2>&1
	tap $? "$1: each recording of each thread has its time, to the tick"
	sed 's/^/# /' difference
}

# ---- threads, coroutines, handlers, lent zones and children, in three recordings, with either clock and either kind of hooks

three() { # WHAT ENVIRONMENT...
	what=$1; shift
	begin env "$@" ./recordings
	is "$what: at first it is not recorded" "not recorded" "$(state)"
	tell main 1000
	attach
	is "$what: then it is" "recording" "$(state)"
	tell main 10; tell down; tell down; tell main 5
	tell thread 0 100; tell thread 1 100; tell thread 2 100; tell end 2
	tell co 0 7; tell co 1 7; tell lent 3; tell handler 4; tell fork 6
	detach
	is "$what: and is not" "not recorded" "$(state)"
	tell main 1000; tell thread 0 1000; tell thread 3 1000; tell co 0 1000; tell co 2 1000
	tell handler 1000; tell lent 1000; tell up; tell fork 1000
	attach
	# Thread 1 and coroutine 1 stay where they are; thread 4 and coroutine 3 begin.
	tell main 20; tell thread 0 20; tell thread 3 20; tell thread 4 20; tell co 0 20; tell co 2 20; tell co 3 20
	tell handler 20; tell lent 20; tell up; tell main 1; tell down; tell fork 20
	tell pause; tell main 1000; tell thread 0 1000; tell resume; tell main 2
	detach
	tell resume; tell main 1000 # the program cannot go on by itself
	tell up
	attach
	tell thread 1 3; tell co 1 3; tell co 3 3; tell thread 5 3; tell main 3
	end "$what"
	is "$what: each recording has its calls, and no others" "336 183 15 534" "$(each $profile)"
	is "$what: the last is the third" "15" "$(calls leaf --recording last $profile)"
	lossless "$what"
}

for flags in "$hooks" "$fentry"; do
	# shellcheck disable=SC2086
	build $flags
	three "$flags" ZPROF_OPTIONS=start=off
	children=$(ls zprof.out.* | grep -v "^$profile$")
	# shellcheck disable=SC2086
	is "$flags: children have recordings of their own" "6 20" "$(for f in $children; do each $f; done | sed 's/ .*//' | sort -n | grep -v '^$' | tr '\n' ' ' | sed 's/ $//')"
	three "$flags, exact" ZPROF_OPTIONS=start=off,clock=exact,callsites=1
	conserved "$flags, exact"
done

# ---- what views say of them

child=$(ls zprof.out.* | grep -vx "$profile" | head -1)
is "the head says that there are several" "3 recordings (attach), added up: --recording K shows one, 'zprof info' lists them." \
	"$("$zprof" report $profile 2>errors | grep 'recordings (attach)')"
"$zprof" report --recording 2 $profile >text 2>errors
is "one says which it is" "Restricted to recording 2." "$(grep '^Restricted' text)$(grep 'recordings (attach)' text)"
"$zprof" info $profile >text 2>errors
is "info lists them" "1: 2: 3: " "$(sed -n 's/^\(  recordings\|            \)  *\([0-9]*:\) [-0-9]* [0-9:]* [-+0-9]*, [0-9.]* [mun]*s, [0-9,]* calls$/\2/p' text | tr '\n' ' ')"
is "a thread of several is one thread" "7 threads" "$(grep -o '[0-9]* threads' text)"
is "and has one report" "7 7" "$("$zprof" report --by-thread $profile 2>errors | grep -c "^thread '") $("$zprof" report $profile 2>errors | grep -o 'in [0-9]* threads' | tr -dc 0-9)"
expect 1 "there is no recording 4: '$profile' has recordings 1 to 3" "$zprof" report --recording 4 $profile
expect 2 "--recording is 1 for what was recorded first, 2 for the next, or 'last', not '0'" "$zprof" report --recording 0 $profile
expect 1 "there is no recording 2: '$child' has one, number 1" "$zprof" report --recording 2 "$child"
is "what does not have it is left out" "15" "$(calls leaf --recording 3 $profile "$child")"
is "exporters know it, too" "183" "$("$zprof" export --format=csv --raw --recording 2 $profile 2>errors | sed -n 's/^"*leaf"*,.*/&/p' | tr ',' '\n' | grep -x 183 | head -1)"

# ---- copies

for what in archive snapshot merge; do
	cp $profile copied.prof
	case $what in
	archive) "$zprof" archive copied.prof 2>errors >text ;;
	snapshot) rm copied.prof && "$zprof" snapshot -o copied.prof $profile 2>errors >text ;;
	merge) "$zprof" merge -o merged.prof copied.prof 2>errors >text ;;
	esac
	[ $what = merge ] || is "$what keeps them apart" "336 183 15 534" "$(each copied.prof)"
done
is "merge adds them up" "534" "$(calls leaf merged.prof)"
expect 1 "'merged.prof' is merged, and does not tell recordings apart" "$zprof" report --recording 1 merged.prof

# ---- all commands say the same of a process, whoever has paused it

says() { # WHAT STATE: "being recorded" or "not being recorded"
	is "$1: info says so" "process $pid runs, and is $2" "$("$zprof" info $profile 2>errors | sed -n 's/^  state  *//p')"
	is "$1: ls agrees" "$2" "$("$zprof" ls . 2>errors | sed -n 's/.* 1 recording .*/being recorded/p; s/.* 1 not recorded .*/not being recorded/p')"
	is "$1: and top" "$2" "$("$zprof" top --batch 1 $profile 2>errors | sed -n '1s/.*, not recorded.*/not being recorded/p; 1s/.*, runs .*/being recorded/p')"
}
states() { # WHAT ENVIRONMENT...
	what=$1; shift
	begin env "$@" ./recordings
	tell main 1
	says "$what, from its start" "being recorded"
	expect 0 "runs at its own speed" "$zprof" detach $pid
	says "$what, detached" "not being recorded"
	expect 1 "process $pid is not being recorded" "$zprof" detach $pid
	expect 1 "is paused" "$zprof" unwatch $pid leaf
	tell main 1000
	expect 0 "recording process $pid" "$zprof" attach $pid
	says "$what, attached" "being recorded"
	tell main 2
	tell pause
	tell main 1000
	says "$what, in its own pause" "being recorded"
	expect 0 "runs at its own speed" "$zprof" detach $pid
	says "$what, detached in its own pause" "not being recorded"
	tell resume; tell main 1000
	expect 0 "recording process $pid" "$zprof" attach $pid
	tell main 3
	is "$what: each recording has its calls" "1 2 3 6" "$(each $profile)"
}
build $hooks
states "clock=count" ZPROF_OPTIONS=output=zprof.out.%p
expect 1 "is being recorded already" "$zprof" attach $pid
kill -9 $pid
wait $pid 2>errors
exec 8>&- 9<&-
is "killed: info" "killed, ended by _exit(), or replaced by another program" "$("$zprof" info $profile 2>errors | sed -n 's/^  state  *//p')"
is "killed: each recording has its calls" "1 2 3 6" "$(each $profile)"
begin ./recordings
expect 0 "recording process $pid" "$zprof" attach --for 50ms $pid
kill -9 $pid
wait $pid 2>errors
exec 8>&- 9<&-
is "killed after its recording: info" "killed, ended by _exit(), or replaced by another program; its recording had been ended before ('zprof detach')" "$("$zprof" info $profile 2>errors | sed -n 's/^  state  *//p')"
is "killed after its recording: no time of it is missing" "" "$("$zprof" report $profile 2>errors | grep 'no time is known')"
states "check=1" ZPROF_OPTIONS=output=zprof.out.%p,check=1
end "check=1"
is "ended: info" "ended by itself" "$("$zprof" info $profile 2>errors | sed -n 's/^  state  *//p')"

# ---- a program that begins by itself

begin env ZPROF_OPTIONS=start=off ./recordings
tell main 1000
says "start=off" "not being recorded"
tell resume
says "start=off, resumed" "being recorded"
tell main 5
tell pause; tell main 1000; tell resume; tell main 6
is "its pauses are within one recording" "11 11" "$(each $profile)"
detach; attach
tell main 7
end "start=off"
is "what is attached to after that is the second" "11 7 18" "$(each $profile)"

# ---- zones of an interpreter that are open from one recording to the next

begin env ZPROF_OPTIONS=start=off ./recordings
attach; tell down; tell lent 1; detach
attach; tell lent 2; detach
attach; tell lent 3; tell up; detach
end "lent"
visits() { # OPTION...: entered, re-entered, returned, abandoned, open
	"$zprof" report --json -F word "$@" $profile 2>errors | tr -d ' \n' |
		sed -n 's/.*"entered":\([0-9]*\),"reentered":\([0-9]*\),"returned":\([0-9]*\),"abandoned":\([0-9]*\),"open":\([0-9]*\).*/\1 \2 \3 \4 \5/p'
}
is "a lent zone is called once" "1 0 0 1 0, 0 1 0 1 0, 0 1 0 1 0, 1 2 0 3 0" \
	"$(visits --recording 1), $(visits --recording 2), $(visits --recording 3), $(visits)"
is "what it calls is of each recording" "1 2 3 6" "$(each $profile)"

# ---- frames

begin env ZPROF_OPTIONS=start=off,history=full ./recordings
attach; tell frame 1; tell frame 1; tell frame 1; detach
attach; tell frame 1; tell frame 1; tell frame 1; tell frame 1; tell frame 7; detach
end "frames"
frames() { # OPTION...: how many frames of each kind
	"$zprof" frames --json "$@" $profile 2>errors | tr -d ' \n' | grep -o '"frames":[0-9]*,"discarded"' | tr -dc '0-9\n' | tr '\n' ' '
}
is "frames belong to the recording that they ended in" "2 4 , 2 , 4 " "$(frames), $(frames --recording 1), $(frames --recording 2)"
is "one that is still kept is found there" "7" "$(calls leaf --recording 2 --frame 4 $profile)"

# ---- no room for the next

begin env ZPROF_OPTIONS=start=off ./recordings
attach; tell main 10; tell thread 0 5; tell down; detach
prlimit --pid $pid --fsize=4096:
attach; tell main 20; tell thread 0 20; detach
echo quit >&8
wait $pid
is "what finds no room is in no recording" "0 15 15" "$? $(calls leaf --recording 1 $profile) $(calls leaf $profile)"
is "and the report says so" "2  threads that could not be recorded" "$("$zprof" report $profile 2>errors | grep -o '[0-9]*  threads that could not be recorded')"
exec 8>&- 9<&-

# ---- threads that call without end, while it is switched

gcc -w -g -O2 $hooks -I"$root" "$root/tests/programs/attached.c" -o attached -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread || exit 1
rm -f zprof.out* said
ZPROF_OPTIONS=start=off,clock=exact ./attached >said 2>complaints &
pid=$! profile=zprof.out.$!
while [ ! -s said ]; do sleep 0.02; done
for _ in 1 2 3 4 5 6 7 8 9 10; do
	attach && detach
done
kill $pid
wait $pid
conserved "ten recordings of threads that go on"
is "ten recordings: all are there" "10" "$("$zprof" info --json $profile 2>errors | tr '{' '\n' | grep -c '"number"')"

# ---- a recording that a forked child of a process begins

begin env ZPROF_OPTIONS=start=off ./recordings
attach; tell main 1; detach
attach; tell main 2; tell fork 5; detach
end "a child's"
is "a child of the second recording has a first" "5 5" "$(each "$(ls zprof.out.* | grep -vx "$profile")")"
finish
