#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions chosen while the program runs: those watched throughout are counted exactly, the others as often as they were called
# while watched.
. "${0%/*}/../lib/switched.sh"

build() { # COMPILER FLAGS...: makes ./chosen
	compiler=$1; shift
	# shellcheck disable=SC2086
	"$compiler" -w -g $* -I"$root" -c "$root/tests/process/chosen.cc" -o chosen.o &&
		"$compiler" chosen.o -o chosen -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread -lstdc++ || exit 1
}
run() { # OPTIONS ARGUMENT...: makes `got`, and `status`
	options=$1; shift
	rm -f profile*
	ZPROF_OPTIONS=output=profile$options timeout 300 ./chosen "$@" >got 2>errors
	status=$?
}
list() { # [PROFILE]: makes `functions`
	"$zprof" report --json "${1:-profile}" | tr '{' '\n' >functions
}
listed() { # NAME: its calls; by its name without parameters
	sed -n "s/.*\"name\": *\"$1\(([a-z]*)\)*\".*\"calls\": *\([0-9]*\).*/\2/p" functions
}
calls() { # NAME [PROFILE]
	list "${2:-profile}"
	listed "$1"
}
counted() { # WHAT [PROFILE]: status 0, nothing said, and each line of `got` is what the profile says
	list "${2:-profile}"
	while read -r function count; do echo "$function $(listed "$function")"; done <got >profiled
	[ "$status" = 0 ] && [ -s got ] && [ ! -s errors ] && cmp -s got profiled
	tap $? "$1" || {
		echo "# status $status; of the program: $(tr '\n' ' ' <got); of the profile: $(tr '\n' ' ' <profiled)"
		sed 's/^/# /' errors
	}
}
unbroken() { # WHAT
	"$zprof" report "${2:-profile}" >text
	is "$1: nothing is lost or blamed on jumps" "" "$(grep -E 'left without returning|matched no open zone|could not be' text)"
}

forms() { # NAME COMPILER FLAGS...
	name=$1
	shift
	build "$@"
	run "" spans
	counted "$name: spans"
	unbroken "$name: spans"
	run ,only=leaf only
	counted "$name: with only=leaf"
	is "$name: with only=leaf no other is recorded" "" "$(calls outer)"
	run "" open
	counted "$name: what is open"
	unbroken "$name: what is open"
	run "" jumps
	counted "$name: what jumps leave"
	run "" exceptions
	counted "$name: what exceptions leave"
}
forms "fentry -O2" g++ "$fentry -O2"
forms "hooks -O2" g++ "$hooks -O2"
forms "clang -O2" clang++ "$hooks -O2"

build g++ "$fentry -O2"
for options in ",clock=exact" ",callsites=1" ",frame=outer,tails=leaf middle deep" ",check=1"; do
	run "$options" open
	counted "$options: what is open"
	unbroken "$options: what is open"
done
run ",check=1" spans
"$zprof" report profile >text
is "the zone stack agrees with the real one whenever they are compared" "" "$(grep 'did not agree' text)"

# ---- whose frames they are

run "" open
"$zprof" report --tree --format calls,name profile >tree
is "the callees of an unwatched function are its caller's" "yes" "$(grep -q '^ *[1-9][0-9]*  never(int) via main > deep(int)' tree && echo yes)"

# ---- what reports say

cat >said.c <<'END'
#include "preload/zprof.h"
static volatile long sink;
__attribute__((noinline, noclone)) void small(int x) { sink += x; }
__attribute__((noinline, noclone)) void large(int x) { small(x); small(x + 1); }
__attribute__((no_instrument_function)) int main(void)
{
	large(1);
	zprof_unwatch("small");
	large(2);
	zprof_unwatch("large");
	zprof_watch("large");
	large(3);
	return 0;
}
END
gcc -w -g -O2 $fentry -I"$root" said.c -o said -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
rm -f profile
ZPROF_OPTIONS=output=profile ./said
"$zprof" report --width 300 profile >text
is "a row for unwatched functions, with the times" "1" "$(grep -c '^  *(unwatched)  *1 function since [0-9.]* [mun]*s (small), except' text)"
is "a function's row says so" "1" "$(grep -c ' small (unwatched)' text)"
is "and its calls are those until then" "2 3" "$(calls small) $(calls large)"
is "the head has all choices" "1" "$(grep -c 'note: chosen while it ran: 1 function unwatched at [0-9.]* [mu]*s (small); 1 function unwatched at .* (large); 1 function watched at .* (large); calls of what' text)"
"$zprof" graph profile >text
is "the call graph says so" "1" "$(grep -c '^\[.* small \[[0-9]\] (unwatched)' text)"
is "zprof info lists them" "1" "$("$zprof" info --width 300 profile | grep -c 'note .*chosen while it ran')"
is "JSON, too" "1 1" "$("$zprof" report --json profile | grep -o unwatched_ns | grep -c .) $("$zprof" info --json profile | grep -o 'notes":\["chosen while it ran' | head -1 | grep -c .)"
"$ZPROF_BUILD/tests/check_conserved" profile >text
tap $? "the list of choices is the whole process's" || sed 's/^/# /' text
"$zprof" merge -o merged profile 2>errors
is "a merged profile keeps that" "1" "$("$zprof" report --width 300 merged | grep -c 'note: chosen while it ran')"

# ---- other stacks, handlers, libraries, processes, threads

for flags in "$fentry" "$hooks"; do
	build g++ "$flags -O2"
	for what in coroutines handlers fork; do
		run "" $what
		counted "$what (${flags%% *})" "$(ls profile.* 2>/dev/null || echo profile)"
		unbroken "$what (${flags%% *})" "$(ls profile.* 2>/dev/null || echo profile)"
	done
	gcc -shared -fPIC $flags -O2 -x c - -o plugin.so -L"$ZPROF_BUILD" -lzprof <<'END' || exit 1
__attribute__((noinline)) int plugin_work(int x) { return x + 1; }
END
	run "" plugin ./plugin.so
	counted "a library that is loaded later (${flags%% *})"
	run "" threads "${CHOSEN_ROUNDS:-4}"
	counted "threads (${flags%% *})"
	unbroken "threads (${flags%% *})"
done

# ---- a function that is unwatched while its stack is put aside: not one more call is below it

cat >aside.c <<'END'
#include <ucontext.h>
#include "preload/zprof.h"
static ucontext_t home, away;
__attribute__((noinline, noclone)) void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline, noclone)) void puts_aside(int n)
{
	leaf();
	swapcontext(&away, &home);
	while (n--)
		leaf();
}
__attribute__((noinline, noclone)) void other(void) { puts_aside(20); __asm__ volatile(""); }
__attribute__((no_instrument_function)) int main(void)
{
	static char stack[65536];
	getcontext(&away);
	away.uc_stack.ss_sp = stack;
	away.uc_stack.ss_size = sizeof(stack);
	away.uc_link = &home;
	makecontext(&away, other, 0);
	swapcontext(&home, &away);
	zprof_unwatch("puts_aside");
	leaf();
	swapcontext(&home, &away);
	return 0;
}
END
gcc -w -g -O2 $fentry -I"$root" aside.c -o aside -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
rm -f profile
ZPROF_OPTIONS=output=profile ./aside
"$zprof" report --tree --format calls,name profile >tree
is "unwatched while it is put aside: one call of leaf below it, 20 below its caller" "1 1" \
	"$(grep -c '^ *20    leaf' tree) $(grep -c '^ *1      leaf' tree)"

# ---- a frame's function, unwatched in the middle of a frame

cat >turns.c <<'END'
#include "preload/zprof.h"
__attribute__((noinline, noclone)) void turn(int stops)
{
	if (stops)
		zprof_unwatch("turn");
	__asm__ volatile("");
}
int main(void)
{
	turn(1);
	zprof_watch("turn");
	turn(0);
	turn(0);
	return 0;
}
END
gcc -w -g -O2 $fentry -I"$root" turns.c -o turns -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof || exit 1
rm -f profile
ZPROF_OPTIONS=output=profile,frame=turn ./turns
is "that frame is discarded, and the next ones are frames" "2 frames, 1 discarded" \
	"$("$zprof" frames profile | grep -o '[0-9]* frames\{0,1\}, [0-9]* discarded')"

# ---- a thread that sees what is left out before it can see that a choice has been made

cat >choosing.c <<'END'
#include <pthread.h>
#include <stddef.h>
#include "preload/zprof.h"
#define QUIET __attribute__((no_instrument_function))
volatile int waits, leaves, begun, turn;
__attribute__((noinline)) void other(void) { __asm__ volatile(""); }
__attribute__((noinline)) void leaf(void)
{
	leaves++;
	while (waits == leaves)
		;
}
__attribute__((noinline)) void middle(void)
{
	leaf();
	__asm__ volatile("");
}
QUIET __attribute__((noinline)) void done(void) { __asm__ volatile(""); }
QUIET static void *calls(void *unused)
{
	for (int i = 0; i < 10; i++)
		middle();
	done();
	return unused;
}
QUIET static void *begins(void *unused)
{
	begun = 1;
	while (!turn)
		;
	leaf();
	done();
	return unused;
}
QUIET int main(void)
{
	pthread_t threads[2];
	waits = 5;
	other();
	zprof_unwatch("other");
	pthread_create(&threads[0], NULL, calls, NULL);
	pthread_create(&threads[1], NULL, begins, NULL);
	while (leaves < 5 || !begun)
		;
	zprof_unwatch("leaf");
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
# shellcheck disable=SC2086
gcc -w -g -O2 $hooks -I"$root" choosing.c -o choosing -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread -Wl,-rpath,"$ZPROF_BUILD" || exit 1
rm -f profile*
# The first thread chooses when both others are where they wait, and is held when the table is there. The third calls leaf() for the
# first time; the second, in leaf() all the while, returns and goes on to its end.
timeout 300 gdb -q -batch -ex "set environment ZPROF_OPTIONS=output=profile" -ex "break main" -ex run -ex "tbreak begins" -ex continue \
	-ex "tbreak only_take_over" -ex continue -ex "watch -l process_now->only->functions" -ex continue -ex delete \
	-ex "set scheduler-locking on" -ex "set var *process_now->alive = 2" \
	-ex "set var turn = 1" -ex "thread 3" -ex "tbreak done" -ex continue -ex "thread 2" -ex "tbreak done" -ex continue \
	-ex "set scheduler-locking off" -ex continue ./choosing >gdb.out 2>&1
is "two threads have gone on while the first was choosing" "1 1 1 1" \
	"$(grep -c '^publish\|^resolve_new\|^only_take_over' gdb.out) $(grep -c 'Thread 3 .* hit Temporary breakpoint .*done' gdb.out) $(grep -c 'Thread 2 .* hit Temporary breakpoint .*done' gdb.out) $(grep -c 'exited normally' gdb.out)"
is "all of its calls are counted" 10 "$(calls middle)"
unbroken "a choice that a thread sees half"

# ---- what is refused

run "" wrong
is "wrong patterns change nothing" "0 20 4" "$status $(calls leaf) $(grep -c 'zprof: cannot choose functions by' errors)"

# ---- from outside

build g++ "$fentry -O2"
picked=picked.$$ # by its name; no other that runs has it
gcc -w -g -O2 $fentry -I"$root" "$root/tests/programs/attached.c" -o "$picked" -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread || exit 1
ZPROF_OPTIONS= "./$picked" >said 2>complaints &
pid=$!
until [ "$(calls serve "zprof.out.$pid" 2>/dev/null)" ]; do sleep 0.1; done
file=zprof.out.$pid
# Each of its threads has slept, or has had 20 ms of CPU time more, in which it calls each function thousands of times.
goes_on() {
	for task in "/proc/$pid/task/"*; do
		read -r had _ <"$task/schedstat"
		until ! grep -q ') R' "$task/stat" || { read -r has _ <"$task/schedstat" && [ $((has - had)) -ge 20000000 ]; }; do sleep 0.01; done
	done
}
grows() { # NAME: whether its calls are counted; not those of hooks that were going on as it was asked for
	goes_on
	before=$(calls "$1" "$file")
	goes_on
	[ "$before" != "$(calls "$1" "$file")" ] && echo yes
}
expect 0 "1 function is unwatched, 2 calls of hooks switched off" "$zprof" unwatch $pid leaf
is "an unwatched function is not counted, others are" " yes yes" "$(grows leaf) $(grows middle) $(grows serve)"
expect 0 "are unwatched" "$zprof" unwatch $pid "*"
is "if all are unwatched, nothing is counted" "  " "$(grows leaf) $(grows middle) $(grows serve)"
expect 0 "1 function is watched" "$zprof" watch $pid middle
is "and one that is watched again is" " yes " "$(grows leaf) $(grows middle) $(grows serve)"
expect 0 "no function of process $pid matches 'nothing' so far" "$zprof" watch "$picked" nothing
expect 2 "a process and a pattern are needed" "$zprof" unwatch $pid
expect 2 "unwatch" "$zprof" unwatch $pid "/[/"
expect 1 "says why on its stderr" "$zprof" unwatch $pid group:none
expect 0 "are watched" "$zprof" watch $pid "*"
before=$(calls serve "$file")
goes_on
leaves=$(calls leaf "$file") middles=$(calls middle "$file") serves=$(calls serve "$file")
is "all are counted again" "yes" "$([ "$serves" -gt "$before" ] && [ "$leaves" -gt 0 ] && [ "$middles" -gt 0 ] && echo yes)"
unbroken "chosen from outside" "$file"
expect 0 "unwatched; the hooks of their calls took" "$zprof" tune --live $pid
is "functions too small to time are unwatched" "1" "$("$zprof" report "$file" | grep -c ' leaf .*(unwatched)')"
# What middle() takes itself is about what its hooks take, so that function is unwatched or is not. A function that is, is not
# asked for again: the three are through after three times.
for _ in 1 2 3; do
	tuned=$("$zprof" tune --live $pid 2>&1)
	case $tuned in *"nothing more to unwatch"*) break ;; esac
done
expect 0 "nothing more to unwatch" "$zprof" tune --live $pid
expect 0 "at its own speed" "$zprof" detach $pid
expect 1 "is paused" "$zprof" unwatch $pid leaf
kill $pid
wait $pid
is "the program runs on, and does not notice" "0 begun right 1" "$? $(tr '\n' ' ' <said)$(grep -c 'cannot choose functions' complaints)"
rm said
"./$picked" >said 2>complaints &
pid=$!
until [ -s said ]; do sleep 0.05; done
expect 1 "is not being recorded" "$zprof" unwatch $pid leaf
kill $pid
wait $pid
finish
