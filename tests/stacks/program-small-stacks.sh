#!/bin/sh
# SPDX-License-Identifier: MIT
# program-small-stacks.sh - how much stack hooks and samples take, against what preload/sample/timer.h promises: seen on painted stacks,
# where a fifth of it must be left for compilers that make larger frames; and tried on stacks of just that size, above a page that nobody
# may touch.
. "${0%/*}/../lib/check.sh"
. "${0%/*}/../lib/samples.sh"
# (The dynamic linker's own work at a function's first call takes more stack than that.)
build_sampled small_stack -finstrument-functions -Wl,-z,now
cp "$ZPROF_BUILD/zprof" . # which finds the functions that an option names
promise() { # TEXT BEFORE IT
	tr -d ',' <"$programs/../../preload/sample/timer.h" | sed -n "s/.*$1 \([0-9]*\) bytes.*/\1/p"
}
hooks=$(promise 'a hook takes up to') handler=$(promise 'AT_MINSIGSTKSZ +')
[ "$hooks" ] && [ "$handler" ] || exit 1
frame=$(LD_SHOW_AUXV=1 /bin/true | sed -n 's/^AT_MINSIGSTKSZ: *//p')
echo "# promised: $hooks bytes, and $handler and $frame of a signal's frame"

own() { # WHERE WHAT: what the program takes by itself, which is on top of that
	[ -e "own.$1" ] || ./small_stack "$1" 65536 20 >"own.$1" || echo "# $1: exit status $?" >&2
	sum "$2" "own.$1"
}

taken() { # WHERE WHAT: of the last profile, at least 0
	echo $(($(sum "$2" out) - $(own "$1" "$2")))
}

# on WHERE OPTIONS PREFIX BYTES: lives on a stack of that size
on() {
	profile "$2" "$3" ./small_stack "$1" $(($4 + $(own "$1" entered) + 16)) 60 || {
		echo "# $1, $2 $3: dead on a stack of $4 bytes"
		return 1
	}
}

for where in coroutine first forked thread least; do
	bad=0
	# (What each option adds is the same on every stack, so only a coroutine's is tried with all of them.)
	more=
	[ $where != coroutine ] || more="clock=exact offcpu=1 events=page-faults callsites=1 frame=outer00,history=full,tails=inner00"
	for options in sample=0 '' $more; do
		for prefix in '' "$as_nobody"; do
			[ -z "$prefix" ] || [ -z "$options" ] || continue
			profile "$options" "$prefix" ./small_stack $where 65536 50 || { bad=1; continue; }
			echo "# $where, ${options:-kernel} $prefix: $(taken $where entered), $(taken $where again)"
			for what in entered again; do
				between "$where, $options, $what" "$(taken $where $what)" 0 $((hooks * 4 / 5)) || bad=1
			done
			[ $where = least ] || on $where "$options" "$prefix" "$hooks" || bad=1
		done
	done
	tap $bad "what hooks take of a stack ($where)"

	bad=0
	more=
	[ $where != coroutine ] || more='clock=exact callsites=1'
	for options in '' $more; do
		profile "$options" "$refuse_ring" ./small_stack $where 65536 200 signal || { bad=1; continue; }
		equals sampler 3 "$(sum sampler)" || bad=1
		echo "# $where, ${options:-timer}: $(taken $where entered), $(taken $where again), $(taken $where computed)"
		between "$where, $options, the signal" "$(taken $where computed)" 800 $((frame + handler * 4 / 5)) || bad=1
		for what in entered again; do
			between "$where, $options, $what" "$(taken $where $what)" 0 $((frame + (handler + hooks) * 4 / 5)) || bad=1
		done
		[ $where = least ] || on $where "$options" "$refuse_ring" $((frame + handler + hooks)) || bad=1
	done
	tap $bad "and with a timer ($where)"
done

bad=0
profile sample=0 "" ./small_stack parent ./small_stack first $((hooks + $(own first entered) + 16)) 20 || bad=1
equals profiles 2 "$(ls p p.* | wc -l)" || bad=1
equals runs 1 "$("$ZPROF_BUILD/zprof" ls --json p p.* | grep -o '"run":"[^"]*"' | sort -u | wc -l)" || bad=1
tap $bad "a program that looks for its recorded parent does so on a small stack, too"

# and such a stack can be too small
! LD_PRELOAD=$work/libzprof.so ZPROF_OPTIONS=output=$work/small ./small_stack coroutine 640 20 >out 2>&1
tap $? "a stack of 640 bytes is not enough"
finish
