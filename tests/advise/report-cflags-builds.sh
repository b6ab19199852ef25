#!/bin/sh
# SPDX-License-Identifier: MIT
# What `zprof cflags --after-inlining` prints, given as one string to compilers, linkers and build systems: programs link,
# whatever the order, they are recorded, and none leaves a gmon.out.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
unset ZPROF_OPTIONS CFLAGS CXXFLAGS LDFLAGS LDLIBS MAKEFLAGS MFLAGS
flags=$("$zprof" cflags --after-inlining)
cflags=$("$zprof" cflags --after-inlining --cflags)
libs=$("$zprof" cflags --after-inlining --libs)

mkdir source
cat >source/main.cc <<'EOF'
#include <zprof.h>
int shared(int), archived(int);
int main()
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += shared(i) + archived(i);
	return sum != 100;
}
EOF
echo 'int shared(int x) { return x + 1; }' >source/shared.cc
echo 'int archived(int x) { return x; }' >source/archived.cc

calls() { # NAME
	"$zprof" report --json --func "$1(int)" | grep "\"name\":\"$1" | grep -o '"calls":[0-9]*' | head -1
}
works() { # WHAT PROGRAM
	rm -f zprof.out* gmon.out
	"$2" && [ -z "$(ls zprof.out* gmon.out 2>/dev/null)" ]
	tap $? "$1: the program runs by itself, and leaves no file"
	"$zprof" record "$2" 2>/dev/null && [ ! -e gmon.out ] && [ "$(calls shared) $(calls archived)" = '"calls":10 "calls":10' ]
	tap $? "$1: recorded, each call is there, and no gmon.out"
}
links() { # WHAT COMMAND...
	what=$1
	shift
	"$@" >log 2>&1
	status=$?
	tap $status "$what: it is built"
	[ $status = 0 ] || sed 's/^/# /' log
}

# One command, or one for each step; flags first or last; libraries that are needed only, as many systems have it.
cd source && g++ -O2 -fPIC $cflags -c main.cc shared.cc archived.cc && cd .. || exit 1
objects='source/main.o source/shared.o source/archived.o'
for order in "$flags -Wl,--as-needed $objects" "$objects -Wl,--as-needed $flags" "$libs -Wl,--as-needed $objects" "$objects -Wl,--as-needed $libs"; do
	case $order in source/*) where=last ;; *) where=first ;; esac
	case $order in *-Wp,-p*) what=flags ;; *) what=--libs ;; esac
	rm -f prog
	links "g++, $what $where" g++ -O2 $order -o prog
	works "g++, $what $where" ./prog
done
rm -f prog
links "g++, one command" g++ -O2 $flags source/main.cc source/shared.cc source/archived.cc -o prog
works "g++, one command" ./prog

cat >source/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(prog CXX)
add_library(archived STATIC archived.cc)
add_library(shared SHARED shared.cc)
add_executable(prog main.cc)
target_link_options(prog PRIVATE -Wl,--as-needed)
target_link_libraries(prog shared archived)
EOF
build_cmake() {
	cmake -S source -B cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags" && cmake --build cmake
}
links "CMake, by one option" build_cmake
works "CMake, by one option" cmake/prog
links "CMake, by the environment" env CXXFLAGS="$cflags" LDFLAGS="$libs" sh -c 'cmake -S source -B cmake2 && cmake --build cmake2'
works "CMake, by the environment" cmake2/prog

cat >source/meson.build <<'EOF'
project('prog', 'cpp', default_options: ['buildtype=release'])
archived = static_library('archived', 'archived.cc')
shared = shared_library('shared', 'shared.cc')
executable('prog', 'main.cc', link_with: [shared, archived])
EOF
build_meson() {
	meson setup -Dcpp_args="$cflags" -Dcpp_link_args="$libs" meson source && meson compile -C meson
}
links "Meson, by options" build_meson
works "Meson, by options" meson/prog
links "Meson, by the environment" env CXXFLAGS="$cflags" LDFLAGS="$libs" sh -c 'meson setup meson2 source && meson compile -C meson2'
works "Meson, by the environment" meson2/prog
finish
