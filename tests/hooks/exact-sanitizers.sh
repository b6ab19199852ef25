#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-sanitizers.sh - programs built with AddressSanitizer or ThreadSanitizer run under the library as they do alone, and are counted right.
#
# gcc's runtimes are shared libraries, and AddressSanitizer's insists on being loaded first; clang's are in the program.
. "${0%/*}/../lib/check.sh"
root=$(cd "${0%/*}/../.." && pwd)
cd "$root" || exit 2
# the programs themselves leak memory
export ASAN_OPTIONS=detect_leaks=0

build() { # COMPILER SANITIZER PROGRAM
	for source in tests/programs/"$3".c tests/programs/"$3".cc tests/*/"$3".c; do [ ! -e "$source" ] || break; done
	compiler=$1
	[ "${source%.cc}" = "$source" ] || compiler="$(echo "$1" | sed 's/gcc/g++/; s/clang/clang++/') -std=gnu++20"
	$compiler -O1 -g -w -I. -pthread -finstrument-functions -fsanitize="$2" "$source" "$ZPROF_BUILD/tests/programs/truth.o" -o "$TEST_TMP/program"
}

sanitized() { # COMPILER SANITIZER PRELOADED-FIRST PROGRAM ARGUMENT...
	what="$1 -fsanitize=$2: $4" preloaded=$3
	if ! build "$1" "$2" "$4"; then
		tap 1 "$what"
		return
	fi
	shift 4
	for folder in plain run; do
		rm -rf "$TEST_TMP/$folder"
		mkdir "$TEST_TMP/$folder"
	done
	bad=0
	TRUTH=$TEST_TMP/plain timeout 300 "$TEST_TMP/program" "$@" >"$TEST_TMP/plain.out" 2>"$TEST_TMP/plain.err"
	expected=$?
	if grep -q 'unexpected memory mapping' "$TEST_TMP/plain.err"; then
		skip "$what" "this sanitizer cannot run with this kernel's randomization of addresses"
		return
	fi
	TRUTH=$TEST_TMP/run ZPROF_OPTIONS=output=$TEST_TMP/run/profile.%p LD_PRELOAD="$preloaded$ZPROF_BUILD/libzprof.so" \
		timeout 300 "$TEST_TMP/program" "$@" >"$TEST_TMP/run.out" 2>"$TEST_TMP/run.err"
	got=$?
	[ $got = $expected ] || { bad=1; echo "# exit status $got, not $expected"; }
	cmp "$TEST_TMP/plain.out" "$TEST_TMP/run.out" >&2 || bad=1
	# a sanitizer's warnings bear the process's id
	sed 's/==[0-9]*==//' "$TEST_TMP/plain.err" >"$TEST_TMP/plain.said"
	sed 's/==[0-9]*==//' "$TEST_TMP/run.err" | cmp "$TEST_TMP/plain.said" - >&2 || { bad=1; head -5 "$TEST_TMP/run.err" | sed 's/^/# /'; }
	may_repair=1 killed='' contexts=''
	compare "$TEST_TMP/run" || bad=1
	tap $bad "$what"
}

for sanitizer in address thread; do
	first=$(gcc -print-file-name=lib$(echo $sanitizer | cut -c1 | sed 's/a/asan/; s/t/tsan/').so)
	for program in "threads 20000" exceptions "signals normal 2" "forks fork"; do
		# shellcheck disable=SC2086
		sanitized gcc $sanitizer "$first " $program
		# shellcheck disable=SC2086
		sanitized clang $sanitizer "" $program
	done
done

# zprof record puts libzprof.so first: then the runtime must be told not to insist.
cd "$TEST_TMP" || exit 2
(cd "$root" && build gcc address threads) && ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 TRUTH=$TEST_TMP/plain \
	"$ZPROF_BUILD/zprof" record ./program 100 >out 2>&1 && grep -q 'the profile is in' out
tap $? "zprof record with ASAN_OPTIONS=verify_asan_link_order=0"
finish
