/* SPDX-License-Identifier: MIT */
/*
 * chosen.cc - chooses, while it runs, which of its functions are recorded.
 *
 *   chosen spans           functions are watched for a while, and not watched for a while
 *   chosen only            to be run with only=leaf: watches others, and not leaf
 *   chosen open            functions that are open are unwatched, and watched again
 *   chosen jumps           the same, and longjmp leaves them
 *   chosen exceptions      the same, and exceptions leave them
 *   chosen coroutines      the same, and they are open on a stack that is put aside
 *   chosen handlers        a timer's handler calls functions meanwhile
 *   chosen plugin FILE     a library is loaded that the patterns match
 *   chosen fork            a child keeps its parent's choice
 *   chosen threads ROUNDS  four threads run through the functions meanwhile
 *   chosen wrong           strings that are not patterns
 *
 * Prints `NAME CALLS` for each function, how often it was called while watched: what the profile
 * must say.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "preload/zprof.h"

#define QUIET __attribute__((no_instrument_function))

static volatile long sink;
static int status;

enum function { LEAF, MIDDLE, OUTER, DEEP, ASIDE, NEVER, HANDLED, FUNCTIONS };
static const char *const names[] = {"leaf", "middle", "outer", "deep", "aside", "never", "handled"};
static volatile bool watched[FUNCTIONS];
static long calls[FUNCTIONS];

QUIET static void count(enum function f)
{
	if (watched[f])
		__atomic_fetch_add(&calls[f], 1, __ATOMIC_RELAXED);
}

/* One function, by its name. */
QUIET static void choose(enum function f, bool watch)
{
	char pattern[64];
	long n;

	snprintf(pattern, sizeof(pattern), "%s", names[f]);
	n = watch ? zprof_watch(pattern) : zprof_unwatch(pattern);
	if (n < 1) { /* a function in parts counts more than once */
		printf("%ld functions are called %s\n", n, pattern);
		status = 1;
	}
	watched[f] = watch;
}

QUIET static void by_pattern(const char *pattern, bool watch, long least)
{
	long n = watch ? zprof_watch(pattern) : zprof_unwatch(pattern);

	if (n < least) {
		printf("%ld functions match %s\n", n, pattern);
		status = 1;
	}
}

#include "tests/programs/outer.h"

APART static int never(int x)
{
	count(NEVER);
	sink -= x;
	return x + 1;
}

APART static void handled(int n)
{
	count(HANDLED);
	sink += n;
}

/* ---- what is done */

QUIET static void spans()
{
	int i;

	for (i = 0; i < 2; i++) {
		outer(i);
		choose(LEAF, false);
		outer(i);
		choose(MIDDLE, false);
		outer(i);
		choose(LEAF, true);
		outer(i);
		choose(MIDDLE, true);
	}
	by_pattern("lea? mid*", false, 2);
	watched[LEAF] = watched[MIDDLE] = false;
	outer(1);
	by_pattern("/^(leaf|outer)$/", false, 2);
	watched[OUTER] = false;
	outer(2);
	by_pattern("*", true, 10);
	watched[LEAF] = watched[MIDDLE] = watched[OUTER] = true;
	outer(3);
	by_pattern("nothing_of_that_name", false, 0);
	outer(4);
}

QUIET static void only()
{
	memset((void *)watched, 0, sizeof(watched));
	watched[LEAF] = true;
	outer(1);
	choose(MIDDLE, true);
	outer(2);
	choose(LEAF, false);
	outer(3);
	choose(LEAF, true);
	choose(MIDDLE, false);
	outer(4);
}

static int deep(int n);
static int (*volatile again)(int) = deep; /* so that it is not inlined into itself */

/* It is unwatched in its recursion, and watched again on the way back. */
APART static int deep(int n)
{
	int below;

	count(DEEP);
	if (n == 7)
		choose(DEEP, false);
	never(n);
	below = n ? deep(n - 1) : middle(1);
	if (n == 3)
		choose(DEEP, true);
	if (n == 8 || n == 2)
		below += n == 8 ? again(1) : never(n);
	return below + 1;
}

APART static int aside(int unwatches)
{
	count(ASIDE);
	if (unwatches)
		choose(ASIDE, false);
	never(1);
	return outer(unwatches) + 1;
}

static void open_ones()
{
	int i;

	for (i = 0; i < 2; i++) {
		deep(10);
		deep(2);
		aside(1);
		aside(0);
		choose(ASIDE, true);
		aside(0);
	}
}

static jmp_buf back;

APART static int jumper(int n)
{
	if (n == 2)
		choose(ASIDE, false);
	if (n)
		return jumper(n - 1) + aside(0);
	never(n);
	longjmp(back, 1);
}

QUIET static void jumps()
{
	int i;

	for (i = 0; i < 2; i++) {
		if (!setjmp(back))
			outer(jumper(5));
		outer(i);
		choose(ASIDE, true);
		aside(0);
	}
}

APART static int thrower(int n)
{
	if (n == 2)
		choose(ASIDE, false);
	if (n == 1)
		choose(MIDDLE, false);
	if (!n)
		throw never(n);
	return thrower(n - 1) + 1;
}

APART static int catcher(int n)
{
	try {
		never(thrower(n));
	} catch (int x) {
		return middle(x);
	}
	return n;
}

APART static int between(int n)
{
	choose(OUTER, false);
	n = catcher(n);
	choose(OUTER, true);
	return n + outer(n);
}

static void exceptions()
{
	int i;

	for (i = 0; i < 2; i++) {
		between(5);
		outer(i);
		choose(ASIDE, true);
		choose(MIDDLE, true);
		outer(i);
		aside(0);
	}
}

static ucontext_t main_context, other_context;

/* Puts itself aside in a function that is unwatched meanwhile. */
APART static int puts_aside(int n)
{
	never(n);
	swapcontext(&other_context, &main_context);
	never(n);
	return outer(n);
}

static void other()
{
	int i;

	for (i = 0; i < 3; i++) {
		puts_aside(i);
		never(i);
	}
}

QUIET static void coroutines()
{
	static char stack[256 * 1024];
	int i;

	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof(stack);
	other_context.uc_link = &main_context;
	makecontext(&other_context, other, 0);
	for (i = 0; i < 4; i++) {
		swapcontext(&main_context, &other_context);
		by_pattern("puts_aside", i & 1, 1);
		choose(MIDDLE, i & 1);
		never(i);
	}
}

QUIET static void on_alarm(int signal)
{
	handled(signal);
}

QUIET static void handlers()
{
	struct itimerval often = {{0, 500}, {0, 500}}, never_more = {{0, 0}, {0, 0}};
	struct sigaction action;
	int i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_alarm;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 4; i++) {
		outer(i);
		choose(LEAF, i & 1);
		outer(i);
	}
	setitimer(ITIMER_REAL, &never_more, NULL);
	outer(7);
}

QUIET static void plugin(const char *file)
{
	void *handle;
	int (*work)(int);
	int i;

	by_pattern("plugin_work", false, 0);
	handle = dlopen(file, RTLD_NOW);
	work = handle ? (int (*)(int))dlsym(handle, "plugin_work") : NULL;
	if (!work) {
		printf("%s\n", dlerror());
		exit(1);
	}
	for (i = 0; i < 100; i++)
		work(i);
	outer(1);
	by_pattern("plugin_work", true, 1);
	for (i = 0; i < 5; i++)
		work(i);
	printf("plugin_work 5\n");
}

QUIET static void print_calls()
{
	int i;

	for (i = 0; i < FUNCTIONS; i++)
		if (calls[i])
			printf("%s %ld\n", names[i], calls[i]);
	fflush(stdout);
}

/* What is printed is the child's. */
QUIET static void forked()
{
	int end;

	outer(1);
	choose(LEAF, false);
	if (fork()) {
		wait(&end);
		status |= WEXITSTATUS(end);
		return;
	}
	memset(calls, 0, sizeof(calls));
	outer(2);
	choose(LEAF, true);
	choose(MIDDLE, false);
	outer(3);
	print_calls();
	exit(status);
}

/* ---- threads */

static volatile bool over;

APART static int run_through(int n)
{
	never(n);
	return outer(n) + never(n);
}

QUIET static void *run(void *unused)
{
	int n;

	for (n = 0; !over; n++)
		run_through(n & 7);
	return unused;
}

/* Counts of the chosen functions cannot be known, so they are not printed. */
QUIET static void threads(long rounds)
{
	pthread_t t[4];
	long i;
	int n;

	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (i = 0; i < rounds; i++) {
		choose(MIDDLE, i & 1);
		choose(LEAF, i & 2);
		choose(ASIDE, i & 1);
		for (n = 0; n < 100; n++)
			aside(0);
		by_pattern("run_through", i & 1, 1);
	}
	over = true;
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	calls[MIDDLE] = calls[LEAF] = 0;
}

QUIET static void wrong()
{
	const char *const patterns[] = {"/[/", "group:none", "two\nlines", ""};
	size_t i;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (zprof_unwatch(patterns[i]) != -1)
			printf("'%s' is a pattern\n", patterns[i]);
	if (zprof_unwatch(NULL) != -1)
		printf("none is a pattern\n");
	outer(1);
}

QUIET int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "spans";
	int i;

	for (i = 0; i < FUNCTIONS; i++)
		watched[i] = true;
	if (!strcmp(what, "spans"))
		spans();
	else if (!strcmp(what, "only"))
		only();
	else if (!strcmp(what, "open"))
		open_ones();
	else if (!strcmp(what, "jumps"))
		jumps();
	else if (!strcmp(what, "exceptions"))
		exceptions();
	else if (!strcmp(what, "coroutines"))
		coroutines();
	else if (!strcmp(what, "handlers"))
		handlers();
	else if (!strcmp(what, "plugin"))
		plugin(argv[2]);
	else if (!strcmp(what, "fork"))
		forked();
	else if (!strcmp(what, "threads"))
		threads(atol(argv[2]));
	else
		wrong();
	if (strcmp(what, "fork"))
		print_calls();
	return status;
}
