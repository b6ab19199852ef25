/* SPDX-License-Identifier: MIT */
/* fan.c - one function with 500 callees, the n-th called n times, from first to last and back. */
#include "tests/programs/truth.h"

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                              \
	TEN(X, n##0)                                                                               \
	TEN(X, n##1)                                                                               \
	TEN(X, n##2)                                                                               \
	TEN(X, n##3) TEN(X, n##4) TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define ALL(X) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4) HUNDRED(X, 5)

#define DEFINE(n)                                                                                  \
	static void callee_##n(void)                                                               \
	{                                                                                          \
	}
ALL(DEFINE)

#define ENTRY(n) {callee_##n, {"fan", "callee_" #n, 0, 0, NULL}},
static struct {
	void (*call)(void);
	struct truth_arc arc;
} callees[] = {ALL(ENTRY)};

enum { CALLEES = sizeof callees / sizeof *callees };

static void fan(void)
{
	for (int least = 0; least < CALLEES; least++) {
		for (int j = 0; j < CALLEES; j++) {
			int i = least % 2 ? CALLEES - 1 - j : j;
			if (i < least)
				continue;
			truth_count(&callees[i].arc);
			callees[i].call();
		}
	}
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	CALL(fan);
	return CALLEES != 500;
}
