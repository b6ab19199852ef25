/* SPDX-License-Identifier: MIT */
/*
 * below.c - a program whose zones spend their time in a library without hooks (below_library.c), in
 * a function without hooks of its own, and in itself. report-below.sh divides them.
 */
#include <time.h>

unsigned long library_turn(unsigned long n);

#define NO_HOOKS __attribute__((no_instrument_function))
#define CPU_NS   300000000

NO_HOOKS static long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

NO_HOOKS __attribute__((noinline)) static unsigned long helper(unsigned long n)
{
	for (int i = 0; i < 100000; i++)
		n = n * 31 + (n >> 7);
	return n;
}

__attribute__((noinline)) static unsigned long in_library(void)
{
	unsigned long n = 1;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end;)
		n = library_turn(n);
	return n;
}

__attribute__((noinline)) static unsigned long in_helper(void)
{
	unsigned long n = 1;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end;)
		n = helper(n);
	return n;
}

__attribute__((noinline)) static unsigned long in_itself(void)
{
	unsigned long n = 1;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end;)
		for (int i = 0; i < 100000; i++)
			n = n * 31 + (n >> 7);
	return n;
}

int main(void)
{
	return (in_library() + in_helper() + in_itself()) % 2 == 2;
}
