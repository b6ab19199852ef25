#!/bin/sh
# SPDX-License-Identifier: MIT
# record-missing.sh - what a program did after its last hook, and did not end by exit(): `zprof record` says how much is
# missing, and without it reports say since when nothing is known. Every bound is one that the program measured itself.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
unset ZPROF_RUN ZPROF_LIB ZPROF_OPTIONS
export TZ=UTC0

cat >prog.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define UNSEEN __attribute__((no_instrument_function))
/* The volatile store keeps the call. */
static volatile int calls;
static void work(void) { calls++; }
UNSEEN static double ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return 1e3 * (double)t.tv_sec + (double)t.tv_nsec / 1e6;
}
UNSEEN static double cpu(void) { return ms(CLOCK_PROCESS_CPUTIME_ID); }
UNSEEN static double queued(void)
{
	unsigned long long ns = 0;
	FILE *f = fopen("/proc/self/schedstat", "r");
	if (f && fscanf(f, "%*u %llu", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return (double)ns / 1e6;
}
UNSEEN static void spin(double more)
{
	for (double until = cpu() + more; cpu() < until;)
		;
}
UNSEEN static void *with_hooks(void *arg)
{
	work();
	spin(2);
	work();
	return arg;
}
UNSEEN static void end(const char *how, char **argv)
{
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "exec"))
		execl(argv[0], argv[0], "none", "exit", (char *)NULL);
	if (!strcmp(how, "execsh"))
		execlp("awk", "awk", "BEGIN { while (i++ < 3000000) n += i }", (char *)NULL);
	if (strcmp(how, "exit"))
		raise(atoi(how));
}
/* prog WHAT HOW [FILE]: after its last hook it does WHAT, and ends by HOW. FILE: what it measured. */
UNSEEN int main(int argc, char **argv)
{
	double begun = ms(CLOCK_MONOTONIC);
	if (strstr(argv[1], "other")) { /* the first thread calls no hook */
		pthread_t t;
		pthread_create(&t, NULL, with_hooks, NULL);
		pthread_join(t, NULL);
		double joined = cpu();
		spin(300);
		FILE *f = fopen(argv[3], "w");
		fprintf(f, "%f %f 0 0\n", cpu() - joined, cpu());
		fclose(f);
		end(argv[2], argv);
	}
	for (double until = cpu() + 100; cpu() < until;)
		work();
	if (strstr(argv[1], "threads"))
		for (int i = 0; i < 20; i++) {
			pthread_t t;
			pthread_create(&t, NULL, with_hooks, NULL);
			pthread_join(t, NULL);
		}
	double child_ms = 0;
	if (strstr(argv[1], "child")) {
		int ends[2];
		if (pipe(ends))
			return 1;
		if (!fork()) {
			work();
			double child_hook = cpu();
			spin(300);
			child_hook = cpu() - child_hook;
			if (write(ends[1], &child_hook, sizeof child_hook) < 0)
				_exit(1);
			raise(SIGTERM);
		}
		if (read(ends[0], &child_ms, sizeof child_ms) != sizeof child_ms)
			return 1;
		wait(NULL);
	}
	work();
	double last_hook = ms(CLOCK_MONOTONIC), last_cpu = cpu();
	if (strstr(argv[1], "spin"))
		spin(300);
	/* It waits until this cannot be time on a processor, or on the way to one. */
	while (strstr(argv[1], "wait") && ms(CLOCK_MONOTONIC) - last_hook < 1000 + cpu() + queued())
		usleep(10000);
	if (argc > 3) {
		FILE *f = fopen(argv[3], "w");
		fprintf(f, "%f %f %f %f\n", cpu() - last_cpu, cpu(), last_hook - begun, child_ms);
		fclose(f);
	}
	end(argv[2], argv);
	return 0;
}
END
"${CC:-gcc}" -g -O1 -pthread -finstrument-functions prog.c -o prog || exit 1

# "301 ms" of the last group in PATTERN, in milliseconds.
figure() { # PATTERN FILE
	sed -n "s/.*$1.*/\1/p" "$2" | head -1 | awk '{ u = $2; print $1 * (u == "s" ? 1000 : u == "us" ? 0.001 : u == "ns" ? 0.000001 : 1) }'
}
# Figures are rounded to three digits.
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a >= 0.99 * b) }'; }
ended='ended the program: no time is known of its last'

recorded() { # OPTIONS WHAT HOW
	rm -f x.zp measured
	ZPROF_OPTIONS=$1 "$zprof" record -o x.zp ./prog "$2" "$3" measured >said 2>&1
	read -r after total known _ <measured
}
unseen() { # what was said, and is in the profile
	sed 's/^/# /' said measured
}

for options in clock=count clock=exact; do
	for signal in 15 9; do
		recorded $options spin $signal
		grep -q "^zprof: signal $signal (.*) $ended .* of its .* of CPU time are in no number$" said
		tap $? "$options: signal $signal, CPU time since the last hook: record says so"
		missing=$(figure ', and \(.*\) of its .* of CPU time' said) whole=$(figure ' of its \([^,]*\) of CPU time' said)
		at_least "$missing" "$after" && at_least "$whole" "$missing" && at_least "$whole" "$total"
		tap $? "$options: signal $signal: no less than the program measured, and no more than all"
		unseen
	done
	recorded $options wait 15
	if [ $options = clock=count ] && "$zprof" info x.zp | grep -q 'samples .*by a timer'; then
		! grep -q "is known" said
		tap $? "$options: a timer tells of no waits, and nothing is said"
	else
		grep -q "^zprof: signal 15 (.*) $ended " said
		tap $? "$options: waits since the last hook: record says so"
	fi
	unseen
done
recorded clock=exact,sample=0 wait 9
grep -q "$ended [^,]*$" said
tap $? "where no samples are taken, nothing is said of CPU time"
unseen

recorded clock=count other 15
missing=$(figure ', and \(.*\) of its .* of CPU time' said)
grep -q "$ended" said && at_least "$missing" "$after"
tap $? "a first thread that calls no hook, while another does: its CPU time is missing"
unseen

recorded clock=count spin _exit
grep -q '^zprof: the program ended without exit(): no time is known of its last' said
tap $? "CPU time before _exit()"
unseen

# the profile keeps it
recorded clock=count spin 15
sed -n 's/^zprof: \(signal.*\)/note: \1/p' said >noted
for view in report graph groups; do
	"$zprof" $view --width 0 --no-pager x.zp 2>/dev/null >shown
	grep -qxFf noted shown && ! grep -q 'was killed, ended' shown
	tap $? "$view says so, once"
done
expect 0 "note          signal 15" "$zprof" info --width 0 x.zp
"$zprof" report --json x.zp | grep -q '"notes":\["signal 15 '
tap $? "JSON says so"
"$zprof" merge -o merged.zp x.zp 2>/dev/null
expect 0 "note: signal 15" "$zprof" report --width 0 merged.zp
rm -f x.zp
"$zprof" record --quiet -o x.zp ./prog spin 15 >said 2>&1
[ ! -s said ] && "$zprof" report --width 0 x.zp | grep -q '^note: signal 15 '
tap $? "--quiet says nothing, and the profile has it"

# programs that end by themselves
for what in none spin wait threads-spin; do
	recorded clock=count $what exit
	! grep -q 'is known' said && ! "$zprof" report --width 0 x.zp | grep -q 'is known'
	tap $? "exit(), $what: nothing is said"
	unseen
done
rm -f x.zp*
"$zprof" record -o x.zp ./prog none exec >said 2>&1
! grep -q 'is known' said
tap $? "exec: nothing is said"
sed 's/^/# /' said
"$zprof" info --width 0 --run x.zp | grep -q 'note  *the process became another program (exec): no time is known after '
tap $? "and the profile of the first program says that it became another"

rm -f x.zp*
"$zprof" record -o x.zp ./prog none execsh >said 2>&1
! grep -q 'is known' said
tap $? "exec of a program without hooks, which works on: nothing is said"
sed 's/^/# /' said

# a child that is killed
recorded clock=count child exit
grep -q '^zprof: 1 further process was killed, ended by _exit() or became another program (exec): .* up to .* of CPU time' said
tap $? "of a child: what it may be, from the sum of all children"
read -r _ _ _ child <measured
at_least "$(figure 'up to \(.*\) of CPU time' said)" "$child"
tap $? "no less than the child measured"
unseen
"$zprof" report --width 0 --run x.zp >shown
grep -q '^note: 1 of 2 processes did not end by exit()' shown && grep -q '^note: 1 further process was killed' shown
tap $? "the report of both processes says so"

# without record
alone() { # OPTIONS WHAT HOW
	rm -f x.zp measured
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=x.zp,$1 ./prog "$2" "$3" measured >said 2>&1
	read -r after total known _ <measured
	"$zprof" report --width 0 x.zp >shown 2>&1
}
for options in clock=count clock=exact; do
	alone $options spin 9
	head=$(figure ': no time is known after [0-9:]*\.[0-9][0-9][0-9], \(.*\) after its start' shown)
	# The library begins after the program, and the rate of its clock is within a few percent of the truth.
	awk -v head="$head" -v known="$known" 'BEGIN { exit !(head > 0 && head <= 1.05 * known) }'
	tap $? "$options, without record: the head says that it was killed, and since when nothing is known"
	unseen; grep 'is known' shown | sed 's/^/# /'
done
alone clock=count,sample=0 none 9
grep -q '^note: the process was killed.*: the profile tells of no moment after ' shown
tap $? "where nothing is timed: the latest moment in the profile"
alone clock=count none exit
! grep -q 'is known' shown
tap $? "exit() without record: nothing is said"
finish
