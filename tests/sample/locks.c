/* SPDX-License-Identifier: MIT */
/* locks.c - the table of the places where locks were made (preload/sample/locks.h). */
#include "preload/sample/locks.h"

#include <stdbool.h>
#include <stdio.h>

enum { LOCKS = 20000, TOO_MANY = 200000 };

static int number;

static void ok(bool holds, const char *what)
{
	printf("%sok %d - %s\n", holds ? "" : "not ", ++number, what);
}

/* Addresses as programs have them: in arrays, and anywhere. */
static uintptr_t lock_at(int i)
{
	if (i % 2)
		return 0x7f0000000000u + 40u * (uintptr_t)i;
	return ((uintptr_t)i * 0x2545f4914f6cdd1du >> 20 & ~(uintptr_t)7) + 8;
}

static uintptr_t place_of(int i, int time)
{
	return 0x400000u + 4u * (uintptr_t)i + (uintptr_t)time;
}

static int made_at(int first, int end, int time)
{
	int known = 0;

	for (int i = first; i < end; i++)
		known += locks_place(lock_at(i)) == place_of(i, time);
	return known;
}

static bool none_has_another_place(void)
{
	for (int i = 0; i < TOO_MANY; i++) {
		uintptr_t place = locks_place(lock_at(i));

		if (place && place != place_of(i, i < LOCKS))
			return false;
	}
	return true;
}

int main(void)
{
	printf("1..4\n");
	ok(!locks_place(lock_at(0)), "a lock is not known before any is made");
	for (int i = 0; i < LOCKS; i++)
		locks_made(lock_at(i), place_of(i, 0));
	ok(made_at(0, LOCKS, 0) == LOCKS && !locks_place(lock_at(LOCKS)),
	   "each of many locks was made where it was made, and no other is known");
	for (int i = 0; i < LOCKS; i++)
		locks_made(lock_at(i), place_of(i, 1));
	ok(made_at(0, LOCKS, 1) == LOCKS,
	   "a lock that is made again has the place of the last time");
	for (int i = LOCKS; i < TOO_MANY; i++)
		locks_made(lock_at(i), place_of(i, 0));
	ok(none_has_another_place() && made_at(0, LOCKS, 1) == LOCKS,
	   "in a full table no lock has the place of another, and what was known stays");
	return 0;
}
