/* SPDX-License-Identifier: MIT */
/*
 * tails.c - frames of unusual shape, and no jumps: alloca, variable-length arrays, functions
 * inlined into each other, calls in tail position (gcc makes the exit hook itself a tail call),
 * functions that never return, realigned stacks, many arguments.
 *
 * A profiler that mistakes one of these for a jump repairs what is not broken, so the check allows
 * no repairs.
 */
#include "tests/programs/truth.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;

UNSEEN APART static void keep(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

APART static void leaf(void)
{
	sink = sink + 1;
}

APART static void with_alloca(int n)
{
	char *p = alloca((size_t)n * 100 + 1);
	keep(p);
	CALL(leaf);
	p = alloca((size_t)n * 1000 + 1);
	keep(p);
	CALL(leaf);
	if (n > 0)
		CALL(with_alloca, n - 1);
}

APART static void with_array(int n)
{
	for (int i = 1; i <= n; i++) {
		char array[i * 300];
		memset(array, i, sizeof array);
		keep(array);
		CALL(leaf);
	}
}

__attribute__((always_inline)) static inline void inner_most(void)
{
	CALL(leaf);
}

__attribute__((always_inline)) static inline void inner(void)
{
	CALL(inner_most);
	CALL(inner_most);
}

__attribute__((always_inline)) static inline void outer(int n)
{
	for (int i = 0; i < n; i++)
		CALL(inner);
}

APART static void with_inlined(void)
{
	CALL(outer, 3);
	CALL(leaf);
	CALL(outer, 1);
}

/* Inlined into itself at least once, at -O2. */
static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return CALL(ackermann, m - 1, 1);
	return CALL(ackermann, m - 1, CALL(ackermann, m, n - 1));
}

APART static int tail_b(int n);

APART static int tail_a(int n)
{
	return n == 0 ? 0 : CALL(tail_b, n - 1);
}

APART static int tail_b(int n)
{
	return n == 0 ? 1 : CALL(tail_a, n - 1);
}

APART static void nothing_but_tail(void)
{
	CALL(leaf);
}

APART static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	CALL(leaf);
	return a + b + c + d + e + f + g + h + i + j;
}

APART static int variadic(int n, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += va_arg(list, int);
	va_end(list);
	CALL(leaf);
	return sum;
}

APART static void realigned(void)
{
	char buffer[128] __attribute__((aligned(64)));
	keep(buffer);
	CALL(leaf);
}

struct big {
	long numbers[40];
};

APART static struct big returns_big(struct big b)
{
	b.numbers[0]++;
	CALL(leaf);
	return b;
}

static int compare(const void *a, const void *b)
{
	ENTERED();
	return *(const int *)a - *(const int *)b;
}

APART static void sorts(void)
{
	int list[] = {5, 3, 9, 1, 7, 2, 8};
	qsort(list, sizeof list / sizeof *list, sizeof *list, compare);
	keep(list);
}

__attribute__((noreturn)) APART static void last_words(int status)
{
	CALL(leaf);
	exit(status);
}

__attribute__((noreturn)) APART static void no_return(int status)
{
	CALL(leaf);
	CALL(last_words, status);
	__builtin_unreachable();
}

int main(void)
{
	struct big b = {{1}};
	truth_add("-", "main", 1, 1);
	for (int i = 0; i < 20; i++) {
		CALL(with_alloca, i);
		CALL(with_array, i);
		CALL(with_inlined);
		CALL(outer, 2);
		CALL(tail_a, i);
		CALL(nothing_but_tail);
		CALL(many, 1, 2, 3, 4, 5, 6, 7, 8, 9, i);
		CALL(variadic, 8, 1, 2, 3, 4, 5, 6, 7, 8);
		CALL(realigned);
		b = CALL(returns_big, b);
		CALL(sorts);
	}
	if (CALL(ackermann, 2, 4) != 11)
		return 1;
	CALL(no_return, 0);
	__builtin_unreachable();
}
