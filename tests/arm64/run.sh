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
programs="zprof tests/make_profile tests/check_laws tests/json_shape $(awk '$2 ~ /^build\// { sub(/^build\//, "", $2); print $2 }' "$shown/table")"

cc=$folder/bin/cc
! command -v ccache >/dev/null || cc="ccache $cc"
# shellcheck disable=SC2086,SC2046
${MAKE:-make} -s ${JOBS:--j2} B="$built" CC="$cc" AR="$folder/bin/ar" LD="$folder/bin/ld" OPT=-O1 CFLAGS= NEED_BUILD= NEED_TEST= \
	$(printf "$built/%s\n" $programs) || exit 1

# What tests call is a script that runs the program in the emulator.
for program in $programs; do
	mkdir -p "$shown/$(dirname "$program")"
	printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$folder/bin/run" "$PWD/$built/$program" >"$shown/$program"
	chmod +x "$shown/$program"
done

awk '
	/^#/ || !NF { next }
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
TEST_TABLE=$shown/table tests/run "$shown" "${1:-*}"
