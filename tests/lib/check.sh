# SPDX-License-Identifier: MIT
# check.sh - runs test programs under the profiler and compares profiles with what the programs counted themselves.
#
# Sourced by tests of the library, which then call
#
#   check "what holds" [status=N] [only=GLOB] [may_repair=1] [library=FILE] [options=K=V,...]
#         [contexts=MOST] [seconds=N] [killed=1] [lines=1] PROGRAM [ARGUMENT...]
#
# That is one TAP line for each of the builds gcc-O0 gcc-O2 clang-O0 clang-O2 (those that match GLOB; VARIANTS names fewer). A program's process
# writes truth.PID, its profile is profile.PID: there must be one of each, they must agree call for call
# (tests/tools/check_counts.c), the sums must hold (check_laws.c, check_conserved.c), nothing may be lost, and, unless may_repair=1 says that the
# program jumps or switches, nothing may have been repaired. With lines=1, each call must be on a line (tests/tools/check_lines.c). A test
# ends with `finish`.

: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
variants=${VARIANTS:-gcc-O0 gcc-O2 clang-O0 clang-O2}
. "${0%/*}/../lib/tap.sh"

# Whether the truth allows no calls at all, as for a process that may have been killed before its first.
may_be_nothing() {
	awk -F '\t' '$1 == "calls" && $4 > 0 || $1 == "total" && $3 > 0 {some = 1} END {exit some}' "$1"
}

# compare FOLDER: every process's profile against its truth. Says what differs.
compare() {
	differs=0 found=0 died=''
	for truth in "$1"/truth.*; do
		[ -e "$truth" ] || continue
		found=1
		profile=$1/profile.${truth##*/truth.}
		if [ ! -e "$profile" ]; then
			may_be_nothing "$truth" && continue
			echo "# no ${profile##*/} for ${truth##*/}"
			differs=1
			continue
		fi
		"$ZPROF_BUILD/zprof" graph --json "$profile" >"$1/json" || differs=1
		"$ZPROF_BUILD/tests/check_counts" "$truth" <"$1/json" >"$1/said" 2>&1 || differs=1
		"$ZPROF_BUILD/tests/check_laws" ${may_repair:+--repairs} <"$1/json" >>"$1/said" 2>&1 || differs=1
		# of a process that was killed, the truth is written right after
		died=${killed:+--killed=$(stat -c %.9Y "$truth")}
		"$ZPROF_BUILD/tests/check_conserved" $died "$profile" ${contexts:-} >>"$1/said" 2>&1 || differs=1
		[ -z "${lines:-}" ] || { "$ZPROF_BUILD/zprof" annotate --json "$profile" >"$1/lines" &&
			"$ZPROF_BUILD/tests/check_lines" "$1/lines" "$1/json" >"$1/breaches"; } || { differs=1; cat "$1/breaches" >>"$1/said"; }
		sed "s/^/# ${profile##*/}: /" "$1/said" | head -20
	done
	for profile in "$1"/profile.*; do
		[ -e "$profile" ] || continue
		[ -e "$1/truth.${profile##*/profile.}" ] && continue
		echo "# ${profile##*/}: a profile of a process that entered nothing"
		differs=1
	done
	[ $found = 1 ] || { echo "# the program wrote no truth"; differs=1; }
	return $differs
}

# check_one WHAT VARIANT PROGRAM [ARGUMENT...]
check_one() {
	what="$1 ($2)" folder=$TEST_TMP/$2-$((tap_count + 1))
	program=$ZPROF_BUILD/tests/programs/$2/$3
	shift 3
	rm -rf "$folder"
	mkdir -p "$folder"
	(cd "$folder" && TRUTH=$folder LD_PRELOAD=$library \
		ZPROF_OPTIONS="output=$folder/profile.%p${options:+,$options}" timeout "${seconds:-300}" "$program" "$@" \
		>"$folder/out" 2>"$folder/err")
	got=$?
	head -5 "$folder/err" | sed 's/^/# stderr: /'
	compare "$folder"
	bad=$?
	[ "$got" = "$status" ] || { bad=1; echo "# exit status $got, not $status"; }
	[ $bad = 0 ] || grep '^#' "$folder/out"
	tap $bad "$what"
	rm -rf "$folder"
}

check() {
	what_holds=$1 status=0 only='*' may_repair='' options='' seconds='' contexts='' killed='' lines='' library=$ZPROF_BUILD/libzprof.so
	shift
	while :; do
		case $1 in
		status=* | only=* | may_repair=* | library=* | options=* | seconds=* | contexts=* | killed=* | lines=*) eval "${1%%=*}=\${1#*=}" ;;
		*) break ;;
		esac
		shift
	done
	for variant in $variants; do
		# shellcheck disable=SC2254
		case $variant in $only) check_one "$what_holds" "$variant" "$@" ;; esac
	done
}

# check_every_way WHAT [status=N ...]: programs in which control takes every way there is: calls, jumps, exceptions, threads, contexts.
check_every_way() {
	way=$1
	shift
	check "$way: calls from main" "$@" diamond
	check "$way: recursion" "$@" recurse
	check "$way: longjmp, out of handlers too, whatever is called next" "$@" may_repair=1 jumps
	check "$way: recursion inlined into itself, and left by jumps" "$@" may_repair=1 inlined
	check "$way: functions split by the compiler" "$@" split
	check "$way: exceptions and forced unwinding" "$@" may_repair=1 exceptions
	check "$way: alloca, inlining, tail calls, noreturn" "$@" tails
	check "$way: threads that return, exit, are cancelled, or outlive main" "$@" may_repair=1 threads_end
	check "$way: contexts (swapcontext)" "$@" may_repair=1 stacks contexts
}
