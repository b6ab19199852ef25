/* SPDX-License-Identifier: MIT */
/*
 * clock.c - a program whose time stamp counter jumps while it runs, under a library whose clock can
 * jump (tests/tools/tick_jump.h); under any other, nothing jumps.
 *
 *   clock back TICKS        again and again all counters go back by TICKS
 *   clock begin TICKS READINGS  they go back, or forward, after so many readings, counted from before the recording begins
 *   clock processors TICKS      the counters of two processors differ by TICKS, and the program goes to and fro between them
 *   clock threads TICKS         two threads and a signal's handler, while the counters go back
 *   clock nested TICKS N        a handler comes after the N-th instruction of a hook; the counters are back by TICKS at its first event, and right at the next
 *   clock forbid first|later    the program forbids itself to read the counter: from then on reading it raises SIGSEGV
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void tick_jump_between(int64_t even, int64_t odd) __attribute__((weak));
void tick_jump_after(uint64_t readings, int64_t by) __attribute__((weak));

static void leaf(void)
{
}

static void inner(void)
{
	CALL(leaf);
	CALL(leaf);
}

static void outer(void)
{
	CALL(inner);
	CALL(leaf);
}

static void handled(void)
{
	ENTERED();
	CALL(leaf);
}

UNSEEN static void on_alarm(int signal)
{
	(void)signal;
	handled();
}

UNSEEN static void jump(int64_t by)
{
	if (tick_jump_after && by)
		tick_jump_after(1 + (uint64_t)rand() % 20, by);
}

APART static void back(int64_t ticks)
{
	for (int i = 0; i < 1000; i++) {
		if (i % 50 == 49)
			jump(-ticks);
		CALL(outer);
	}
}

UNSEEN static void go_to(int processor)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof set, &set);
}

APART static void processors(int64_t ticks)
{
	if (tick_jump_between)
		tick_jump_between(0, ticks);
	for (int i = 0; i < 200; i++) {
		go_to(i & 1);
		CALL(outer);
	}
}

static void thread_work(int64_t ticks)
{
	for (int i = 0; i < 20000; i++) {
		if (i % 1000 == 999)
			jump(-ticks);
		CALL(outer);
	}
}

UNSEEN static void *in_thread(void *ticks)
{
	CALL_AS("-", "thread_work", thread_work(*(int64_t *)ticks));
	return NULL;
}

APART static void threads(int64_t ticks)
{
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	pthread_t thread[2];

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, in_thread, &ticks);
	CALL(thread_work, ticks);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
}

/* ---- a handler that begins while the counters are wrong */

static int64_t wrong_by;
static unsigned instructions, wanted;

static void meanwhile(void)
{
	if (tick_jump_between)
		tick_jump_between(0, 0);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context) || ++instructions != wanted)
		return;
	if (tick_jump_between)
		tick_jump_between(-wrong_by, -wrong_by);
	TRUTH_COUNT(NULL, "meanwhile");
	meanwhile();
}

APART static void nested(int64_t ticks, unsigned n)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	wrong_by = ticks;
	wanted = n;
	CALL(leaf);
	dl_iterate_phdr(find_library, NULL);
	handle_steps(&action);
	step();
	CALL(leaf);
	run();
	CALL(leaf);
}

/* Forbids it before the first call, which a child inherits, or between two calls. */
UNSEEN static void forbid(int later)
{
	if (later)
		CALL_AS("-", "outer", outer());
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	CALL_AS("-", "outer", outer());
	if (!later && fork() == 0) {
		truth_reset();
		CALL_AS("-", "outer", outer());
		exit(0);
	}
	wait(NULL);
}

UNSEEN int main(int argc, char **argv)
{
	int64_t n = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;

	if (!strcmp(argv[1], "begin") && tick_jump_after)
		tick_jump_after(strtoull(argv[3], NULL, 10), -n);
	if (!strcmp(argv[1], "processors"))
		CALL_AS("-", "processors", processors(n));
	else if (!strcmp(argv[1], "forbid"))
		forbid(!strcmp(argv[2], "later"));
	else if (!strcmp(argv[1], "threads"))
		CALL_AS("-", "threads", threads(n));
	else if (!strcmp(argv[1], "nested"))
		CALL_AS("-", "nested", nested(n, (unsigned)strtoul(argv[3], NULL, 10)));
	else
		CALL_AS("-", "back", back(strcmp(argv[1], "begin") ? n : 0));
	return 0;
}
