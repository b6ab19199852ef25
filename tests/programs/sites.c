/* SPDX-License-Identifier: MIT */
/*
 * sites.c - switches its own hooks off and on, and looks at its own code to see whether they are.
 *
 *   sites spans            to be run with start=off: spans in which it is recorded, and others
 *   sites pauses           the same where hooks cannot be switched
 *   sites only             to be run with only=leaf: the others' hooks are off
 *   sites frames           functions that are open when hooks go off have ended, or not, when hooks are back
 *   sites again            the first function that is entered then is the one that was open
 *   sites jumps            the same as frames, with longjmp out of functions meanwhile
 *   sites fork             the child of a sleeping process wakes up alone
 *   sites plugin FILE      a library is loaded while hooks are off
 *   sites threads ROUNDS [FILE]  four threads run through the functions while hooks switch; a fifth loads and unloads the library FILE
 *   sites stepped          a handler at every instruction of two switches, off and on
 *
 * Prints `NAME CALLS` for each function, how often it was called while recorded: what the profile
 * must say. Exit status 1: hooks were on that should be off, or the other way round.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/programs/stepping.h"

static int leaf(int x);
#define SWITCHED leaf
#include "tests/programs/switching.h"

enum { LEAF, MIDDLE, OUTER, DEEP, LATE, AGAIN, ENDS, FUNCTIONS };
static long calls[FUNCTIONS];
static const char *const names[] = {"leaf", "middle", "outer",       "deep",
				    "late", "again",  "ends_by_jump"};

QUIET static void count(int which)
{
	if (recorded)
		calls[which]++;
}

#include "tests/programs/outer.h"

APART static int deep(int n)
{
	int below;

	count(DEEP);
	below = n ? deep(n - 1) : middle(1);
	__asm__ volatile(""); /* no loop */
	return below + 1;
}

/* ---- what is done */

QUIET static void spans(void)
{
	int i;

	must_be(0, "at the start");
	outer(1);
	for (i = 0; i < 3; i++) {
		wake_up();
		outer(i);
		deep(5);
		fall_asleep();
		outer(i);
		deep(7);
	}
}

QUIET static void pauses(void)
{
	int i, n;

	outer(1);
	for (i = 0; i < 3; i++) {
		zprof_resume();
		recorded = 1;
		outer(i);
		deep(5);
		recorded = 0;
		zprof_pause();
		for (n = 0; n < 100000; n++)
			middle(n);
	}
}

QUIET static void only(void)
{
	recorded = 1;
	outer(1);
	must_be(1, "in the function that is recorded");
	if (first_site((const unsigned char *)(void *)middle) != 0) {
		printf("hooks are on in a function that is left out\n");
		status = 1;
	}
	outer(2);
	recorded = 0;
	memset(calls + LEAF + 1, 0, sizeof(calls) - sizeof(*calls));
	fall_asleep();
	outer(3);
	wake_up();
	if (first_site((const unsigned char *)(void *)middle) != 0) {
		printf("hooks are on in a function that is left out, after a pause\n");
		status = 1;
	}
	outer(4);
	recorded = 0;
	memset(calls + LEAF + 1, 0, sizeof(calls) - sizeof(*calls));
}

/* Its frame is where that of `before` was, which is open when hooks go off. */
APART static int late(int n)
{
	count(LATE);
	return middle(n) + 1;
}

static APART int before(int n)
{
	char room[64];

	memset(room, n, sizeof(room));
	fall_asleep();
	return leaf(room[3]);
}

static APART int stays(int n)
{
	before(n);
	wake_up();
	late(n);
	return leaf(n) + 1;
}

static void frames(void)
{
	recorded = 1;
	stays(1);
	before(2);
	wake_up();
	late(2);
	fall_asleep();
	outer(3);
	wake_up();
	outer(4);
	recorded = 0;
}

QUIET static void *resume(void *unused)
{
	zprof_resume();
	return unused;
}

/* This thread notices at its next event, as all threads do except the one that resumes. */
QUIET static void another_wakes(void)
{
	pthread_t t;

	pthread_create(&t, NULL, resume, NULL);
	pthread_join(t, NULL);
	recorded = 1;
	must_be(1, "when another thread has resumed");
}

/* Its second frame is where its first was. */
static APART int again(int n, int sleeps)
{
	count(AGAIN);
	if (sleeps)
		fall_asleep();
	return n + 1;
}

/* The same, and it ends with a jump to the hook, from which the hook cannot tell what ends. */
static APART void ends_by_jump(int n, int sleeps)
{
	count(ENDS);
	if (sleeps)
		fall_asleep();
	sink += n;
}

static APART void ends_too(int n, int wakes)
{
	if (wakes)
		another_wakes();
	sink -= n;
}

QUIET static void again_and_again(void)
{
	int i;

	recorded = 1;
	for (i = 0; i < 5; i++) {
		again(i, 1);
		another_wakes();
		again(i, 0);
		ends_by_jump(i, 1);
		another_wakes();
		ends_by_jump(i, 0);
		ends_by_jump(i, 1);
		ends_too(i, 1);
		again(i, 0);
	}
	recorded = 0;
}

static jmp_buf back;

static APART void jumper(int n)
{
	if (n)
		jumper(n - 1);
	fall_asleep();
	longjmp(back, 1);
}

static void jumps(void)
{
	recorded = 1;
	if (!setjmp(back))
		jumper(10);
	another_wakes();
	late(1);
	deep(3);
	recorded = 0;
}

QUIET static void print_calls(void)
{
	int i;

	for (i = 0; i < FUNCTIONS; i++)
		if (calls[i])
			printf("%s %ld\n", names[i], calls[i]);
	fflush(stdout);
}

/* Only the child prints something. */
QUIET static void forked(void)
{
	int end;

	must_be(0, "at the start");
	if (!fork()) {
		must_be(0, "in a child");
		another_wakes();
		outer(1);
		print_calls();
		exit(status);
	}
	wait(&end);
	must_be(0, "in the parent of a child that woke up");
	status |= WEXITSTATUS(end);
}

QUIET static void plugin(const char *file)
{
	void *handle;
	int (*work)(int);
	int i, total = 0;

	must_be(0, "at the start");
	handle = dlopen(file, RTLD_NOW);
	work = handle ? (int (*)(int))dlsym(handle, "plugin_work") : NULL;
	if (!work) {
		printf("%s\n", dlerror());
		exit(1);
	}
	for (i = 0; i < 100; i++)
		total += work(i);
	if (first_site((const unsigned char *)(void *)work) != 0) {
		printf("a library's hooks are on\n");
		status = 1;
	}
	wake_up();
	for (i = 0; i < 5; i++)
		total += work(i);
	printf("plugin_work 5\n");
	fall_asleep();
	dlclose(handle);
	wake_up();
	outer(total);
	recorded = 0;
}

/* ---- threads */

static volatile int over;
static long rounds;

static void *run_through(void *unused)
{
	while (!over) {
		middle(1);
		deep(20);
	}
	return unused;
}

QUIET static void *load_again(void *file)
{
	while (!over) {
		void *handle = dlopen(file, RTLD_NOW);
		int (*work)(int) = handle ? (int (*)(int))dlsym(handle, "plugin_work") : NULL;
		int n;

		for (n = 0; work && n < 100; n++)
			work = work(n) == n + 1 ? work : NULL;
		if (!work) {
			printf("a library is not what it was\n");
			status = 1;
		}
		if (handle)
			dlclose(handle);
	}
	return NULL;
}

/* Prints how many switches there were. */
QUIET static void threads(const char *file)
{
	pthread_t t[5];
	long i;
	int n, count = file ? 5 : 4;

	for (i = 0; i < count; i++)
		pthread_create(&t[i], NULL, i < 4 ? run_through : load_again, (void *)file);
	for (i = 0; i < rounds; i++) {
		zprof_resume();
		must_be(1, "after a resume");
		for (n = 0; n < 100; n++)
			late(n);
		zprof_pause();
		for (n = 0; is_on() && n < 200000000; n++)
			leaf(1);
	}
	over = 1;
	for (i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	printf("late %ld\n", 100 * rounds);
}

/* ---- a handler at every instruction */

APART static void handled(int n)
{
	sink += n;
}

static long inside;           /* instructions of the library since it was entered */
static long quiet;            /* so many of them come before a handler calls a function */
static long functions_called; /* by handlers */

QUIET static void on_step(int signal, siginfo_t *info, void *context)
{
	uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	(void)info;
	if (pc - low >= high - low) {
		inside = 0;
	} else if (++inside > quiet) {
		functions_called++;
		handled(signal);
	}
}

/*
 * A pause that lasts. Its hooks are quick, and what takes longer is the switch. (A handler that called
 * functions meanwhile would make the switch itself, where nothing is stepped through.)
 */
QUIET static void fall_asleep_stepped(void)
{
	wake_up();
	fall_asleep(); /* how long a switch takes decides how long the next pause must be */
	wake_up();
	quiet = 600;
	step();
	fall_asleep();
	run();
	quiet = 0;
	if (functions_called < 1000) {
		printf("the switch was not stepped through: %ld\n", functions_called);
		status = 1;
	}
}

/* Switches off and on, and the handler runs at every instruction of that. */
QUIET static void stepped(void)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};

	must_be(0, "at the start");
	dl_iterate_phdr(find_library, NULL);
	handle_steps(&action);
	fall_asleep_stepped();
	step();
	zprof_resume();
	run();
	recorded = 1;
	must_be(1, "after a resume step by step");
	outer(1);
	recorded = 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "spans";

	if (!strcmp(what, "spans"))
		spans();
	else if (!strcmp(what, "pauses"))
		pauses();
	else if (!strcmp(what, "only"))
		only();
	else if (!strcmp(what, "frames"))
		frames();
	else if (!strcmp(what, "again"))
		again_and_again();
	else if (!strcmp(what, "jumps"))
		jumps();
	else if (!strcmp(what, "fork"))
		forked();
	else if (!strcmp(what, "plugin"))
		plugin(argv[2]);
	else if (!strcmp(what, "stepped"))
		stepped();
	else if (!strcmp(what, "threads")) {
		rounds = atol(argv[2]);
		threads(argv[3]);
	}
	if (strcmp(what, "fork") && strcmp(what, "threads"))
		print_calls();
	return status;
}
