/* SPDX-License-Identifier: MIT */
/*
 * frames.c - what frames cost: a thousand functions, each called once per frame.
 *
 *     frames STEPS FRAMES [turns]      the shortest time of a frame, in microseconds
 *     frames cold MB FRAMES            the median time that the end of a frame takes, in microseconds
 *     frames calls N                   the shortest time of a call of leaf(), in nanoseconds
 *
 * STEPS is how much each function does. With `turns`, zprof_frame() ends each frame. `cold`: before a
 * frame ends, MB megabytes are read, as by a program that does much else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/zprof.h"

#define APART  static __attribute__((noinline, noclone))
#define UNSEEN static __attribute__((no_instrument_function))
#define BLOCK  10 /* this many frames are timed together */

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                              \
	TEN(X, n##0)                                                                               \
	TEN(X, n##1)                                                                               \
	TEN(X, n##2)                                                                               \
	TEN(X, n##3)                                                                               \
	TEN(X, n##4)                                                                               \
	TEN(X, n##5)                                                                               \
	TEN(X, n##6)                                                                               \
	TEN(X, n##7)                                                                               \
	TEN(X, n##8)                                                                               \
	TEN(X, n##9)
#define THOUSAND(X)                                                                                \
	HUNDRED(X, 0)                                                                              \
	HUNDRED(X, 1)                                                                              \
	HUNDRED(X, 2)                                                                              \
	HUNDRED(X, 3)                                                                              \
	HUNDRED(X, 4)                                                                              \
	HUNDRED(X, 5)                                                                              \
	HUNDRED(X, 6)                                                                              \
	HUNDRED(X, 7)                                                                              \
	HUNDRED(X, 8)                                                                              \
	HUNDRED(X, 9)

static volatile unsigned long sink;

#define FUNCTION(n)                                                                                \
	APART void f##n(int steps)                                                                 \
	{                                                                                          \
		for (int i = 0; i < steps; i++)                                                    \
			sink += (unsigned)i;                                                       \
	}
#define NAME(n) f##n,

THOUSAND(FUNCTION)

static void (*const all[])(int) = {THOUSAND(NAME)};

APART void turn(int steps)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		all[i](steps);
}

APART void leaf(void)
{
	sink++;
}

UNSEEN double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

UNSEEN void time_calls(long calls)
{
	double best = 1e18;
	for (long done = 0; done < calls; done += 1000) {
		double before = now_ns();
		for (int i = 0; i < 1000; i++)
			leaf();
		double ns = (now_ns() - before) / 1000;
		best = ns < best ? ns : best;
	}
	printf("%.1f\n", best);
}

UNSEEN void time_frames(int steps, int frames, int turns)
{
	double best = 1e18;
	for (int done = 0; done < frames; done += BLOCK) {
		double before = now_ns();
		for (int i = 0; i < BLOCK; i++) {
			turn(steps);
			if (turns)
				zprof_frame("turn");
		}
		double us = (now_ns() - before) / 1000 / BLOCK;
		best = us < best ? us : best;
	}
	printf("%.1f\n", best);
}

UNSEEN void read_through(const char *memory, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 64)
		sink += (unsigned char)memory[i];
}

UNSEEN int by_size(const void *left, const void *right)
{
	const double *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

UNSEEN void time_cold(size_t megabytes, int frames)
{
	size_t bytes = megabytes << 20;
	char *memory = malloc(bytes + 1);
	double *us = calloc((size_t)frames, sizeof *us);
	memset(memory, 1, bytes + 1);
	for (int i = 0; i < frames; i++) {
		turn(1);
		read_through(memory, bytes);
		double before = now_ns();
		zprof_frame("turn");
		us[i] = (now_ns() - before) / 1000;
	}
	qsort(us, (size_t)frames, sizeof *us, by_size);
	printf("%.1f\n", us[frames / 2]);
	free(us);
	free(memory);
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "calls"))
		time_calls(atol(argv[2]));
	else if (argc > 3 && !strcmp(argv[1], "cold"))
		time_cold(strtoul(argv[2], NULL, 10), atoi(argv[3]));
	else if (argc > 2)
		time_frames(atoi(argv[1]), atoi(argv[2]), argc > 3);
	return 0;
}
