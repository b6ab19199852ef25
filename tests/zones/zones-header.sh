#!/bin/sh
# SPDX-License-Identifier: MIT
# zones-header.sh - zprof.h and iprof.h compile without a warning everywhere, need no library, and with ZPROF_DISABLE expand to
# nothing.
root=$(cd "${0%/*}/../.." && pwd)
programs=$root/tests/zones
. "${0%/*}/../lib/tap.sh"

strict="-Wall -Wextra -pedantic -Werror -I$root"
# Warnings depend on what the compiler finds out, so on optimization: each compiler has a go with all functions expanded and inlined, and
# one with all of them empty; the first C and the first C++ compiler have all ways.
ways="-O0 -O2 -O2:-finstrument-functions -O2:-fno-pie -O2:-DZPROF_DISABLE"
bad=0
for cc in "gcc -std=c11" "g++ -std=c++11 -x c++" "gcc -std=gnu17" "clang -std=c11" "g++ -std=c++20 -x c++" "clang++ -std=c++11 -x c++"; do
	for flags in $ways; do
		# shellcheck disable=SC2086,SC2046
		$cc $(echo $flags | tr : ' ') $strict -D_GNU_SOURCE -c \
			"$programs/zones_all.c" "$programs/zones_other.c" "$programs/zones_iprof.c" 2>said && continue
		bad=1
		echo "# $cc $flags"
		sed 's/^/# /' said | head -5
	done
	[ "$cc" != "g++ -std=c++11 -x c++" ] || ways="-O2:-finstrument-functions -O2:-DZPROF_DISABLE"
done
tap $bad "no warning from C11 and C++11 on, gcc and clang"

# The same function with and without the header.
cat >with.c <<'END'
#include "preload/zprof.h"
ZPROF_DEFINE(a);
ZPROF_DECLARE(b);
int work(int);
int all(int n, const uint64_t *counter, void *room, struct zprof_asking *asking);
int all(int n, const uint64_t *counter, void *room, struct zprof_asking *asking)
{
	ZPROF(all);
	{ ZPROF_BEGIN(1st); ZPROF_SCOPE(a); n = work(n); ZPROF_END; }
	zprof_lent_enter(zprof_lent("a name", "a group", 0, (uint32_t)work(n)));
	if (zprof_lent_counter("steps", counter)) n++;
	if (zprof_lent_begin(asking) && zprof_lent_asks(asking)) n += (int)zprof_lent_path(asking, 0, 0);
	zprof_lent_add(0, 0); zprof_lent_reenter(1); zprof_lent_missed(ZPROF_MISSED_STRETCH, 1); zprof_lent_runner(room);
	zprof_lent_switch(zprof_lent_stack()); zprof_lent_restore(zprof_lent_capture()); zprof_lent_unwind(zprof_lent_depth());
	zprof_frame("turn"); zprof_frame_discard("turn"); zprof_pause(); zprof_resume(); zprof_flush(); zprof_thread_name("x"); zprof_stack(room, 1);
	return zprof_recording() ? work(1) : n;
}
END
cat >without.c <<'END'
#include <stdint.h>
struct zprof_asking;
int work(int);
int all(int n, const uint64_t *counter, void *room, struct zprof_asking *asking);
int all(int n, const uint64_t *counter, void *room, struct zprof_asking *asking)
{
	n = work(n);
	return n;
}
END
bad=0
for cc in gcc clang; do
	for o in -O0 -O2; do
		for f in with without; do
			$cc $o -DZPROF_DISABLE -I"$root" -c $f.c -o $f.o && objcopy -O binary -j .text -j .rodata -j .data -j .bss $f.o $f.bin
		done
		cmp with.bin without.bin || { echo "# $cc $o"; bad=1; }
	done
done
tap $bad "disabled: the object's code and data are those of a program without it"

bad=0
for cc in gcc clang; do
	for flags in "" "-O2 -no-pie -fno-pie" "-O2 -flto" -static; do
		# shellcheck disable=SC2086
		$cc -w $flags -D_GNU_SOURCE -I"$root" "$programs/zones_all.c" "$programs/zones_other.c" -o alone && ./alone || { echo "# $cc $flags"; bad=1; }
	done
done
tap $bad "without the library a program links and runs, even statically"

bad=0
for cc in gcc clang; do
	for flags in -O2 "-O2 -no-pie -fno-pie"; do
		# shellcheck disable=SC2086
		$cc -w $flags -D_GNU_SOURCE -I"$root" "$programs/zones_all.c" "$programs/zones_other.c" -o linked \
			-L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -Wl,-rpath,"$ZPROF_BUILD" || bad=1
		ZPROF_OPTIONS=output=$TEST_TMP/linked.out ./linked && [ -s linked.out ] || { echo "# $cc $flags"; bad=1; }
		rm -f linked.out
	done
done
tap $bad "linked with -lzprof it is profiled"
finish
