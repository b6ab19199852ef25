# SPDX-License-Identifier: MIT
# Sourced by the tests of samples, after check.sh: programs built into a folder that other users may use, their profiles, and sums
# of these.
#
#   build_sampled PROGRAM [FLAG...]     tests/programs/PROGRAM.c, with hooks
#   profile OPTIONS PREFIX ARGUMENT...  runs it under PREFIX; the sums of its profile are in `sums`
#
# Prefixes: "" as we are, $as_nobody, $as_one, and those by which the kernel refuses system calls.
programs=$(cd "${0%/*}/../programs" && pwd)
cd "$TEST_TMP" || exit 2
# Another user must reach all that is needed.
work=$(mktemp -d "${TMPDIR:-/tmp}/zprof-samples.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
chmod 777 "$work"
cd "$work" || exit 2
cp "$ZPROF_BUILD/libzprof.so" .

build_sampled() { # PROGRAM [FLAG...]
	name=$1
	shift
	${CC:-gcc} -O2 -g -Wno-deprecated-declarations -pthread -I"$programs/../.." "$@" "$programs/$name.c" -o "$name" || exit 1
}

build_sampled refuse
build_sampled spent
refuse_ring="./refuse 1 perf_event_open" refuse_all="./refuse 38 perf_event_open,timer_create"
as_nobody='' as_one=''
if [ "$(id -u)" = 0 ]; then
	as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
	# With limits of its own: nobody else is this user.
	as_one="setpriv --reuid $((50000 + $$ % 10000)) --regid 65534 --clear-groups"
fi

profile() {
	rm -rf p p.* out err spent.txt
	options=$1 prefix=$2
	shift 2
	$prefix env LD_PRELOAD="$work/libzprof.so" ZPROF_OPTIONS="output=$work/p${options:+,$options}" timeout 300 ./spent spent.txt "$@" >out 2>err || {
		echo "# exit status $?"
		return 1
	}
	sed 's/^/# stderr: /' err
	[ ! -s err ] && "$ZPROF_BUILD/tests/sample_sums" p >sums
}

sum() { # NAME: from the samples
	sed -n "s/^$1 //p" "${2:-sums}"
}

# ---- what holds for certain
#
# All CPU time of a thread, from its first ring to its latest look, is charged to a zone, counted as not seen, or left for the next
# sample, to the nanosecond (preload/sample/notes.h; each row of tests/sample/notes.h checks it). `cpu` is the first two. The library asks
# the clock that the program asks, so, of a process with one thread:
#
#   - no_more   `cpu` is at most what the kernel has counted of the process from its fork to its end;
#   - no_less   what is left at its end is at most one and a half periods, or it would be counted as not seen. So `cpu` is at least what
#               the program itself has measured anywhere in between, less that.
#
# A timer's sample may be late by 32 ticks before its time counts as not seen (ran.c), and the first of a ring stands for a whole tick.
# So by a timer, 32 periods may be missing, and one be too many for each ring that a thread has had: one, and one more after a pause. A
# thread that ends before the process has no last look: what it has had since its latest sample is missing. Samples are due once per
# period, and interrupt the next instruction outside of the kernel, so that is at most a period and the kernel's own work at the
# thread's end: it counts as 4 periods. What a thread takes before its first ring is in no sample either, and beside others on a machine
# within a machine it may take milliseconds: so of threads that end, programs tell what they have worked. A timer's samples come only if a tick of the kernel finds the thread running, which beside other
# threads may never happen: nothing bounds what is missing of such a thread, so nothing is asked.
#
# Once system calls are forbidden, the library cannot ask the thread's clock. Then `cpu` is what the clock of samples has told, which stands
# still while the kernel switches between threads. The thread's clock goes on, some microseconds each time; so there the program, too, must
# measure by the clock of samples.
#
# Load cannot break this: nothing in it is a time of others.
slack() { # PERIODS [A TIMER'S]: in ns
	[ "$(sum sampler)" = 3 ] && set -- "${2:-32}"
	awk -v n="$1" -v period="$(sum period)" 'BEGIN { printf "%d\n", n * period }'
}

no_less() { # WHAT VALUE LEAST [THREADS THAT ENDED BEFORE]
	[ "${4:-0}" != 0 ] && [ "$(sum sampler)" = 3 ] && return
	[ "$2" -ge $(($3 - $(slack 1.5) - ${4:-0} * $(slack 4))) ] || {
		echo "# $1: $2, at least $3 less $(slack 1.5)"
		sed 's/^/#   /' sums
		return 1
	}
}

no_more() { # WHAT VALUE MOST [RINGS]
	[ "$2" -le $(($3 + $(slack 0 "${4:-1}"))) ] || {
		echo "# $1: $2, more than $3"
		sed 's/^/#   /' sums
		return 1
	}
}

# Of a process with one thread, which has printed `cpu NS`.
accounts() {
	no_less "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" && no_more "CPU time of samples" "$(sum cpu)" "$(sum spent spent.txt)"
}

equals() { # WHAT EXPECTED GOT
	[ "$2" = "$3" ] || { echo "# $1: $3, not $2"; return 1; }
}

between() { # WHAT VALUE LEAST MOST
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || { echo "# $1: $2, not from $3 to $4"; return 1; }
}

charged() { # FUNCTION: CPU time in ns, before the cost of samples is subtracted
	"$ZPROF_BUILD/zprof" report --force --json p | tr '{' '\n' |
		awk -v name="\"name\":\"$1\"" 'function of(member) { return match($0, "\"" member "\":[0-9]+") ? substr($0, RSTART + length(member) + 3, RLENGTH - length(member) - 3) : 0 }
			index($0, name) { printf "%.0f\n", of("self_ticks") - of("self_waited_ns") }'
}

# A function that calls no hook is charged at its exit. The first sample after its entry may stand for up to one and a half periods of
# before; if it stands for more, samples did not come, and the time before it counts as not seen. What is left at the exit is the next
# function's first sample's: that is due within a period. A full ring loses notes, but no time: the thread's clock has it.
same_time() { # FUNCTION[:CALLS]...: as by its own clock, which has printed `FUNCTION NS`
	other=0
	for name in "$@"; do
		calls=${name#*:} name=${name%:*}
		[ "$calls" != "$name" ] || calls=1
		shown=$(charged $name) own=$(sum $name out) most=$((calls * $(slack 1.5)))
		[ "${shown:-0}" -le $((own + most)) ] && [ $((${shown:-0} + $(sum unseen))) -ge $((own - most)) ] || {
			echo "# $name(): $shown ns, and $(sum unseen) not seen; by its own clock $own, within $most"
			other=1
		}
	done
	return $other
}
