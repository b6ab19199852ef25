#!/bin/sh
# SPDX-License-Identifier: MIT
# program-goldens.sh - programs that say at their ends what is typed and what must be printed: whole call graphs, to the tick. Each reading
# of the clock is one tick, so every build gives the same text.
#
#   GOLDEN_UPDATE=1 tests/run build program-goldens      puts what was printed into these comments
#
# Each file tests/*/NAME.c or .cc is such a program if it ends with a comment like this one, where a screen goes on to the next command:
#
#    * What this program must give:
#    *
#    * $ ./NAME ARGUMENT...
#    * $ zprof graph --no-via
#    * ./NAME
#    * 101 ticks in 1 thread; 51 calls
#    * ...
#
# With a line ` * only=*-O2` there, only these builds of gcc-O0 gcc-O2 clang-O0 clang-O2 must. Besides the screens, sums are asserted,
# that self is a tick for each call made and each return, and that a program which counts its calls (tests/programs/truth.h) has the same
# counts; so a screen that passes is right, however it was made.
. "${0%/*}/../lib/check.sh"
root=$(cd "${0%/*}/../.." && pwd)

zprof() { "$ZPROF_BUILD/zprof" "$@"; }
run() { # what is typed, recorded by the fake clock: its profile becomes the only one in the folder
	rm -f zprof.out.* truth.*
	eval "TRUTH=$PWD LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so $1" || { bad=1 && echo "$1 failed" >>said; }
	zprof graph --json >json
	"$ZPROF_BUILD/tests/check_laws" --fake <json >>said 2>&1 || bad=1
	for truth in truth.*; do
		[ ! -s "$truth" ] || "$ZPROF_BUILD/tests/check_counts" "$truth" <json >>said 2>&1 || bad=1
	done
}
shown() { # FILE: FILE, with what commands print now on its screens
	screen=''
	while IFS= read -r line; do
		case $line in
		' * $ zprof '*) screen=1 && eval "${line#' * $ '}" >screen 2>&1 ;;
		' * $ '*) screen=1 && run "${line#' * $ '}" >screen 2>&1 ;;
		' */') screen='' ;;
		esac
		case $screen$line in
		'1 * $ '*) printf '%s\n' "$line" && sed 's/^/ * /; s/^ \* $/ */' screen ;;
		1*) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
}

for file in $(cd "$root" && grep -lE '^ \* \$ zprof ' tests/*/*.c tests/*/*.cc); do
	name=${file##*/} name=${name%.*}
	only=$(sed -n 's/^ \* only=\([^ ]*\).*/\1/p' "$root/$file")
	for variant in $variants; do
		# shellcheck disable=SC2254
		case $variant in ${only:-*}) ;; *) continue ;; esac
		mkdir "$TEST_TMP/$name.$variant" && cd "$TEST_TMP/$name.$variant" || exit 1
		ln -s "$ZPROF_BUILD/tests/programs/$variant/$name" .
		bad=0
		shown "$root/$file" >actual
		[ -z "${GOLDEN_UPDATE:-}" ] || cp actual "$root/$file"
		same "$name prints what it shows ($variant)" "$root/$file" actual
		tap $bad "$name: sums hold, and counts are its own ($variant)" || sed 's/^/# /' said
	done
done
finish
