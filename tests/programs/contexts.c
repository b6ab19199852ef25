/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - makes a million contexts: ten functions, each of which calls all ten, six levels
 * deep.
 *
 * 10 + 100 + ... + 1,000,000 = 1,111,110 contexts below main, each entered once. The first argument
 * changes the levels.
 */
#include "tests/programs/truth.h"

#include <stdlib.h>

/* Not inlined: clang would unroll and inline the whole tree. */
APART static void branch(int level);

#define DEFINE(n)                                                                                  \
	APART static void limb_##n(int level)                                                      \
	{                                                                                          \
		branch(level);                                                                     \
	}
#define LIMBS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
LIMBS(DEFINE)

#define NAME(n) limb_##n,
static void (*const volatile limbs[])(int) = {LIMBS(NAME)};

UNSEEN APART static void branch(int level)
{
	for (int i = 0; level > 0 && i < 10; i++)
		limbs[i](level - 1);
}

#define TRUTH(n) "limb_" #n,
UNSEEN static void tell(int levels)
{
	static const char *const names[] = {LIMBS(TRUTH)};
	unsigned long inner = 0, power = 1;
	for (int level = 1; level < levels; level++) {
		inner += power; /* contexts of one limb, without those of the last level */
		power *= 10;
	}
	for (int callee = 0; callee < 10; callee++) {
		truth_add("main", names[callee], levels > 0, levels > 0);
		for (int caller = 0; inner && caller < 10; caller++)
			truth_add(names[caller], names[callee], inner, inner);
	}
}

int main(int argc, char **argv)
{
	int levels = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 6;
	truth_add("-", "main", 1, 1);
	tell(levels);
	branch(levels);
	return 0;
}
