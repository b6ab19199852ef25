/* SPDX-License-Identifier: MIT */
/*
 * chains.c - a program whose zones spend their time three functions deep in a library without hooks
 * (chains_library.c), and in a comparison without hooks that the C library calls. report-chains.sh
 * looks at the chains.
 */
#include <stdlib.h>
#include <time.h>

unsigned long outer(unsigned long n);

#define NO_HOOKS __attribute__((no_instrument_function))
#define CPU_NS   100000000
#define ITEMS    16

NO_HOOKS static long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Not static: a library's caller has a name for it without debug information, too. */
NO_HOOKS int compare(const void *left, const void *right);
NO_HOOKS int compare(const void *left, const void *right)
{
	unsigned long a = *(const unsigned long *)left, b = *(const unsigned long *)right, n = a;

	for (int i = 0; i < 2000; i++)
		n = n * 31 + (n >> 7);
	return (a > b) - (a < b) + (n == 2) * 2;
}

__attribute__((noinline)) static unsigned long in_library(void)
{
	unsigned long n = 1;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end;)
		n = outer(n);
	return n;
}

__attribute__((noinline)) static unsigned long sorts(void)
{
	unsigned long items[ITEMS], n = 1;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end;) {
		for (int i = 0; i < ITEMS; i++)
			items[i] = n = n * 6364136223846793005ul + 1442695040888963407ul;
		qsort(items, ITEMS, sizeof *items, compare);
	}
	return items[0];
}

int main(void)
{
	return (in_library() + sorts()) % 2 == 2;
}
