/* SPDX-License-Identifier: MIT */
/* work_callees.h - 200 functions, and a table to call them all by. */
#ifndef WORK_CALLEES_H
#define WORK_CALLEES_H

#include "tests/bench/work.h"

enum { CALLEES = 200 };

/* Each differs from the others, or the compiler would merge them. */
#define ONE(n)                                                                                     \
	static APART void callee_##n(void)                                                         \
	{                                                                                          \
		__asm__ volatile("" ::"i"(n));                                                     \
	}
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                              \
	TEN(X, n##0)                                                                               \
	TEN(X, n##1)                                                                               \
	TEN(X, n##2)                                                                               \
	TEN(X, n##3) TEN(X, n##4) TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)

HUNDRED(ONE, 1)
HUNDRED(ONE, 2)

#define NAMED(n) callee_##n,
static void (*const callees[CALLEES])(void) = {HUNDRED(NAMED, 1) HUNDRED(NAMED, 2)};

#endif
