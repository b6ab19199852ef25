/* SPDX-License-Identifier: MIT */
/*
 * steps.c - an instrumented handler after every single instruction of the hooks, their slow paths
 * included.
 *
 * The trap flag makes the processor raise SIGTRAP after each instruction. If that was one of the
 * library's, the handler calls an instrumented function. The first argument, N, makes it do so only
 * at every N-th such instruction, so that handlers do not always interrupt the traces of other
 * handlers.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned every = 1, seen;

static void in_handler(void)
{
}

static void injected(void)
{
	CALL(in_handler);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context) || ++seen % every != 0)
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

int main(int argc, char **argv)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	if (argc > 1)
		every = (unsigned)strtol(argv[1], NULL, 10);
	truth_add("-", "main", 1, 1);
	dl_iterate_phdr(find_library, NULL);
	if (sigaction(SIGTRAP, &action, NULL) != 0)
		return 1;
	step();
	CALL(branch, 4);
	run();
	return high != 0 && seen < 1000;
}
