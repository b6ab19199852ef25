#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof archive`, and `zprof record`, which does the same: a profile reads the same without its program and sources, in a chroot that has
# none of them, and when the program has been built again.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof

mkdir src && cat >src/half.h <<'END_OF_FILE'
static inline int half(int n)
{
	return n / 2;
}
END_OF_FILE
cat >src/prog.cc <<'END_OF_FILE'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include "half.h"

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void handler(int)
{
}

template <typename T> static T biggest(const T *v, int n)
{
	T best = v[0];
	for (int i = 1; i < n; i++)
		if (best < v[i]) best = v[i]; else best = best + half(0);
	return best;
}

int main(int argc, char **argv)
{
	int v[100];
	for (int i = 0; i < 100; i++)
		v[i] = i * 37 % 101;
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	qsort(v, 100, sizeof *v, compare);
	printf("%d\n", biggest(v, 100));
	if (argc > 1 && !strcmp(argv[1], "kill"))
		raise(SIGKILL);
	if (argc > 1 && !strcmp(argv[1], "wait"))
		getchar();
	return 0;
}
END_OF_FILE
build() { # OPTION...
	# shellcheck disable=SC2046
	(cd src && g++ -O1 -finstrument-functions $("$zprof" cflags --counts --cc g++) "$@" prog.cc -o ../prog)
}
build || exit 1

views='graph|report --json|report --tree|annotate|annotate --json|annotate --counts|annotate --counts --json|tune|brief|export --format=callgrind|export --format=pprof'
show() { # FOLDER PROFILE: what each view says
	mkdir -p "$1"
	echo "$views" | tr '|' '\n' | while read -r view; do
		# shellcheck disable=SC2086
		"$zprof" $view "$2" >"$1/$view" 2>&1
	done
}
same_folders() { # WHAT EXPECTED-FOLDER FOLDER
	diff -r "$2" "$3" >difference && [ "$(ls "$2" | wc -l)" = 11 ]
	tap $? "$1"
	head -20 difference | sed 's/^/# /'
}
"$zprof" record --callsites -o run.zp ./prog >/dev/null 2>errors
"$zprof" info run.zp >said
grep -q "archived  *names of [1-9][0-9]* functions, [23] source files" said
tap $? "record archives by itself"
"$zprof" record --no-archive --callsites -o bare.zp ./prog >/dev/null 2>>errors
"$zprof" info bare.zp | grep -q archived
[ $? = 1 ]
tap $? "--no-archive does not"
cp bare.zp named.zp
cp bare.zp copied.zp
show bare named.zp
"$zprof" archive named.zp 2>said
grep -q "^zprof: [1-9][0-9]* functions, [23] source files: .* in 'named.zp'" said
tap $? "archive says what it added"
sed 's/^/# /' said
"$zprof" archive -o small.zp --no-sources copied.zp 2>/dev/null
cmp -s bare.zp copied.zp && [ "$(wc -c <small.zp)" -lt "$(wc -c <named.zp)" ]
tap $? "a copy leaves the profile as it is"
show run-before run.zp
show named named.zp
same_folders "what is archived reads as before" bare named

# Built again, with other lines and addresses; then gone.
{ echo; echo "int more(int n) { return n; }"; cat src/prog.cc; } >src/new.cc && mv src/new.cc src/prog.cc
build -O2 || exit 1
show rebuilt named.zp
same_folders "and when the program has been built again" bare rebuilt
"$zprof" annotate bare.zp 2>&1 | grep -q 'int main'
[ $? = 1 ] && "$zprof" graph bare.zp 2>&1 | grep -q 'prog+0x'
tap $? "(one that is not archived shows addresses then)"
"$zprof" archive bare.zp 2>said
grep -q 'is not the build that ran\|build-id' said
tap $? "a rebuilt program is refused"
sed 's/^/# /' said
mv prog src elsewhere 2>/dev/null || { mkdir elsewhere && mv prog src elsewhere; }
show gone named.zp
same_folders "and when program and sources are gone" bare gone
show run-gone run.zp
same_folders "what record archived, too" run-before run-gone
for text in 'handler .*via.*a signal\|via raise.*a signal' 'via.*qsort_r'; do
	"$zprof" graph --full-names named.zp | grep -q "$text"
	tap $? "the way of a call is known: $text"
done
"$zprof" html --output page.html named.zp 2>/dev/null && grep -q 'best = best + half(0)' page.html
tap $? "the page has the sources"
"$zprof" annotate small.zp 2>&1 >text | cat >/dev/null
grep -q 'cannot read it' text && grep -q '^ *8  *563 ' text && [ "$("$zprof" graph small.zp 2>&1)" = "$(cat bare/graph)" ]
tap $? "without sources it has names and lines" || sed 's/^/# /' text
for file in named small run; do
	rm -f copy.zp
	"$zprof" snapshot -o copy.zp $file.zp >said 2>&1 && "$zprof" annotate copy.zp 2>&1 | sed 1d >copied
	"$zprof" annotate $file.zp 2>&1 | sed 1d | diff - copied >difference && "$zprof" top --batch 1 $file.zp 2>&1 | grep -q 'compare(void const'
	tap $? "a copy of it ($file), and its live view, have it all"
	sed 's/^/# /' difference
done
mkdir own && sed 's/compare/COMPARE/' elsewhere/src/prog.cc >own/prog.cc
"$zprof" annotate --source-path own named.zp | grep -q COMPARE
tap $? "--source-path is asked before the archive"

# Again, merged, and both.
cp named.zp again.zp
"$zprof" archive again.zp 2>/dev/null
cmp -s named.zp again.zp
tap $? "archived again without the program, it is the same, byte by byte"
"$zprof" merge -o merged.zp named.zp 2>/dev/null
"$zprof" archive merged.zp 2>/dev/null
"$zprof" annotate --counts merged.zp | diff - "bare/annotate --counts" >difference && "$zprof" annotate merged.zp >text 2>&1 && grep -q 'return n / 2' merged.zp text
[ "$("$zprof" annotate --counts merged.zp | grep -c 'int half')" = 1 ]
tap $? "a merged profile keeps what its originals held"
[ "$("$zprof" info merged.zp | grep archived)" = "$("$zprof" info named.zp | grep archived)" ]
tap $? "once"
"$zprof" graph merged.zp 2>&1 | sed 1d >text
sed 1d bare/graph | diff - text >difference
tap $? "and the ways of calls"
sed 's/^/# /' difference

# In a chroot with zprof alone.
mkdir root && for file in "$zprof" $(ldd "$zprof" | grep -o '/[^ ]*'); do
	mkdir -p "root$(dirname "$file")" && cp -L "$file" "root$file" || exit 1
done
cp named.zp root
in_root() { if [ "$(id -u)" = 0 ]; then chroot root "$@"; else unshare -r chroot root "$@"; fi; }
for view in graph "annotate" "annotate --counts" "report --json"; do
	# shellcheck disable=SC2086
	in_root "$zprof" $view /named.zp 2>&1 | sed 's:^/named:named:' >text
	diff "bare/$view" text >difference
	tap $? "in a chroot: $view"
	head -5 difference | sed 's/^/# /'
done

# Processes that died, and ones that go on.
mv elsewhere/prog elsewhere/src . && build || exit 1
"$zprof" record -o killed.zp ./prog kill >/dev/null 2>&1
"$zprof" info killed.zp | grep -q 'archived .*names'
tap $? "the profile of a program that was killed is archived"
mkfifo hold
ZPROF_OPTIONS=output=live.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog wait <hold >/dev/null &
exec 9>hold
while ! "$zprof" graph live.zp 2>/dev/null | grep -q biggest; do sleep 0.05; done
expect 0 "'live.zp' is left alone: its process still records" "$zprof" archive live.zp
exec 9>&-
wait
expect 0 "in 'live.zp'" "$zprof" archive live.zp
expect 1 "-o is for one profile, not 2" "$zprof" archive -o x.zp named.zp live.zp
head -c 5000 named.zp >cut.zp
expect 1 "is cut short: it is not archived" "$zprof" archive cut.zp

# Random bytes in the added part give an error or a result, never a crash.
bytes=$(wc -c <named.zp) bad=0
for i in $(seq 40); do
	cp named.zp odd.zp
	printf '\377\001\177' | dd of=odd.zp bs=1 seek=$((bytes - bytes * i / 81)) conv=notrunc 2>/dev/null
	"$zprof" annotate --counts odd.zp >/dev/null 2>&1
	[ $? -le 1 ] || bad=$((bad + 1))
	"$zprof" annotate odd.zp >/dev/null 2>&1
	[ $? -le 1 ] || bad=$((bad + 1))
done
[ $bad = 0 ]
tap $? "damaged archives are refused, or read in part"

# Sources that are more than 10 MB, packed: record leaves them out and says so.
{ echo '/*'; head -c 12000000 /dev/urandom | base64 -w 100; echo '*/'; echo 'int main(void) { return 0; }'; } >large.c
gcc -g -finstrument-functions large.c -o large || exit 1
"$zprof" record -o large.zp ./large 2>said
grep -q "sources of 1[0-9.]* MB were left out of the profile; 'zprof archive' puts them in" said && [ "$(wc -c <large.zp)" -lt 1000000 ]
tap $? "record leaves out sources of more than 10 MB"
sed 's/^/# /' said
expect 0 "1 source file: 1" "$zprof" archive large.zp
finish
