/* SPDX-License-Identifier: MIT */
/* early_library.c - early.c's library, with an IFUNC that others call and that it points at. */
#include "tests/start/early.h"

static unsigned long calls;

UNSEEN unsigned long early_calls_there(void)
{
	return calls;
}

static APART int two(int x)
{
	__asm__ volatile("");
	return x + 2;
}

static APART int is_new_there(void)
{
	calls++;
	return 1;
}

static int (*resolve_theirs(void))(int)
{
	calls++;
	return is_new_there() ? two : NULL;
}

int theirs(int x) __attribute__((ifunc("resolve_theirs")));

/*
 * The pointer to an IFUNC is resolved while the library is relocated. A resolver cannot call
 * through the PLT then, and gcc 12 has no other way to call __return__.
 */
#ifdef WITH_RETURN
int (*const theirs_by_pointer)(int x) = two;
#else
int (*const theirs_by_pointer)(int x) = theirs;
#endif
