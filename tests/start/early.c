/* SPDX-License-Identifier: MIT */
/*
 * early.c - a program that is called before it has begun: by the dynamic linker, which resolves its
 * IFUNCs, and from .preinit_array, which runs before libc's constructors; its malloc is called
 * early, too.
 *
 * Calls made while the dynamic linker relocates cannot be recorded, and must be counted as lost. So
 * it prints how often the functions that may be called then were called; the script adds up.
 */
#include "tests/start/early.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned long early_calls;

/* ---- memory: instrumented, used before libc is ready, and never freed */

static char room[8 << 20] __attribute__((aligned(16)));
static size_t used;

APART void *carve(size_t bytes)
{
	size_t *at = (size_t *)(room + used + 8);

	early_calls++;
	used += (bytes + 31) & ~(size_t)15;
	*at = bytes;
	return at + 1;
}

APART void *malloc(size_t bytes)
{
	early_calls++;
	return carve(bytes);
}

APART void *calloc(size_t n, size_t bytes)
{
	early_calls++;
	return carve(n * bytes);
}

UNSEEN void *realloc(void *old, size_t bytes)
{
	void *new = carve(bytes);
	size_t had = old ? ((size_t *)old)[-1] : 0;

	if (old)
		memcpy(new, old, had < bytes ? had : bytes);
	return new;
}

UNSEEN void free(void *memory)
{
	(void)memory;
}

/* ---- IFUNCs of the program's own, of its library's, and one that the library itself points at */

static APART int one(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static APART int is_new(void)
{
	early_calls++;
	return 1;
}

static int (*resolve_own(void))(int)
{
	early_calls++;
	return is_new() ? one : NULL;
}

int own(int x) __attribute__((ifunc("resolve_own")));

/* ---- before constructors */

static APART void first(void)
{
	__asm__ volatile("");
}

UNSEEN static void before_constructors(void)
{
	CALL_AS("-", "first", first());
	malloc(1);
}

static void (*const preinit)(void)
    __attribute__((section(".preinit_array"), used)) = before_constructors;

static APART void work(void)
{
	int i, sum = 0;

	for (i = 0; i < 10; i++) {
		sum += CALL_AS("work", "one", own(i));
		sum += CALL_AS("work", "two", theirs(i));
		sum += CALL_AS("work", "two", theirs_by_pointer(i));
	}
	if (sum != 45 * 3 + 10 + 20 + 20)
		abort();
}

UNSEEN static void print(unsigned long number)
{
	char text[24];

	if (write(1, text, (size_t)snprintf(text, sizeof(text), "%lu\n", number)) < 0)
		abort();
}

int main(void)
{
	static const char *const uncertain[] = {"carve",       "calloc",       "is_new",
						"resolve_own", "is_new_there", "resolve_theirs"};
	size_t i;

	TRUTH_COUNT("-", "main");
	CALL(work);
	for (i = 0; i < sizeof(uncertain) / sizeof(uncertain[0]); i++)
		truth_may(NULL, uncertain[i]);
	truth_add(NULL, "malloc", 1, early_calls);
	truth_print();
	print(early_calls + early_calls_there());
	return 0;
}
