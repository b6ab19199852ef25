#!/bin/sh
# SPDX-License-Identifier: MIT
# Each `zprof attach` begins a recording of its own: what was called in each is exact, whatever is open meanwhile, and all commands
# say the same of the process. The program calls what it is told to, and nothing else of what is counted here.
. "$(dirname "$0")/switched.sh"
source=$root/tests/programs/recordings.c

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
	while calls leaf --recording $n "$1" >some && ! grep -q 'no recording' errors; do
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
	golden_result $? "$1: each recording of each thread has its time, to the tick"
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
