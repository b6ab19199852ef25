/* SPDX-License-Identifier: MIT */
/*
 * bounded.c - programs with more contexts than memory can hold.
 *
 *   bounded mutual CALLS      two functions that call each other and themselves at random, 40 deep
 *   bounded random CALLS      two hundred functions that do
 *   bounded diamonds WALKS    a chain of 25 functions, with two ways from each to the next
 *
 * Arcs are counted in a table, by the caller. The sequence is the same each time.
 */
#include "tests/programs/truth.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 200, LEVELS = 25, NAMES = FUNCTIONS + 4 * LEVELS + 1 };

static unsigned long calls[NAMES][NAMES], left;
static uint64_t state = 88172645463325252u;

UNSEEN static unsigned chance(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

/* ---- functions that call each other at random */

static unsigned members;
static void (*const member[FUNCTIONS])(int depth);

UNSEEN static inline __attribute__((always_inline)) void call_some(unsigned self, int depth)
{
	unsigned i, to;

	for (i = 0; i < 2 && depth && left; i++) {
		left--;
		to = chance(members);
		calls[self][to]++;
		member[to](depth - 1);
	}
}

#define ONE(n)                                                                                     \
	APART static void w##n(int depth)                                                          \
	{                                                                                          \
		call_some(n, depth);                                                               \
		__asm__ volatile("" : : "i"(n));                                                   \
	}
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define HUNDRED(X, h)                                                                              \
	TEN(X, h##0)                                                                               \
	TEN(X, h##1)                                                                               \
	TEN(X, h##2)                                                                               \
	TEN(X, h##3)                                                                               \
	TEN(X, h##4) TEN(X, h##5) TEN(X, h##6) TEN(X, h##7) TEN(X, h##8) TEN(X, h##9)
#define FIRST_HUNDRED(X)                                                                           \
	X(0)                                                                                       \
	X(1)                                                                                       \
	X(2)                                                                                       \
	X(3)                                                                                       \
	X(4)                                                                                       \
	X(5)                                                                                       \
	X(6)                                                                                       \
	X(7)                                                                                       \
	X(8)                                                                                       \
	X(9)                                                                                       \
	TEN(X, 1)                                                                                  \
	TEN(X, 2)                                                                                  \
	TEN(X, 3) TEN(X, 4) TEN(X, 5) TEN(X, 6) TEN(X, 7) TEN(X, 8) TEN(X, 9)
FIRST_HUNDRED(ONE)
HUNDRED(ONE, 1)

#define POINTER(n) w##n,
static void (*const member[FUNCTIONS])(int depth) = {FIRST_HUNDRED(POINTER) HUNDRED(POINTER, 1)};

/* ---- diamonds: link n calls left n or right n, which call link n + 1 */

enum { LINK = FUNCTIONS, LEFT = LINK + LEVELS + 1, RIGHT = LEFT + LEVELS };

static void (*const link_of[LEVELS + 1])(void);

#define DIAMOND(n)                                                                                 \
	APART static void left##n(void)                                                            \
	{                                                                                          \
		calls[LEFT + n][LINK + n + 1]++;                                                   \
		link_of[n + 1]();                                                                  \
		__asm__ volatile("" : : "i"(n));                                                   \
	}                                                                                          \
	APART static void right##n(void)                                                           \
	{                                                                                          \
		calls[RIGHT + n][LINK + n + 1]++;                                                  \
		link_of[n + 1]();                                                                  \
		__asm__ volatile("" : : "i"(n + 100));                                             \
	}                                                                                          \
	APART static void link##n(void)                                                            \
	{                                                                                          \
		unsigned way = chance(2) ? LEFT + n : RIGHT + n;                                   \
                                                                                                   \
		calls[LINK + n][way]++;                                                            \
		if (way == LEFT + n)                                                               \
			left##n();                                                                 \
		else                                                                               \
			right##n();                                                                \
		__asm__ volatile("");                                                              \
	}
#define ALL_LEVELS(X)                                                                              \
	X(0)                                                                                       \
	X(1)                                                                                       \
	X(2)                                                                                       \
	X(3)                                                                                       \
	X(4)                                                                                       \
	X(5)                                                                                       \
	X(6)                                                                                       \
	X(7) X(8) X(9) TEN(X, 1) X(20) X(21) X(22) X(23) X(24)
ALL_LEVELS(DIAMOND)

APART static void link25(void)
{
	__asm__ volatile("");
}

#define LINK_POINTER(n) link##n,
static void (*const link_of[LEVELS + 1])(void) = {ALL_LEVELS(LINK_POINTER) link25};

/* ---- truth */

UNSEEN static const char *name_of(int i)
{
	char name[32];

	if (i < FUNCTIONS)
		snprintf(name, sizeof name, "w%d", i);
	else if (i < LEFT)
		snprintf(name, sizeof name, "link%d", i - LINK);
	else if (i < RIGHT)
		snprintf(name, sizeof name, "left%d", i - LEFT);
	else
		snprintf(name, sizeof name, "right%d", i - RIGHT);
	return strdup(name);
}

UNSEEN int main(int argc, char **argv)
{
	static const char *names[NAMES];
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, i;
	int caller, callee;

	if (argc < 3)
		return 2;
	members = strcmp(argv[1], "mutual") == 0 ? 2 : FUNCTIONS;
	for (i = 0; i < n && strcmp(argv[1], "diamonds") == 0; i++)
		link_of[0]();
	if (i) {
		truth_add("-", "link0", n, n);
	} else {
		for (left = n, i = 0; left; i++)
			member[0](40);
		truth_add("-", "w0", i, i);
	}
	for (i = 0; i < NAMES; i++)
		names[i] = name_of((int)i);
	for (caller = 0; caller < NAMES; caller++)
		for (callee = 0; callee < NAMES; callee++)
			if (calls[caller][callee])
				truth_add(names[caller], names[callee], calls[caller][callee],
					  calls[caller][callee]);
	return 0;
}
