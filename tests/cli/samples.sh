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
# perf_event_open, then timer_create
refuse_ring="./refuse 1 298" refuse_all="./refuse 38 298,222"
as_nobody='' as_one=''
if [ "$(id -u)" = 0 ]; then
	as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
	# With limits of its own: nobody else is this user.
	as_one="setpriv --reuid $((50000 + $$ % 10000)) --regid 65534 --clear-groups"
fi

profile() {
	rm -rf p p.* out err
	options=$1 prefix=$2
	shift 2
	$prefix env LD_PRELOAD="$work/libzprof.so" ZPROF_OPTIONS="output=$work/p${options:+,$options}" timeout 60 "$@" >out 2>err || {
		echo "# exit status $?"
		return 1
	}
	sed 's/^/# stderr: /' err
	[ ! -s err ] && "$ZPROF_BUILD/tests/sample_sums" p >sums
}

sum() { # NAME: from the samples
	sed -n "s/^$1 //p" "${2:-sums}"
}

# On a busy machine the kernel's ticks and clocks agree no better than this.
near() { # WHAT VALUE EXPECTED: within two thirds and 60 ms (in ns)
	awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= b * 2 / 3 + 60e6) }' || {
		echo "# $1: $2, not about $3"
		return 1
	}
}

is() { # WHAT VALUE EXPECTED
	[ "$2" = "$3" ] || { echo "# $1: $2, not $3"; return 1; }
}

between() { # WHAT VALUE LEAST MOST
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || { echo "# $1: $2, not from $3 to $4"; return 1; }
}

# A full ring loses notes, but no time: the kernel's clock of the thread has it.
charged() { # FUNCTION: CPU time in ns, before the cost of samples is subtracted
	"$ZPROF_BUILD/zprof" report --force --json p | tr '{' '\n' |
		awk -v name="\"name\":\"$1\"" 'function of(member) { return match($0, "\"" member "\":[0-9]+") ? substr($0, RSTART + length(member) + 3, RLENGTH - length(member) - 3) : 0 }
			index($0, name) { printf "%.0f\n", of("self_ticks") - of("self_waited_ns") }'
}

same_time() { # FUNCTION...: as by its own clock, which has printed `FUNCTION NS`
	other=0
	for name in "$@"; do
		awk -v shown="$(charged $name)" -v own="$(sum $name out)" 'BEGIN { d = shown - own; exit !(shown && d < own / 50 + 3e6 && d > -own / 50 - 3e6) }' || {
			echo "# $name: $(charged $name) ns, by its own clock $(sum $name out)"
			other=1
		}
	done
	return $other
}
