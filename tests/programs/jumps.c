/* SPDX-License-Identifier: MIT */
/*
 * jumps.c - longjmp, siglongjmp and __builtin_longjmp over 1 to 1,000 frames, and out of a signal
 * handler.
 *
 * What matters is the call made next, from the frame that was jumped to: it may have a larger frame
 * than the ones that were left, a smaller one, the same; it may be made by the very call
 * instruction that called the function that was left; it may be inlined, and so have no frame at
 * all. A profiler that does not see that the frames are gone puts the next call below them.
 */
#include "tests/programs/truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static sigjmp_buf back_from_signal;
#ifndef WITHOUT_BUILTIN_JUMPS
static void *back_builtin[5];
#endif

/* Keeps a buffer in its function's frame. */
UNSEEN APART static void keep(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

APART static void after(void)
{
}

APART static void large(void)
{
	char frame[4000];
	keep(frame);
	CALL(after);
}

APART static void small(void)
{
	CALL(after);
}

__attribute__((always_inline)) static inline void inlined(void)
{
	CALL(after);
}

APART static void descend(int n)
{
	char frame[64];
	keep(frame);
	if (n == 0)
		longjmp(back, 1);
	CALL(descend, n - 1);
	keep(frame);
}

APART static void jump_over(int frames, int next)
{
	char frame[64];
	keep(frame);
	if (setjmp(back) == 0)
		CALL(descend, frames - 1);
	switch (next) {
	case 0:
		CALL(large);
		break;
	case 1:
		CALL(small);
		break;
	case 2:
		CALL(inlined);
		break;
	}
}

static void over_many(void)
{
	static const int frames[] = {1, 2, 3, 10, 100, 1000};
	for (unsigned i = 0; i < sizeof frames / sizeof *frames; i++)
		for (int next = 0; next < 4; next++)
			CALL(jump_over, frames[i], next);
}

/* One call instruction for all: the left call and the next have the same return address. */
APART static void leave(void)
{
	char frame[64];
	keep(frame);
	longjmp(back, 1);
}

APART static void same_size(void)
{
	char frame[64];
	keep(frame);
	CALL(after);
}

static void same_call_site(void)
{
	static void (*const targets[])(void) = {leave, same_size, leave, large,
						leave, leave,     small};
	static const char *const names[] = {"leave", "same_size", "leave", "large",
					    "leave", "leave",     "small"};
	static struct truth_arc arcs[7];
	volatile int i = 0;
	for (;;) {
		setjmp(back);
		if (i == 7)
			break;
		int now = i;
		i = now + 1;
		void (*volatile target)(void) = targets[now];
		arcs[now].caller = "same_call_site";
		arcs[now].callee = names[now];
		truth_count(&arcs[now]);
		target();
	}
}

/* Goes down five, jumps up to the third, and goes on from there: the outer two stay. */
static jmp_buf middle;

APART static void fifth(void)
{
	longjmp(middle, 1);
}

APART static void fourth(void)
{
	CALL(fifth);
	keep(middle);
}

APART static void third(void)
{
	for (volatile int i = 0; i < 3; i = i + 1) {
		if (setjmp(middle) == 0)
			CALL(fourth);
		CALL(small);
	}
}

APART static void second(void)
{
	CALL(third);
	CALL(small);
}

#ifndef WITHOUT_BUILTIN_JUMPS
APART static void builtin_leave(int n)
{
	if (n == 0)
		__builtin_longjmp(back_builtin, 1);
	CALL(builtin_leave, n - 1);
	keep(&n);
}

APART static void builtin(void)
{
	if (__builtin_setjmp(back_builtin) == 0)
		CALL(builtin_leave, 5);
	else
		CALL(after);
}
#endif

APART static void in_handler(void)
{
	siglongjmp(back_from_signal, 1);
}

static void handler(int signal)
{
	(void)signal;
	ENTERED();
	CALL(in_handler);
}

APART static void interrupted(int n)
{
	if (n == 0)
		raise(SIGUSR1);
	else
		CALL(interrupted, n - 1);
	keep(&n);
}

APART static void out_of_handler(void)
{
	for (volatile int i = 0; i < 20; i = i + 1) {
		if (sigsetjmp(back_from_signal, 1) == 0)
			CALL(interrupted, i);
		CALL(small);
	}
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	signal(SIGUSR1, handler);
	CALL(over_many);
	CALL(same_call_site);
	CALL(second);
#ifndef WITHOUT_BUILTIN_JUMPS
	for (int i = 0; i < 10; i++)
		CALL(builtin);
#endif
	CALL(out_of_handler);
	CALL(small);
	return 0;
}
