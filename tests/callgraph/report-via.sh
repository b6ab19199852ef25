#!/bin/sh
# SPDX-License-Identifier: MIT
# Uninstrumented code between a function and its caller is named in the call graph: libc calling back, beginnings and ends of
# threads and processes, signals; and a library of our own, whose names do not depend on libc's version.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof

cat >prog.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

void twice(void (*f)(int), int deep);

static pthread_key_t key;

static int sort_order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int search_order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *worker(void *p) { pthread_setspecific(key, p); return p; }
static void at_thread_end(void *p) { (void)p; }
static void raised(int s) { (void)s; }
static void sent(int s) { (void)s; }
static volatile int rung;
static void ring(int s) { (void)s; rung = 1; }
static void at_exit(void) {}
static void called_back(int n) { (void)n; }
static void called_directly(void) {}
__attribute__((no_instrument_function)) static void hidden_inner(void) { called_directly(); }
__attribute__((no_instrument_function)) static void hidden(void) { hidden_inner(); }
__attribute__((constructor)) static void before_main(void) {}

int main(void)
{
	int v[100];
	pthread_t t;
	for (int i = 0; i < 100; i++)
		v[i] = i * 37 % 101;
	qsort(v, 100, sizeof *v, sort_order);
	bsearch(&v[5], v, 100, sizeof *v, search_order);
	pthread_key_create(&key, at_thread_end);
	pthread_create(&t, NULL, worker, v);
	pthread_join(t, NULL);
	signal(SIGUSR1, raised);
	raise(SIGUSR1);
	signal(SIGUSR2, sent);
	kill(getpid(), SIGUSR2);
	signal(SIGALRM, ring);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 2000}, NULL);
	while (!rung)
		continue;
	atexit(at_exit);
	twice(called_back, 5);
	called_directly();
	hidden();
	return 0;
}
END
cat >twice.c <<'END'
static void __attribute__((noinline)) inner(void (*f)(int), int deep)
{
	if (deep)
		inner(f, deep - 1);
	else
		f(1);
	__asm__ volatile("" ::: "memory");
}
void __attribute__((noinline)) twice(void (*f)(int), int deep)
{
	inner(f, deep);
	inner(f, deep + 1);
	__asm__ volatile("" ::: "memory");
}
END
gcc -g -O1 -fPIC -shared -Wl,-soname,libtwice.so twice.c -o libtwice.so &&
	gcc -g -O0 -pthread -finstrument-functions prog.c -o prog libtwice.so -Wl,-rpath,"$PWD" || exit 1

record() { # NAME: one run
	ZPROF_OPTIONS=output=$1 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog
}

# The rest of the parent's line in FUNCTION's block, after the fraction, without indices.
parent() { # PROFILE FUNCTION [OPTION...]
	profile=$1 function=$2; shift 2
	"$zprof" graph "$@" --func "$function" "$profile" 2>errors |
		awk '/^\[/ { print above } { above = $0 }' | sed 's/^ *[~]* *[0-9.,]* [a-z]* .*\/[0-9,]* *//; s/ \[[0-9]*\]//'
}

says() { # PROFILE FUNCTION REGEX [OPTION...]
	profile=$1 function=$2 regex=$3; shift 3
	line=$(parent "$profile" "$function" "$@")
	echo "$line" | grep -qE "^($regex)$"
	tap $? "$function of $profile has the caller: $regex"
	echo "# $line"
}

record full
says full sort_order 'main via [a-z_]*qsort.*'
says full search_order 'main via [a-z_]*bsearch'
says full worker '<spontaneous> via (start_thread|libc.so.6)'
says full at_thread_end '<spontaneous> via (.*__nptl_deallocate_tsd|libc.so.6)'
says full raised 'main via (gsignal|raise) > (.* > )?a signal'
says full sent 'main via (__)?kill > a signal'
says full ring 'main via a signal'
says full at_exit '<spontaneous> via exit.*'
says full before_main '<spontaneous>.*'
says full main '<spontaneous>'
says full called_back 'main via twice > inner'
says full called_directly 'main'
says full called_back 'main' --no-via

# a function left out is as if not instrumented, and a pair without direct calls has no way
says full called_back '<spontaneous>' --not main
says full called_back '<spontaneous>' --under called_back
says full worker '<spontaneous> via (start_thread|libc.so.6)' --thread '*' --raw
says full called_back 'main via twice > inner' --by-thread --thread prog

"$zprof" report --tree full | grep -q '^ .*  called_back via twice > inner$'
tap $? "the tree names it behind the context"
! "$zprof" report --tree --no-via full | grep -q ' via '
tap $? "unless --no-via is given"

"$zprof" graph --json full >json
named() { # CALLEE: members of the arc to it
	tr -d '\n' <json | grep -o "\"name\":\"$1\"" >/dev/null || return 1
	id=$(tr -d '\n' <json | sed "s/\"name\":\"$1\".*//; s/.*\"id\"://; s/,.*//")
	tr -d '\n' <json | sed 's/.*"arcs":\[//; s/},/}\n/g' | grep "\"callee\":$id,"
}
named called_back | grep -qF '"via":["twice","inner"]'
tap $? "JSON has names, repeats once"
named main | grep -qF '"via":["_start"'
tap $? "JSON has the beginning of main, too"
! named called_directly | grep -q via
tap $? "JSON has none where the call was direct"

# Two runs in which a function was first reached in other ways.
sed -i 's/inner(f, deep);/f(deep);/' twice.c
gcc -g -O1 -fPIC -shared -Wl,-soname,libtwice.so twice.c -o other.so && mv other.so libtwice.so
record second
"$zprof" graph --func called_back full second 2>errors | grep -q 'main \[[0-9]*\] via .* \.\.\.$'
tap $? "other ways are hinted at"
grep -q "libtwice.so" errors
tap $((! $?)) "a graph does not complain about a library without zones"

# Without symbols of static functions, and without any names of libc's own.
strip libtwice.so
record stripped
says stripped called_back 'main via twice'
mkdir plain
libc=$(ldd ./prog | awk '$1 == "libc.so.6" { print $3 }')
objcopy -R .gnu_debuglink -R .note.gnu.build-id --strip-all "$libc" plain/libc.so.6
(export LD_LIBRARY_PATH=$PWD/plain; record nameless)
says nameless worker '<spontaneous> via libc.so.6'
says nameless raised 'main via (gsignal|raise) > (.* > )?a signal'
says nameless main '<spontaneous>'
says nameless at_exit '<spontaneous> via exit'

# A record that a jump out of a handler leaves half written keeps no thread from writing. (The program steps by the trap flag.)
[ "$(uname -m)" = x86_64 ] || { finish; exit; }
g++ -g -O1 -w -finstrument-functions "${0%/*}/via_left.cc" -o left
# shellcheck disable=SC2046
ZPROF_OPTIONS=output=jumps LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./left $(nm -S "$ZPROF_BUILD/libzprof.so" | awk '$4 == "via_record" { print $1, $2 }') >jumps.count
"$zprof" graph --func '*after*' jumps | grep -c ' via .*between' | cmp - jumps.count && [ "$(cat jumps.count)" -gt 20 ]
tap $? "after jumps out of the writing, the way is still known"
finish
