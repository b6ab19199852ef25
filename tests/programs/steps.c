/* SPDX-License-Identifier: MIT */
/*
 * steps.c - an instrumented handler after every single instruction of the hooks, their slow paths
 * included.
 *
 * SIGTRAP comes after each instruction (stepping.h). If that was one of the
 * library's, the handler calls an instrumented function. The first argument, N, makes it do so only
 * at every N-th such instruction, so that handlers do not always interrupt the traces of other
 * handlers.
 *
 * With a second argument, `replaced`, the handler does so only where the library has blocked
 * signals: while a hook replaces the ring of a thread that has run for a process's first tenth of a
 * second (preload/sample/sampling.h). Steps end there, since the kernel writes notes faster than
 * stepped hooks read them.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST = 1000, LEAST_REPLACED = 20, SECOND_NS = 1000000000 };

static unsigned every = 1, seen;
static bool replaced;

static void in_handler(void)
{
}

static void injected(void)
{
	CALL(in_handler);
}

/* Whether signals are blocked in the code that the handler interrupts. */
UNSEEN static bool are_blocked(const void *context)
{
	return sigismember(&((const ucontext_t *)context)->uc_sigmask, SIGUSR1);
}

/* Whether a handler is to run here; a hook that has replaced the ring is stepped no further. */
UNSEEN static bool is_wanted(void *context)
{
	if (!replaced || are_blocked(context))
		return true;
	if (seen)
		step_no_on(context);
	return false;
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context) || !is_wanted(context) || ++seen % every != 0)
		return;
	TRUTH_COUNT(NULL, "injected");
	injected();
}

static void leaf(void)
{
}

static void branch(int n)
{
	if (n > 0) {
		CALL(branch, n - 1);
		CALL(leaf);
		CALL(branch, n - 1);
	}
}

UNSEEN static void run_until(long ns)
{
	struct timespec t = {0};

	while (t.tv_sec * SECOND_NS + t.tv_nsec < ns)
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
}

int main(int argc, char **argv)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	if (argc > 1)
		every = (unsigned)strtol(argv[1], NULL, 10);
	replaced = argc > 2 && strcmp(argv[2], "replaced") == 0;
	if (replaced)
		run_until(SECOND_NS / 5);
	truth_add("-", "main", 1, 1);
	dl_iterate_phdr(find_library, NULL);
	if (handle_steps(&action) != 0)
		return 1;
	step();
	CALL(branch, 4);
	run();
	return high != 0 && seen < (replaced ? LEAST_REPLACED : LEAST);
}
