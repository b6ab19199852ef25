#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any-followed.sh - programs that exec begins in a run of `zprof record --any` are recorded as the first one is: the library asks for
# their plans (start/followed.h), about each file once in a run, and the end of the run tells of files that have none.
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 1
export XDG_CACHE_HOME="$PWD/cache"
cat >prog.c <<'END'
#include <stdlib.h>
int __attribute__((noinline)) leaf(int x) { return x * 3 + 1; }
unsigned __attribute__((noinline)) other(unsigned x);
double sqrt(double);
int main(int n, char **v) { unsigned x = 0; for (int i = 0, most = atoi(v[1]); i < most; i++) x = other(leaf(sqrt(x))); return x == 1; }
END
echo 'unsigned other(unsigned x) { return x * 1664525u + 1013904223u; }' >other.c
gcc -O1 -shared -fPIC other.c -o libother.so && gcc -O1 -fno-builtin prog.c -o prog -L. -lother -lm -Wl,-rpath,"$PWD" || exit 1
gcc -O1 -fno-builtin -Wl,--build-id=none prog.c other.c -o without -lm &&
	gcc -O2 -fno-builtin prog.c other.c -o seeing -lm && objcopy -R .eh_frame seeing blind && objcopy -R .eh_frame_hdr blind || exit 1

record() { # ARGUMENT...: records, and prints `NAME CALLS` of the functions of prog.c
	rm -f out* said
	"$zprof" record --any -o out "$@" >printed 2>said
	status=$?
	"$zprof" report --json out* 2>errors | sed -n 's/.*"name":"\(leaf\|main\|other\|__sqrt\)".*"calls":\([0-9]*\),.*/\1 \2/p' | LC_ALL=C sort
}
all='leaf 10
main 1
other 10'
is "a program that takes a shell's place is recorded, with its libraries" "$all" "$(record sh -c 'exec ./prog 10')"
record sh -c 'exec ./prog 10' >/dev/null
is "its status is the run's, and nothing is printed for it" "0 0" "$status $(cat printed | wc -l)"
is "the end of the run counts its functions" 1 "$(sed -n 's/^zprof: \([0-9]*\) of [0-9]* functions can be recorded without hooks.*/\1/p' said | awk '{ print ($1 > 100) }')"
is "so is each that a program starts" "leaf 60
main 3
other 60" "$(record sh -c './prog 10; env ./prog 20 & ./prog 30; wait')"
printf '#!/usr/bin/env sh\nset -e\n./prog 4\nexec ./prog 5\n' >wrapper && chmod +x wrapper
is "below a script that env finds the interpreter for, too" "leaf 9
main 2
other 9" "$(record ./wrapper)"
is "--only chooses its functions" "leaf 10" "$(record --only leaf sh -c 'exec ./prog 10')"
is "--libs holds for it" "__sqrt 10
$all" "$(record --libs 'libm.so*' sh -c 'exec ./prog 10')"
is "nothing is left where the plans of the run were" "" "$(TMPDIR=$PWD/cache record sh -c './prog 1' >/dev/null; ls cache | grep -v '^zprof$')"

# ---- files without a plan
left() { sed -n "s/^zprof: functions of '.*\/\(.*\)' are not recorded: \(.*\)/\1: \2/p" said; }
record sh -c './without 2; ./without 3; ./prog 4' >/dev/null
is "a program without a build-id is named once" "without: the file has no build-id" "$(left)"
record ./without 2 >/dev/null
is "also where it is the first" "without: the file has no build-id" "$(left)"
record sh -c './blind 2; ./blind 3' >/dev/null
is "a program without call frame information is named once, with the reason" 1 "$(left | grep -c '^blind: ')"

# ---- functions that were built with hooks
for flag in -finstrument-functions '-pg -mfentry -fno-pie -no-pie'; do
	gcc -O1 -fno-builtin $flag -c prog.c -o hooked.o && gcc -no-pie hooked.o other.c -o hooked -lm || exit 1
	is "$flag: functions with hooks are counted by these, and others of the program as ever" "$all" "$(record ./hooked 10)"
	is "$flag: callers, too" "main/leaf main/other" "$("$zprof" report --tree --json out 2>errors | jq -r '.contexts | (map({key: (.id | tostring), value: .}) | from_entries) as $by |
		[.[] | select(.name == "leaf" or .name == "other") | $by[.parent | tostring].name + "/" + .name] | sort | join(" ")')"
done

# ---- questions
mkdir lib folder && cp "$ZPROF_BUILD/libzprof.so" lib && printf '#!/bin/sh\necho "$*" >>%s/asked\nexec %s "$@"\n' "$PWD" "$zprof" >lib/zprof && chmod +x lib/zprof
: >folder/left && printf 'libnone*' >folder/run
for i in 1 2; do
	LD_PRELOAD=$PWD/lib/libzprof.so ZPROF_OPTIONS=plans=$PWD/folder,output=asking ./prog 10
done
is "zprof is asked once about all files that the process has begun with" "plan --paths --run folder prog libother.so libm.so.6 libc.so.6" \
	"$(sed 's,/[^ ]*/,,g' asked)"
is "the answers are in the folder of the run" "2 2" "$(find folder -lname '/*' | wc -l) $(find folder -lname - | wc -l)"
printf '#!/bin/sh\nexit 1\n' >lib/broken && mv lib/zprof lib/asks && mv lib/broken lib/zprof && chmod +x lib/zprof
ZPROF_LIB=$PWD/lib/libzprof.so record sh -c 'exec ./prog 10' >/dev/null
is "if zprof cannot be asked, the end of the run says so" "prog: 'zprof', which makes plans, did not run as it began" "$(left)"
mv lib/asks lib/zprof
rm folder/run folder/*.plan asked
LD_PRELOAD=$PWD/lib/libzprof.so ZPROF_OPTIONS=plans=$PWD/folder,output=none ./prog 10
holds "a folder of no run has no answers, and nothing is asked" [ ! -e asked ]
holds "and a program without a plan leaves no profile" [ ! -e none ]
finish
