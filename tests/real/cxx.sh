#!/bin/sh
# SPDX-License-Identifier: MIT
# cxx.sh - a real C++ program: Debian's gperf makes a perfect hash of 500 words; every arc's count equals callgrind's.
#
# gperf has class hierarchies with virtual functions, constructors of static objects, and callbacks from the C library.
cd "${0%/*}/../.." || exit 2
. tests/lib/callgrind.sh

source=$(tests/real/source.sh gperf "$real") || exit 1
gperf=$real/gperf
if [ ! -x "$gperf" ]; then
	(cd "$source" && ./configure CXXFLAGS=-O1 CFLAGS=-O1 && make -j2 -C lib) >"$real/gperf.log" 2>&1 || {
		tail -5 "$real/gperf.log" >&2
		exit 1
	}
	files=$(find "$source/src" -name '*.cc')
	# shellcheck disable=SC2086
	${CXX:-g++} $flags -std=gnu++14 -I"$source/lib" -I"$source/src" -I"$source" $files "$source/lib/libgp.a" -o "$gperf" || exit 1
fi
awk 'BEGIN {
	seed = 1
	for (i = 0; i < 500; i++) {
		word = "w" i
		for (j = 0; j < 6; j++) {
			seed = (seed * 69069 + 1) % 4294967296
			word = word sprintf("%c", 97 + int(seed / 65536) % 26)
		}
		print word
	}
}' >"$real/gperf.words"
against_callgrind gperf '' "$gperf" -m 3 -G -C -L C++ "$real/gperf.words"
finish
