#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh - builds zprof and the tests of tests/arm64/table for arm64, and runs them: under qemu-user, and on a kernel of arm64 in an emulated
# machine. See `make test-arm64`.
#
#   tests/arm64/run.sh [NAME-GLOB]
#
# With JUST_BUILT=1, nothing is built first. With ARM64=ci, only those tests run that have the word `ci` in the table.
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=$PWD/build/arm64-folder built=build/arm64
inside() { tests/arm64/inside.sh "$folder" "$@"; }

tests/arm64/folder.sh "$folder" && inside true
case $? in
0) ;;
3)
	# Packages, or a kernel that lets a namespace have programs of arm64, cannot be had everywhere, in CI neither.
	echo "test-arm64: SKIPPED, nothing was built or run for arm64 (see above)" >&2
	exit 0
	;;
*) exit 2 ;;
esac

cc=$folder/bin/cc
! command -v ccache >/dev/null || cc="ccache $cc"
# The emulator knows /proc/self alone. Test programs are built by compilers that have the names gcc, g++, clang and clang++.
# shellcheck disable=SC2086
[ -n "${JUST_BUILT:-}" ] || inside ${MAKE:-make} -s ${JOBS:--j2} B="$built" CC="$cc" AR="$folder/bin/ar" LD="$folder/bin/ld" OPT=-O1 WERROR=-Werror \
	CFLAGS='-DSYS_SELF=\"/proc/self/\"' NEED_BUILD= NEED_TEST= arm64-deps || exit 1

# `tests/run` gets tables of its own: the tests that run, as tests/table has them, and those of this folder.
mkdir -p "$built/tests"
table=$built/tests/table
tests_that() { # WORD: the lines of tests/table that have this word in tests/arm64/table
	awk -v word="$1" -v also="${ARM64:-}" '
		NR == FNR { if ($2 == word && (also == "" || $3 == also)) has[$1] = $3; next }
		$1 in has { if (has[$1] == "alone") $2 = "alone " $2; print }' tests/arm64/table tests/table
}
scripts='entries refused both pages'
# Real programs, beside a plain counter: what tests/real/program.sh is told.
real='sqlite gcc:-O2:
ninja gcc:-O2:
jsoncpp gcc:-O2: clang:-O2:--after-inlining
tcc gcc:-O2: clang:-O2:
minigzip gcc:-O2:'
# Fewer turns of what is slow on the kernel, and more time; in CI fewer still, and programs as one compiler builds them.
fewer='KILLS=10 FORKS=20 CROWD=100 RING_THREADS=8 TEST_MINUTES=20'
if [ "${ARM64:-}" = ci ]; then
	scripts='entries refused both' real=
	fewer='VARIANTS=gcc-O2 KILLS=3 FORKS=5 CROWD=50 THREADS=50 CHURN=300 SHARED=10000 STRIDE=32 TENTHS=1'
fi
{
	echo "$real" | while read -r name builds; do [ -z "$name" ] || echo "arm64-$name tests/real/program.sh $name $builds"; done
	tests_that runs
	for script in $scripts; do echo "arm64-$script tests/arm64/$script.sh"; done
} >"$table"
tests_that kernel >"$table-kernel"

awk '
	/^#/ || !NF { next }
	NR == FNR { pattern[++n] = $1; $1 = ""; sub(/ (ci|alone)$/, ""); why[n] = substr($0, 2); next }
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
glob=${1:-*} status=0
has_some() { # TABLE: whether a name matches
	while read -r name _; do
		# shellcheck disable=SC2254
		case $name in $glob) return 0 ;; esac
	done <"$1"
	return 1
}
if has_some "$table"; then
	ZPROF_OTHER=$PWD/build OBJDUMP="$folder/bin/objdump" TEST_TABLE=$table inside tests/run "$built" "$glob" || status=1
fi
if has_some "$table-kernel"; then
	tests/arm64/machine.sh "$folder"
	case $? in
	0)
		# shellcheck disable=SC2086
		env $fewer tests/arm64/kernel.sh "$folder" "$built" "$table-kernel" "$glob" || status=1
		;;
	3) echo "test-arm64: SKIPPED, nothing was run on a kernel of arm64 (see above)" >&2 ;;
	*) status=2 ;;
	esac
fi
exit $status
