#!/bin/sh
# SPDX-License-Identifier: MIT
# All threads of a program stand still while bytes of its code are stored: it never notices, and nothing is counted otherwise.
. "${0%/*}/../lib/attached.sh"
programs=$root/tests/programs
(cd "$root" && gcc -w -O2 -I. tests/programs/stopper.c "$ZPROF_BUILD"/report/process/stopped*.o "$ZPROF_BUILD"/report/core/base/str.o \
	"$ZPROF_BUILD"/report/core/base/memory.o -o "$OLDPWD/stopper") || exit 1
gcc -w "$programs/refuse.c" -o refuse || exit 1

stopped_once() { # MICROSECONDS PROGRAM [ARGUMENT...]
	gap=$1
	shift
	timeout 500 "$@" >said 2>>errors &
	watched=$!
	# timeout's child
	until pid=$(cat /proc/$watched/task/$watched/children 2>/dev/null) && [ "$pid" ]; do sleep 0.01; done
	pid=${pid%% *}
	while [ "$(readlink "/proc/$pid/exe")" = "$(readlink "/proc/$watched/exe")" ]; do sleep 0.01; done
	./stopper "$pid" "$gap" "${delay:-0}" >stopper.said 2>&1
	wait $watched || status=$?
	signals=$((signals + $(sed -n 's/.* times, \([0-9]*\) signals: .*/\1/p' stopper.said)))
	stops=$((stops + $(sed -n 's/ times, .*//p' stopper.said)))
	echo "# $(cat stopper.said)"
	sort -u said got >both
	mv both got
}
# Runs the program until it has stood still so often, ten times on the way to a handler if that is asked: how often it does in one run
# depends on what else the machine does. Makes `got`, the lines that the runs printed, each once; `stops`; `signals`; and `status`.
stopped() { # MICROSECONDS PROGRAM [ARGUMENT...]
	status=0 stops=0 signals=0 runs=0
	: >got
	: >errors
	while [ $runs -lt 20 ] && { [ $stops -lt 100 ] || [ $signals -lt "${on_the_way:-0}" ]; }; do
		stopped_once "$@"
		runs=$((runs + 1))
	done
}
often() { # WHAT TIMES
	[ "${stops:-0}" -ge "$2" ]
	tap $? "$1: $2 times or more"
}

# ---- calls that wait, signals, threads that come and go

gcc -w -O2 -pthread "$programs/blocking.c" -o blocking || exit 1
stopped 10000 ./blocking "${CALLS:-150}" # seldom: a stop begins the timeouts of some calls anew
is "no blocking call is interrupted, or ends otherwise" "0 39 " "$status $(grep -c . got) $(awk '$(NF - 1) || $NF' got)"
often "they stood still" 100

# Each signal has a value of its own. The next one is sent when its handler has run, or will not.
cat >handled.c <<'EOS'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
enum { SIGNALS = 20000 };
static volatile long handled, sum;
static volatile int over;
static void on_signal(int signal, siginfo_t *info, void *context)
{
	sum += info->si_value.sival_int;
	handled++;
}
static void *wait_for_them(void *unused)
{
	while (!over)
		usleep(50);
	return unused;
}
int main(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	pthread_t thread;
	long i, lost = 0;
	sigaction(SIGRTMIN, &action, NULL);
	pthread_create(&thread, NULL, wait_for_them, NULL);
	for (i = 0; i < SIGNALS && lost < 5; i++) {
		time_t until = time(NULL) + 10;
		pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = i});
		while (handled + lost <= i && time(NULL) <= until)
			;
		lost += handled + lost <= i;
	}
	over = 1;
	pthread_join(thread, NULL);
	printf("%ld handled, %ld lost, %s\n", handled, lost, sum == i * (i - 1) / 2 ? "right" : "wrong");
	return 0;
}
EOS
gcc -w -O2 -pthread handled.c -o handled || exit 1
delay=200 on_the_way=10
stopped 500 ./handled
is "no signal is lost, or loses what was sent with it" "0 20000 handled, 0 lost, right" "$status $(cat got)"
often "they stood still" 100
[ "${signals:-0}" -ge 10 ]
tap $? "ten times or more on the way to the handler"

# Nobody hears of a signal that is ignored. It wakes a call up only because a tracer may want to see it. (The thread that waits is
# the first, and stopped first, so that the other one sends signals meanwhile.) Each stop begins the 2 ms of its call anew: with less
# than that between two stops the call would last until the stops end.
cat >ignored.c <<'EOS'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
static pthread_t waiting;
static volatile int over;
static void *send(void *unused)
{
	while (!over)
		pthread_kill(waiting, SIGURG);
	return unused;
}
int main(void)
{
	int poller = epoll_create1(0), i, early = 0;
	struct epoll_event e;
	pthread_t thread;
	waiting = pthread_self();
	pthread_create(&thread, NULL, send, NULL);
	for (i = 0; i < 1000; i++)
		early += epoll_wait(poller, &e, 1, 2) != 0;
	over = 1;
	pthread_join(thread, NULL);
	printf("%d early\n", early);
	return 0;
}
EOS
gcc -w -O2 -pthread ignored.c -o ignored || exit 1
stopped 5000 ./ignored
is "no call ends because of a signal that is ignored" "0 0 early" "$status $(cat got)"
often "they stood still" 100
[ "${signals:-0}" -ge 10 ]
tap $? "ten times or more on the way to where it is ignored"
delay='' on_the_way=0

gcc -w -O2 -pthread -I"$root" "$programs/churn.c" "$ZPROF_BUILD/tests/programs/truth.o" -o churn || exit 1
stopped 500 ./churn 50000
is "threads that come and go are found" "0" "$status$(cat errors)"
often "they stood still" 100

# ---- what is asked

for flags in "$fentry" "$hooks"; do
	name=${flags%% *}
	build $flags
	start
	expect 0 "recording process $pid" "$zprof" attach --stopped --for 200ms $pid
	counts_agree "$name: --stopped" 2
	for i in 1 2 3 4 5; do
		"$zprof" attach --stopped $pid 2>errors && "$zprof" detach --stopped $pid 2>errors || echo "# $i: $(cat errors)"
	done
	counts_agree "$name: six times" 12
	stop "$name: --stopped"
done

# A byte is stored by zprof, and between two lines that say that all threads were seized, and let go.
build $fentry
start
expect 1 "is not being recorded" "$zprof" detach --stopped $pid
for what in "attach" "unwatch" "watch" "detach"; do
	pattern=; case $what in *watch) pattern=leaf ;; esac
	strace -o calls -e trace=ptrace,pwrite64 "$zprof" $what --stopped $pid $pattern 2>errors || sed 's/^/# /' errors
	awk '/PTRACE_SEIZE/ {seized++} /PTRACE_DETACH/ {seized--} /^pwrite64.*, 1, 0x?[0-9a-f]*\) = 1$|^pwrite64.*, 1, [0-9]+\) *= 1$/ {bytes++; if (seized < 3) bad++}
		END {exit !(bytes >= 2) || bad || seized}' calls
	tap $? "zprof $what --stopped stores bytes while the three threads stand still, and lets them go"
done
stop "one by one"

# A process that may not write to its own code lets zprof do it.
start sealed
if [ -s said ]; then
	stop "sealed"
	rm -f said
	./refuse 1 pwrite64 ./attached sealed >said 2>complaints &
	pid=$!
	while [ ! -s said ]; do sleep 0.02; done
	expect 1 "process $pid cannot do that, and says why on its stderr" "$zprof" attach $pid
	is "without --stopped a process that may not write to its code says so" 1 "$(grep -c 'lets nobody write to code' complaints)"
	: >complaints
	expect 0 "recording process $pid" "$zprof" attach --stopped $pid
	expect 0 "1 function is unwatched, 2 calls of hooks switched off" "$zprof" unwatch --stopped $pid leaf
	expect 0 "at its own speed" "$zprof" detach --stopped $pid
	stop "sealed, with --stopped"
else
	wait $pid
	skip "a process that may not write to its code" "this kernel has no PR_SET_MDWE"
fi

# ---- where /proc/PID/mem may not be written

start
expect 0 "recording process $pid" ./refuse 5 pwrite64 "$zprof" attach --for 200ms $pid
counts_agree "by ptrace alone" 2
expect 0 "recording process $pid" ./refuse 5 pwrite64 "$zprof" attach --stopped --for 200ms $pid
counts_agree "by ptrace alone, --stopped" 4
stop "by ptrace alone"

# ---- processes that are stopped already, or whose first thread has ended

start
kill -STOP $pid
"$zprof" attach --stopped $pid >actual 2>&1 & asking=$!
until grep -q 'waiting until process' actual; do sleep 0.1; done
kill -TERM $asking
wait $asking
asked=$?
until grep -q '^State:[[:space:]]*T' "/proc/$pid/status"; do sleep 0.1; done
is "a process that a signal has stopped stays so" 1 $asked
kill -CONT $pid
expect 0 "recording process $pid" "$zprof" attach --stopped --for 200ms $pid
counts_agree "stopped, and continued" 2
stop "stopped, and continued"
for option in "" --stopped; do
	start headless
	while ! grep -q '^State:.*Z' "/proc/$pid/status"; do sleep 0.02; done
	expect 0 "recording process $pid" "$zprof" attach $option --for 200ms $pid
	counts_agree "its first thread has ended ($option)" 2
	stop "its first thread has ended ($option)"
done

# ---- who does not stop

cat >vforks.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int over;
__attribute__((noinline)) static void called(void) { usleep(1000); }
static void *wait_for_child(void *unused)
{
	if (!vfork()) {
		pause();
		_exit(0);
	}
	wait(NULL);
	over = 1;
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_for_child, NULL);
	usleep(100000);
	puts("begun");
	fflush(stdout);
	while (!over)
		called();
	puts("right");
	return 0;
}
END
gcc -w -O2 $fentry vforks.c -o vforks -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread && "$zprof" sleep vforks 2>errors || exit 1
rm -f said
./vforks >said 2>complaints &
pid=$!
while [ ! -s said ]; do sleep 0.02; done
expect 1 "does not stop: it waits for a disk, or for a child that it made by vfork()" "$zprof" attach --stopped $pid
kill $(cat /proc/$pid/task/*/children)
wait $pid
is "its thread waits for a child of vfork(): the program runs on, and does not notice" "0 begun right " "$? $(tr '\n' ' ' <said)$(cat complaints)"

# Its parent hears of the end of a process that is killed while it stands still, although who stopped it lives on.
cat >killer.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "report/process/stopped.h"
static void *sleeps(void *unused) { for (;;) pause(); return unused; }
int main(void)
{
	struct stopped s = {0};
	struct str err = {0};
	int ready[2], ends[2], end = 0;
	char byte;
	pipe(ready), pipe(ends);
	pid_t parent = fork(), child;
	if (!parent) {
		if (!(child = fork())) {
			pthread_t thread;
			pthread_create(&thread, NULL, sleeps, NULL);
			pid_t self = getpid();
			write(ready[1], &self, sizeof self);
			sleeps(NULL);
		}
		write(ends[1], &end, waitpid(child, &end, 0) == child ? sizeof end : 0);
		_exit(0);
	}
	read(ready[0], &child, sizeof child);
	usleep(100000);
	if (!stopped_begin(&s, child, &err) || s.count != 2)
		return 2;
	kill(child, SIGKILL);
	usleep(100000);
	stopped_end(&s);
	alarm(60);
	read(ends[0], &end, sizeof end);
	return WTERMSIG(end) == SIGKILL ? 0 : 3;
}
END
(cd "$root" && gcc -w -O2 -pthread -I. "$OLDPWD/killer.c" "$ZPROF_BUILD"/report/process/stopped*.o "$ZPROF_BUILD"/report/core/base/str.o \
	"$ZPROF_BUILD"/report/core/base/memory.o -o "$OLDPWD/killer") || exit 1
./killer
is "a process that is killed while it stands still has ended for its parent, too" 0 $?

# ---- when zprof is killed while the process waits for it

start idle
"$zprof" attach --stopped $pid >actual 2>&1 &
attaching=$!
until grep -q 'waiting until process' actual; do sleep 0.1; done
kill -9 $attaching
wait $attaching 2>/dev/null
kill -USR1 $pid
until [ -s complaints ]; do sleep 0.02; done
is "the process does it itself, and says so" 1 "$(grep -c 'while all threads run; the zprof that should have stopped them has ended' complaints)"
: >complaints
sleep 0.2
kill -USR1 $pid
until [ "$(calls serve)" = 2 ]; do sleep 0.05; done
is "and is recorded" "2 4 40" "$(calls serve) $(calls middle) $(calls leaf)"
stop "left alone"

# ---- where stopping is not possible

start
gdb -q -batch -p $pid -ex "shell '$zprof' attach --stopped $pid >refused 2>&1" >gdb.out 2>&1
is "a debugger is in the way" 1 "$(grep -c "process $pid cannot be stopped: process [0-9]* (gdb) traces it already, and only one can" refused)"
# ptrace
expect 1 "lets nobody stop the threads of process $pid: Operation not permitted" ./refuse 1 ptrace "$zprof" attach --stopped $pid
expect 1 "lets nobody write to the memory of process $pid: the system lets nobody stop" ./refuse 1 pwrite64,ptrace "$zprof" attach $pid
stop "refused"
finish
