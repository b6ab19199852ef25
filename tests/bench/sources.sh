#!/bin/sh
# SPDX-License-Identifier: MIT
# sources.sh - real programs for the benchmark, from Debian's source packages, which stay in the build folder.
#
#   sources.sh fetch BUILD_DIR                                            fails loudly if one cannot be fetched
#   sources.sh build BUILD_DIR lua|zlib OUTPUT COMPILER CFLAGS LDFLAGS    builds nothing if there is no source
set -eu
cd "${0%/*}/../.."
what=$1 build=$2
folder=$build/bench/source
package_of() {
	case $1 in lua) echo lua5.4 ;; zlib) echo zlib ;; esac
}

if [ "$what" = fetch ]; then
	skipped=0
	for name in lua zlib; do
		tests/real/source.sh "$(package_of $name)" "$folder" >/dev/null || {
			echo "bench: SKIPPED $name: its source package cannot be fetched (are the system's package sources reachable?)" >&2
			skipped=1
		}
	done
	# the header in which Debian's build says where modules are
	for lua in "$folder"/lua5.4-*/src; do
		[ ! -d "$lua" ] || echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" >"$lua/lua5.4-deb-multiarch.h"
	done
	exit $skipped
fi

name=$3 output=$4 cc=$5 cflags=$6 ldflags=$7
case $name in
lua)
	include=$(find "$folder" -maxdepth 2 -path '*/lua5.4-*/src' 2>/dev/null)
	[ -n "$include" ] || exit 0
	files=$(find "$include" -name 'l*.c' ! -name lua.c ! -name luac.c ! -name '*_test.c')
	cflags="$cflags -DLUA_COMPAT_5_3 -DLUA_USE_LINUX" ldflags="$ldflags -lm -ldl"
	;;
zlib)
	include=$(find "$folder" -maxdepth 1 -name 'zlib-*' -type d 2>/dev/null)
	[ -n "$include" ] || exit 0
	files=$(find "$include" -maxdepth 1 -name '*.c')
	cflags="$cflags -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H"
	;;
esac
objects=$output.o
rm -rf "$objects"
mkdir -p "$objects"
for f in $files tests/bench/work_$name.c; do
	# shellcheck disable=SC2086
	$cc $cflags -w -I. -I"$include" -c "$f" -o "$objects/$(basename "$f" .c).o"
done
# shellcheck disable=SC2086
$cc "$objects"/*.o "$build/bench/work_main.o" -o "$output" -pthread $ldflags
