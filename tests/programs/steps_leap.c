/* SPDX-License-Identifier: MIT */
/*
 * steps_leap.c - a handler that jumps out of a hook, at each instruction of the library in turn.
 *
 *   steps_leap cold|warm normal|alternate [EVERY]
 *
 * A round calls victim(), is interrupted at the n-th instruction of the hooks that this calls, and
 * the handler, after a call of its own, jumps back to the caller. Then victim() is called again,
 * undisturbed: what the hook left half done may not disturb that. The next round takes the next
 * instruction (EVERY: so many further on), until a round is over before its instruction has come.
 *
 * `cold`: in each round victim() is called in a context of its own, which is new. `warm`: always in
 * the same, so that its hooks go the usual way.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long wanted, seen; /* instructions of the library in this round */
static unsigned long rounds, undisturbed;
static bool leapt;
static sigjmp_buf back;
static char signal_stack[1 << 16];

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
	if (!in_library(context) || ++seen < wanted)
		return;
	TRUTH_COUNT(NULL, "injected");
	injected();
	leapt = true;
	siglongjmp(back, 1);
}

APART static void leaf(void)
{
	__asm__ volatile("");
}

APART static void victim(void)
{
	leaf();
	__asm__ volatile("");
}

APART static void round_of(void)
{
	rounds++;
	leapt = false;
	seen = 0;
	if (sigsetjmp(back, 1) == 0) {
		step();
		victim();
		run();
		undisturbed++;
	}
	victim();
	undisturbed++;
}

/* 4,096 ways to get there. */
static unsigned way;

#define FORK(n, next)                                                                              \
	APART static void zero_##n(void)                                                           \
	{                                                                                          \
		next();                                                                            \
		__asm__ volatile("");                                                              \
	}                                                                                          \
	APART static void one_##n(void)                                                            \
	{                                                                                          \
		next();                                                                            \
		__asm__ volatile("");                                                              \
	}                                                                                          \
	UNSEEN APART static void fork_##n(void)                                                    \
	{                                                                                          \
		if (way >> n & 1) {                                                                \
			TRUTH_COUNT(NULL, "one_" #n);                                              \
			one_##n();                                                                 \
		} else {                                                                           \
			TRUTH_COUNT(NULL, "zero_" #n);                                             \
			zero_##n();                                                                \
		}                                                                                  \
	}
FORK(0, round_of)
FORK(1, fork_0)
FORK(2, fork_1)
FORK(3, fork_2)
FORK(4, fork_3)
FORK(5, fork_4)
FORK(6, fork_5)
FORK(7, fork_6)
FORK(8, fork_7)
FORK(9, fork_8)
FORK(10, fork_9)
FORK(11, fork_10)

UNSEEN static void tell(void)
{
	unsigned long disturbed = 2 * rounds - undisturbed;
	truth_add("zero_0", "round_of", 0, rounds);
	truth_add("one_0", "round_of", 0, rounds);
	truth_add(NULL, "round_of", rounds, rounds);
	truth_add("round_of", "victim", undisturbed, undisturbed + disturbed);
	truth_add("victim", "leaf", undisturbed, undisturbed + disturbed);
}

UNSEEN int main(int argc, char **argv)
{
	bool cold = argc > 1 && !strcmp(argv[1], "cold");
	bool alternate = argc > 2 && !strcmp(argv[2], "alternate");
	unsigned long every = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	struct sigaction action;
	stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO | (alternate ? SA_ONSTACK : 0);
	if ((alternate && sigaltstack(&stack, NULL)) || handle_steps(&action))
		return 2;
	dl_iterate_phdr(find_library, NULL);
	wanted = 1;
	do {
		way = cold ? rounds : 0;
		fork_11();
		wanted += every;
	} while (leapt);
	fprintf(stderr, "%lu rounds\n", rounds);
	tell();
	return high == 0;
}
