#!/bin/sh
# SPDX-License-Identifier: MIT
# lua.sh - a real C program: Debian's Lua 5.4 runs a program of millions of calls, with errors (longjmp), coroutines and a
# garbage collector; every arc's count equals callgrind's. Once with the source's functions, once with those that
# gcc -O2 leaves.
#
# Lua hashes strings with a seed, which is fixed here, and other things by their address. Of addresses only the offset in a
# page is used, which is the same in both runs if the address space is not random, though valgrind's heap begins elsewhere. The
# cache of C strings, whose keys may lie on the stack, below an environment that differs, uses the first character instead.
cd "${0%/*}/../.." || exit 2
. tests/lib/callgrind.sh

source=$(tests/real/source.sh lua5.4 "$real") || exit 1
# the header in which Debian's build says where modules are
echo "#define DEB_HOST_MULTIARCH \"$(dpkg-architecture -qDEB_HOST_MULTIARCH)\"" >"$source/src/lua5.4-deb-multiarch.h"
sed -i 's/^#define point2uint(p).*/#define point2uint(p) ((unsigned int)((size_t)(p) \& 0xfff))/' "$source/src/llimits.h"
sed -i 's/point2uint(str) % STRCACHE_N/(unsigned char)*str % STRCACHE_N/' "$source/src/lstring.c"
grep -q '(unsigned char)\*str % STRCACHE_N' "$source/src/lstring.c" || { echo "lua.sh: lstring.c has another cache" >&2; exit 1; }

build() { # PROGRAM FLAGS
	[ -x "$1" ] && return
	files=$(find "$source/src" -name '*.c' ! -name luac.c ! -name '*_test.c')
	# shellcheck disable=SC2086
	${CC:-gcc} $2 -std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX "-Dluai_makeseed(L)=42u" $files -o "$1" -lm -ldl -Wl,-E || exit 1
}

build "$real/lua-hooks" "$flags"
against_callgrind lua --repairs "$real/lua-hooks" tests/real/program.lua "${1:-3}"

# The second front end: the functions that exist after inlining, so the compiler treats them as at -O2, except for clones, which
# have names of their own in one tool and not in the other, and jumps to functions, which are calls to callgrind.
build "$real/lua-fentry" "-O2 $("$ZPROF_BUILD/zprof" cflags --fentry) -fno-optimize-sibling-calls -fno-partial-inlining -fno-ipa-cp \
-fno-ipa-sra -fno-ipa-icf -fno-reorder-blocks-and-partition"
against_callgrind lua-fentry --repairs "$real/lua-fentry" tests/real/program.lua "${1:-3}"
finish
