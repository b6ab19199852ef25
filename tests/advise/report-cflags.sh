#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof cflags`: what it prints compiles, links and records with each compiler; what a compiler cannot do is
# refused.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
cat >prog.cc <<'END'
#include <vector>
static inline __attribute__((always_inline)) int inlined(int x) { return x + 1; }
__attribute__((noinline)) int leaf(int x) { asm volatile(""); return inlined(x); }
int main(int argc, char **)
{
	std::vector<int> all;
	for (int i = 0; i < 10; i++)
		all.push_back(leaf(i + argc));
	return all.size() != 10;
}
END

# functions recorded in ./prog, one per line
functions() {
	rm -f zprof.out* gmon.out
	"$zprof" record ./prog 2>errors >out || echo "status $?"
	[ -e gmon.out ] && echo gmon.out
	"$zprof" report --json --module prog >json && grep -o '"name":"[a-z_:]*[^"]*"' json | cut -d'"' -f4
}
has() { # WHAT TEXT... : each text is in names, each ! text is not
	what=$1; shift
	failed=0
	for text in "$@"; do
		case $text in
		!*) grep -qF "${text#!}" names && failed=1 ;;
		*) grep -qF "$text" names || failed=1 ;;
		esac
	done
	tap $failed "$what"
	[ $failed = 0 ] || sed 's/^/# /' names
}
build() { # COMPILER FLAGS...
	compiler=$1; shift
	# shellcheck disable=SC2046
	"$compiler" -O1 $("$zprof" cflags --cc "$compiler" "$@") -c prog.cc -o prog.o &&
		"$compiler" prog.o $("$zprof" cflags --cc "$compiler" "$@" --libs) -o prog
	tap $? "$compiler $*: compiles and links"
	functions >names
}

build g++
has "g++: functions of the source" main 'leaf(int)' 'inlined(int)' 'push_back' '!gmon.out'
build g++ --std-headers=no
has "g++ --std-headers=no: without those of headers" main 'leaf(int)' 'inlined(int)' '!std::'
build g++ --fentry
has "g++ --fentry: functions as they are" main 'leaf(int)' '!inlined' '!gmon.out'
[ "$("$zprof" report --json --func 'leaf(int)' | grep '"name":"leaf' | grep -o '"calls":[0-9]*' | head -1)" = '"calls":10' ]
tap $? "g++ --fentry: calls are right"
./prog && [ ! -e gmon.out ]
tap $? "g++ --fentry: it runs by itself, and writes no gmon.out"
build g++ --release
has "g++ --release: the same" main 'leaf(int)' '!inlined' '!gmon.out'
readelf -n prog | grep -q 'Build ID'
tap $? "g++ --release: it has a build-id"
expect 0 "calls of hooks switched off" "$zprof" sleep prog
functions >names
has "g++ --release: asleep in its file, it is recorded" main 'leaf(int)' '!inlined'
build g++ --after-inlining
has "g++ --after-inlining is the same" main 'leaf(int)' '!inlined' '!gmon.out'
build clang++
has "clang++: functions of the source" main 'leaf(int)' 'inlined(int)' 'push_back'
build clang++ --after-inlining
has "clang++ --after-inlining: functions as they are" main 'leaf(int)' '!inlined'

# C, by a Makefile
printf 'int twice(int x) { return 2 * x; }\nint main(void) { return twice(0); }\n' >prog.c
cat >Makefile <<'END'
CFLAGS += $(shell $(ZPROF) cflags --cc $(CC))
LDLIBS += $(shell $(ZPROF) cflags --cc $(CC) --libs)
END
for cc in gcc clang; do
	rm -f prog prog.o
	env -u MAKEFLAGS -u MFLAGS make -s CC=$cc ZPROF="$zprof" prog.o prog >out 2>&1 && functions >names
	has "$cc: from a Makefile" main twice
done
expect 0 "-g -finstrument-functions" "$zprof" cflags
expect 0 "/libzprof.so,--pop-state" "$zprof" cflags --fentry --libs
expect 1 "clang has no -minstrument-return" "$zprof" cflags --cc clang --fentry
expect 1 "build releases with gcc" "$zprof" cflags --cc clang --release
expect 0 "-Wl,--build-id,--push-state" "$zprof" cflags --release --libs
[ "$("$zprof" cflags --release --cflags)" = "$("$zprof" cflags --fentry --cflags)" ]
tap $? "--release is --fentry for the compiler"
expect 1 "clang cannot leave out functions by file" "$zprof" cflags --cc clang-14 --std-headers=no
expect 1 "drop --std-headers=no or --after-inlining" "$zprof" cflags --fentry --std-headers=no
[ "$("$zprof" cflags --fentry)" = "$("$zprof" cflags --fentry --cflags) $("$zprof" cflags --fentry --libs)" ]
tap $? "without --cflags and --libs it prints both"
printf '#include <zprof.h>\n#include <iprof.h>\nint main(void) { return 0; }\n' >includes.c
for cc in gcc clang; do
	# shellcheck disable=SC2046
	"$cc" $("$zprof" cflags --cc "$cc") includes.c -o includes
	tap $? "$cc: zprof.h and iprof.h are found"
done
expect 0 "-finstrument-functions" "$zprof" cflags --cc cc
printf '#!/bin/sh\necho "Some clang version 99"\n' >own-cc && chmod +x own-cc
expect 0 "-finstrument-functions-after-inlining" "$zprof" cflags --cc ./own-cc --after-inlining
expect 2 "zprof: --cc is gcc or clang, or a compiler whose --version says that it is one of them, not 'no-such'; see" "$zprof" cflags --cc no-such
expect 2 "not 'x; touch y'" "$zprof" cflags --cc 'x; touch y'
[ ! -e y ]
tap $? "no command is made of a name"
expect 2 "cflags takes only options, not 'prog'" "$zprof" cflags prog
finish
