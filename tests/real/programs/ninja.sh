# SPDX-License-Identifier: MIT
# ninja, in C++: reads a manifest of some thousand edges, and prints what it would run and what it
# could.
package=ninja-build
workloads='plan commands'
# The other hooks name inlined functions of headers, some of which are internal to the C++ library.
clang_hooks=--after-inlining
# --fentry has ninja in test-real-full alone: jsoncpp is C++, too, and has it each time. The build with the hooks of the source's functions
# is that of the viewers' tests, too.
builds='gcc: clang:--after-inlining'

manifest() { # EDGES
	awk -v edges="$1" 'BEGIN {
		print "cflags = -O2 -Wall"
		print "rule cc\n  command = cc $cflags -c $in -o $out\n  description = CC $out\n  depfile = $out.d"
		print "rule link\n  command = cc $in $libs -o $out"
		print "rule make\n  command = sed s/x/y/ <$in >$out"
		for (i = 0; i < 11; i++)
			print "build out/made" i ".h: make ../../source.c"
		for (i = 0; i < edges; i++) {
			print "build out/" i % 37 "/" i ".o: cc ../../source.c | out/made" i % 11 ".h"
			if (i % 3 == 0)
				print "  cflags = $cflags -DN=" i
		}
		for (p = 0; p < 200; p++) {
			printf "build out/program%d: link", p
			for (i = p; i < edges; i += 200)
				printf " out/%d/%d.o", i % 37, i
			print p ? " || out/program" int(p / 2) : ""
			print "  libs = -lm -l" p
		}
	}'
}

prepare() {
	: >source.c
	manifest 2500 >build.ninja
}

build() {
	files=$(find "$source/src" -name '*.cc' ! -name '*test*' ! -name '*-win32.cc' ! -name '*.in.cc' ! -name '*bench*' ! -name browse.cc)
	# shellcheck disable=SC2086
	compile_cxx "-std=gnu++11 -fno-rtti -fno-exceptions -fvisibility=hidden -DNDEBUG -DUSE_PPOLL" "$1" $files -lpthread
}

# Without -j ninja reads which file systems are mounted. Then the addresses of its edges, and with them the shape of a tree that is
# ordered by address, depend on what is mounted at that moment.
run() {
	file=../../build.ninja
	if [ "${times:-1}" != 1 ]; then
		file=long.ninja
		manifest $((2500 * times)) >$file
	fi
	case $1 in
	plan) $traced "$2" -j 2 -f $file -n -v ;;
	commands) $traced "$2" -j 2 -f $file -t commands ;;
	esac
}
