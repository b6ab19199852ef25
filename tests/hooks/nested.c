/* SPDX-License-Identifier: MIT */
/*
 * nested.c - functions in functions (a GNU extension), which get the address of the outer one's
 * variables in r10, and functions whose frames are aligned by way of r10: the call frame
 * information does not show what gcc does with that register at a function's first instruction.
 *
 * Built with `-pg -mfentry -minstrument-return=call`. Prints the same whether it is recorded or not.
 */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

typedef double wide __attribute__((vector_size(32)));

static volatile int sink;

APART static int apply(int (*f)(int), int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += f(i);
	return sum;
}

APART static int outer(int k)
{
	int total = k, v[3] = {3, 1, 2};

	APART int inner(int i)
	{
		total += i;
		sink++;
		return total;
	}
	APART int recursive(int i)
	{
		return i ? recursive(i - 1) + inner(i) : total;
	}
	APART int order(const void *a, const void *b)
	{
		total++;
		return *(const int *)a - *(const int *)b;
	}
	qsort(v, 3, sizeof(*v), order);
	return apply(inner, 5) + inner(v[0]) + recursive(4);
}

APART static int aligned(int n)
{
	char *room = alloca((size_t)n + 16);
	volatile wide v __attribute__((aligned(64))) = {n, 1, 2, 3};

	memset(room, n, (size_t)n);
	sink += (int)v[0] + room[1];
	return sink;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += outer(i) + aligned(i + 5);
	printf("%d\n", sum);
	return 0;
}
