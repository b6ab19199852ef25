/* SPDX-License-Identifier: MIT */
/* inlined.c - a C program for the page: functions that gcc inlines, and one that qsort() calls. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 60000

static inline unsigned long mix(unsigned long x)
{
	for (int i = 0; i < 40; i++)
		x = x * 6364136223846793005ul + (x >> 7);
	return x;
}

static inline unsigned long twist(unsigned long x)
{
	return mix(x ^ 0x5555) + mix(x >> 3);
}

__attribute__((noinline)) static unsigned long hash(unsigned long x)
{
	return twist(x);
}

static int compare(const void *a, const void *b)
{
	unsigned long x = hash(*(const unsigned long *)a), y = hash(*(const unsigned long *)b);
	return x < y ? -1 : x > y;
}

int main(void)
{
	static unsigned long values[COUNT];
	for (unsigned long i = 0; i < COUNT; i++)
		values[i] = hash(i);
	qsort(values, COUNT, sizeof *values, compare);
	printf("%lu\n", values[7]);
	return 0;
}
