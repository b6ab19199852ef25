#!/bin/sh
# SPDX-License-Identifier: MIT
# inside.sh - runs in a system that has zprof's package and the tools to build programs with. Prints `STATUS WHAT`, one per line.
cd /work || exit 2
[ -e zprof.deb ] || exit 2 # only there
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/work
says() { echo "$? $*"; }

dpkg -i zprof.deb >&2
says "the package is installed"
mkdir project && cat >project/prog.c <<'END'
#include <zprof.h>
static void part(void) { ZPROF(by_hand); }
int main(void) { part(); part(); return 0; }
END
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(prog C CXX)
find_package(zprof REQUIRED)
add_executable(prog prog.c)
target_link_libraries(prog zprof::zones zprof::hooks)
END
cat >project/meson.build <<'END'
project('prog', 'c')
executable('prog', 'prog.c', dependencies: dependency('zprof'))
END
recorded() { # PROGRAM
	rm -f p.zp
	zprof record --quiet -o p.zp "$1" && zprof graph p.zp >out && cat out >&2 &&
		grep -q '2/2  *main' out && grep -q 'by_hand' out
}
# shellcheck disable=SC2046
gcc -g $(pkg-config --cflags --libs zprof) project/prog.c -o by-pkg-config && recorded ./by-pkg-config
says "a program built with pkg-config is profiled"
{ cmake -S project -B by-cmake && cmake --build by-cmake; } >&2 && recorded by-cmake/prog
says "one built with CMake"
{ meson setup by-meson project && meson compile -C by-meson; } >&2 && recorded by-meson/prog
says "one built with Meson"
cp project/prog.c prog.cc
# shellcheck disable=SC2046
g++ -g $(zprof cflags --fentry) prog.cc -o by-fentry && recorded ./by-fentry
says "a C++ one with the flags of zprof cflags --fentry"
# shellcheck disable=SC2046
gcc -g $(zprof cflags --counts) project/prog.c -o by-counts && zprof annotate --counts -- ./by-counts >out && grep -q ' 2|' out
says "one that counts its statements"
echo ': sq dup * ; 7 sq .' >s.fth && vm-6502 s.fth -e bye </dev/null >out 2>&1 && grep -q 49 out
says "vm-6502 finds its Forth"
zprof html -o p.html p.zp && grep -q '<script' p.html
says "the page is made"
faults=
for page in zprof zprof-report libzprof zprof.h zprof.groups; do
	man "$page" >out 2>&1 && [ "$(wc -l <out)" -gt 10 ] || faults="$faults $page"
done
[ -z "$faults" ] || { echo "no page:$faults" >&2; false; }
says "the manual is there"
dpkg -V zprof >&2 && dpkg -r zprof >&2 && ! find / -xdev -name '*zprof*' -not -path '/work/*' -not -path '/var/*' -not -path '/proc/*' | grep . >&2
says "removed, nothing is left of it"
