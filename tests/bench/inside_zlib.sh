#!/bin/sh
# SPDX-License-Identifier: MIT
# inside_zlib.sh - what zprof shows of zlib below a program with hooks (rows `(sampled)`), beside what perf finds in the plain program.
#
#   tests/bench/inside_zlib.sh BUILD
#
# The program, inside_zlib.c, is a user of Debian's libz.so, in which nearly all of its time is spent. Debian's file is stripped, and its
# hot functions are static. So zlib is built from Debian's source with Debian's flags, too, once with its symbols and once with hooks. If
# the code of the one with symbols is Debian's to the byte, its symbols say which function an address of Debian's lies in. Compared are
#
#   1  Debian's libz below zones                                  with perf and Debian's libz: functions by their addresses
#   2  the same by `zprof record --sampled`, without hooks        with the same
#   3  the libz with symbols below zones                          with perf and that libz: functions by perf's own names
#   4  1 again, where each call of zlib runs for longer than      with perf and Debian's libz
#      the kernel keeps samples for a thread (some 80)
#   5  the libz with hooks, all its functions zones               with perf and the libz with symbols
#
# of each function with a percent or more by perf. In 1, 2 and 3 nothing but chance lies between the two: the bound is 6 standard
# deviations (shares.py). In 4 and 5 zprof's own error bar comes on top, since there it makes up for samples that found no room, and for what
# hooks cost. The status is 1 if a row is further apart. TURNS=1500 is how long it runs.
build=$(cd "${1:?usage: tests/bench/inside_zlib.sh BUILD}" && pwd)
cd "${0%/*}/../.." || exit 2
root=$(pwd) turns=${TURNS:-1500}
command -v perf >/dev/null 2>&1 || { echo "SKIPPED: there is no perf (linux-perf)" >&2; exit 0; }
source=$(tests/real/source.sh zlib "$build/real") || { echo "SKIPPED: zlib's source cannot be fetched" >&2; exit 0; }
folder=$build/bench/inside
mkdir -p "$folder"
cd "$folder" || exit 2
zprof=$build/zprof

# Builds zlib as its debian/rules does for this machine, with more flags, into FOLDER.
build_zlib() { # FOLDER CFLAGS LDFLAGS
	[ ! -e "$1/libz.so.1" ] || return 0
	rm -rf "$1.making" && cp -r "$source" "$1.making" && (cd "$1.making" &&
		CC=gcc CFLAGS="$(dpkg-buildflags --get CFLAGS) $(dpkg-buildflags --get CPPFLAGS) -Wall -D_REENTRANT -O3 -DUNALIGNED_OK $2" \
			LDFLAGS="$(dpkg-buildflags --get LDFLAGS) $3" uname=GNU ./configure --shared --prefix=/usr \
			--libdir="\${prefix}/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" && make -s "$(sed -n 's/^SHAREDLIBV=//p' Makefile)") >"$1.log" 2>&1 &&
		mkdir -p "$1" && cp "$1.making"/libz.so.*.* "$1/libz.so.1" && rm -r "$1.making"
}
build_zlib symbols "" "" && build_zlib hooks "$("$zprof" cflags --fentry --cflags)" "$("$zprof" cflags --fentry --libs)" ||
	{ tail -5 ./*.log; exit 1; }
# shellcheck disable=SC2046
gcc -O2 -g "$root/tests/bench/inside_zlib.c" -o user -lz &&
	gcc -O2 -g $("$zprof" cflags) "$root/tests/bench/inside_zlib.c" -o user-hooks -lz || exit 1

by_perf() { # LIBZ OUTPUT TURNS KILOBYTES
	LD_LIBRARY_PATH=$1 perf record -q -e task-clock -c 1000003 -o "$2" -- ./user "$3" "$4" >/dev/null 2>&1
}
by_zprof() { # LIBZ OUTPUT TURNS KILOBYTES
	LD_LIBRARY_PATH=$1 "$zprof" record --quiet --force -o "$2" ./user-hooks "$3" "$4"
}
by_perf "" debian.perf "$turns" 128 || { echo "SKIPPED: perf is refused" >&2; exit 0; }
by_zprof "" debian.zp "$turns" 128 &&
	"$zprof" record --quiet --force --sampled -o sampled.zp ./user "$turns" 128 &&
	by_zprof "$folder/symbols" symbols.zp "$turns" 128 && by_perf "$folder/symbols" symbols.perf "$turns" 128 &&
	by_zprof "" long.zp "$((turns / 8))" 1024 && by_perf "" long.perf "$((turns / 8))" 1024 &&
	by_zprof "$folder/hooks" hooks.zp "$turns" 128 || exit 1
exec python3 "$root/tests/bench/inside_zlib.py" "$zprof"
