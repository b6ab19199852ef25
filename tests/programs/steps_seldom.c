/* SPDX-License-Identifier: MIT */
/*
 * steps_seldom.c - an instrumented handler at every instruction of the library's rare work:
 * beginnings (a process's first event, a thread's first event), new contexts until the hash and the
 * file have grown more than once, noticing jumps.
 *
 *   steps_seldom [normal|alternate] [first]
 *
 * steps.c is the same for the usual paths. With `first` the beginning of the recording itself is
 * stepped through; under a real clock that would include its calibration, so this is for the fake
 * one. Stepping everything would take minutes, so of the many new contexts only those are stepped
 * that make something grow.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long steps;
static char signal_stack[2][1 << 16];

static void in_handler(void)
{
}

static void injected(void)
{
	CALL(in_handler);
	CALL(in_handler);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context))
		return;
	steps++;
	TRUTH_COUNT(NULL, "injected");
	injected();
}

/* 200 functions. */
#define FAN(n)                                                                                     \
	APART static void fan_##n(void)                                                            \
	{                                                                                          \
	}
#define EACH10(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define EACH100(X, n)                                                                              \
	EACH10(X, n##0)                                                                            \
	EACH10(X, n##1)                                                                            \
	EACH10(X, n##2)                                                                            \
	EACH10(X, n##3)                                                                            \
	EACH10(X, n##4)                                                                            \
	EACH10(X, n##5)                                                                            \
	EACH10(X, n##6)                                                                            \
	EACH10(X, n##7)                                                                            \
	EACH10(X, n##8)                                                                            \
	EACH10(X, n##9)
EACH100(FAN, 1)
EACH100(FAN, 2)

#define POINTER(n) {fan_##n, {NULL, "fan_" #n, 0, 0, NULL}},
static struct {
	void (*call)(void);
	struct truth_arc arc;
} fan[] = {EACH100(POINTER, 1) EACH100(POINTER, 2)};

enum { FAN_SIZE = sizeof fan / sizeof *fan };

/*
 * A stepped call makes three contexts (the handler's two calls are recorded below it if they
 * interrupt no hook), any other call makes one. A file's sections hold 126, 254, 510 nodes, the
 * first hash 512: both are crossed within the second window.
 */
UNSEEN static int growing(int nth)
{
	return nth < 6 || (nth >= 335 && nth < 390);
}

static void spread(int levels)
{
	static int made;
	for (int i = 0; i < FAN_SIZE; i++, made++) {
		truth_count(&fan[i].arc);
		if (growing(made))
			step();
		fan[i].call();
		run();
	}
	if (levels > 0)
		CALL(spread, levels - 1);
}

static jmp_buf back;

APART static void leave(int frames)
{
	if (frames == 0)
		longjmp(back, 1);
	CALL(leave, frames - 1);
	__asm__ volatile("");
}

APART static void jump(int frames)
{
	if (setjmp(back) == 0)
		CALL(leave, frames);
}

APART static void leave_not(int frames)
{
	if (frames > 0)
		CALL(leave_not, frames - 1);
}

static void main_part(void)
{
	run();
	CALL(spread, 2);
	step();
	for (volatile int i = 0; i < 3; i = i + 1)
		CALL(jump, i);
}

static void thread_part(void)
{
	CALL(leave_not, 2);
}

static int alternate;

UNSEEN static void use_signal_stack(int which)
{
	stack_t stack = {.ss_sp = signal_stack[which], .ss_size = sizeof signal_stack[which]};
	if (alternate && sigaltstack(&stack, NULL) != 0)
		abort();
}

/* The thread's first event is the call of thread_part, which is stepped through. */
UNSEEN static void *thread(void *unused)
{
	use_signal_stack(1);
	step();
	CALL_AS("-", "thread_part", thread_part());
	run();
	return unused;
}

UNSEEN int main(int argc, char **argv)
{
	struct sigaction action;
	pthread_t other;
	memset(&action, 0, sizeof action);
	alternate = argc > 1 && strcmp(argv[1], "alternate") == 0;
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO | (alternate ? SA_ONSTACK : 0);
	dl_iterate_phdr(find_library, NULL);
	use_signal_stack(0);
	if (handle_steps(&action) != 0)
		return 1;
	if (argc <= 2)
		CALL_AS("-", "thread_part", thread_part());
	step();
	CALL_AS("-", "main_part", main_part());
	run();
	if (pthread_create(&other, NULL, thread, NULL) != 0)
		return 1;
	pthread_join(other, NULL);
	fprintf(stderr, "%lu steps\n", steps);
	return high != 0 && steps < 10000;
}
