#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh - builds zprof and the tests of tests/arm64/table for arm64, and runs them under qemu-user. See `make test-arm64`.
#
#   tests/arm64/run.sh [NAME-GLOB]
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=$PWD/build/arm64-folder built=build/arm64 shown=build/arm64-qemu

tests/arm64/folder.sh "$folder"
case $? in
0) ;;
3)
	echo "test-arm64: SKIPPED, nothing was built or run for arm64: the packages cannot be had (see above)" >&2
	# In CI everything must run.
	[ "${CI:-}" != true ]
	exit
	;;
*) exit 2 ;;
esac

# `tests/run` gets a table of its own: the tests that run, as tests/table has them.
rm -rf "$shown"
mkdir -p "$shown"
awk 'NR == FNR { if ($2 == "runs") runs[$1]; next } $1 in runs' tests/arm64/table tests/table >"$shown/table"
printf '%s\n' "arm64-entries tests/arm64/entries.sh" "arm64-flow tests/arm64/flow.sh" >>"$shown/table"

# Three kinds of files, all of which tests find below $shown: programs of arm64; libraries of arm64 that such programs load; and programs of
# this machine, which read the profiles.
checks="check_counts check_conserved"
recorded="libzprof.so tests/libzprof-fake.so"
programs="zprof tests/make_profile tests/check_laws tests/json_shape $(awk '$2 ~ /^build\// { sub(/^build\//, "", $2); print $2 }' "$shown/table")"
for variant in gcc-O0 gcc-O2 clang-O0 clang-O2; do
	for name in $(awk -v v=$variant '$1 == "program" && (NF == 2 || index(v, $3) == 1) { print $2 }' tests/arm64/table) \
		$(grep -lE '^ \* \$ zprof ' tests/*/*.c tests/*/*.cc | sed 's|.*/||; s|\..*||'); do
		programs="$programs tests/programs/$variant/$name"
	done
	recorded="$recorded tests/programs/$variant/libshared.so"
done

cc=$folder/bin/cc
! command -v ccache >/dev/null || cc="ccache $cc"
# The emulator knows /proc/self alone. Test programs are built by compilers that have the names gcc, g++, clang and clang++.
# shellcheck disable=SC2086,SC2046
PATH=$folder/bin:$PATH ${MAKE:-make} -s ${JOBS:--j2} B="$built" CC="$cc" AR="$folder/bin/ar" LD="$folder/bin/ld" OPT=-O1 \
	CFLAGS='-DSYS_SELF=\"/proc/self/\"' NEED_BUILD= NEED_TEST= $(printf "$built/%s\n" $programs $recorded) || exit 1
cc -std=gnu11 -O1 -static -DEMULATOR="\"$folder/tools/usr/bin/qemu-aarch64-static\"" -DSYSTEM="\"$folder/system\"" \
	tests/arm64/emulate.c -o "$shown/emulate" || exit 1
for program in $programs; do
	mkdir -p "$shown/$(dirname "$program")"
	cp "$shown/emulate" "$shown/$program"
	ln -s "$PWD/$built/$program" "$shown/$program.arm64"
done
for library in $recorded; do ln -s "$PWD/$built/$library" "$shown/$library"; done
for check in $checks; do ln -s "$PWD/build/tests/$check" "$shown/tests/$check"; done

awk '
	/^#/ || !NF || $1 == "program" { next }
	NR == FNR { pattern[++n] = $1; $1 = ""; why[n] = substr($0, 2); next }
	{
		for (i = 1; i <= n; i++) {
			at = pattern[i]
			gsub(/\*/, ".*", at)
			if ($1 ~ "^" at "$")
				break
		}
		count[i > n ? "no reason" : why[i]]++
	}
	END { for (w in count) printf "%4d %s\n", count[w], w }' tests/arm64/table tests/table | sort -rn | sed 's/^/test-arm64: /'
OBJDUMP="$folder/bin/objdump" TEST_TABLE=$shown/table tests/run "$shown" "${1:-*}"
