# SPDX-License-Identifier: MIT
# callgrind.sh - what the checks on real programs share: libraries of hooks, and the comparison with callgrind and its flags.
#
# Sourced by the scripts in tests/real, from the repository's root; makes $real, the folder to work in.
. tests/lib/tap.sh

: "${ZPROF_BUILD:?is set by make}"
real=$ZPROF_BUILD/real
mkdir -p "$real"

# Makes $real/NAME.so from NAME.c, through a temporary file: another check may be making or using it.
make_hooks() { # NAME FLAGS...
	hooks_source=tests/real/$1.c hooks_library=$real/$1.so
	shift
	${CC:-gcc} -O2 "$@" -shared -fPIC "$hooks_source" -o "$hooks_library.$$" && mv "$hooks_library.$$" "$hooks_library"
}

# For callgrind: both tools must see the same functions: those of the source. So nothing is inlined, cloned, split or merged.
flags="-O2 -g -finstrument-functions -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf \
-fno-reorder-blocks-and-partition"

make_hooks hooks || exit 1

# against_callgrind NAME LAWS PROGRAM [ARGUMENT...]: runs it under both, and compares every arc.
against_callgrind() {
	name=$1 laws=$2 profile=$real/$1.profile
	shift 2
	rm -f "$profile" "$real/$name.callgrind"
	ZPROF_OPTIONS=output=$profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so setarch -R "$@" >"$real/$name.out"
	tap $? "$name runs under zprof"
	LD_PRELOAD=$real/hooks.so setarch -R valgrind -q --tool=callgrind --callgrind-out-file="$real/$name.callgrind" \
		"$@" >"$real/$name.out2"
	cmp "$real/$name.out" "$real/$name.out2"
	tap $? "$name prints the same under zprof and under callgrind"
	"$ZPROF_BUILD/zprof" graph --json "$profile" >"$real/$name.json"
	# shellcheck disable=SC2086
	"$ZPROF_BUILD/tests/check_laws" $laws <"$real/$name.json" && "$ZPROF_BUILD/tests/check_conserved" "$profile"
	tap $? "$name: the sums hold to the tick, nothing is lost"
	awk -f tests/real/callgrind_names.awk -f tests/real/callgrind_truth.awk "$real/$name.callgrind" >"$real/$name.truth" &&
		"$ZPROF_BUILD/tests/check_counts" "$real/$name.truth" <"$real/$name.json"
	tap $? "$name: $(awk -F'\t' '/^total/ { n++; calls += $3 } /^calls/ { arcs++ } END {
		printf "%d calls of %d functions on %d arcs, each as callgrind counts it", calls, n, arcs }' "$real/$name.truth")"
}
