/* SPDX-License-Identifier: MIT */
/* above.c - see between.h. */
#include "between.h"

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static int compare(const void *a, const void *b)
{
	return below(*(const int *)a) - below(*(const int *)b);
}

APART int above(int n)
{
	int numbers[] = {3, 1, 2, n}, sum = below(n);
	char *room = alloca((size_t)n * 16 + 16);

	memset(room, n, (size_t)n * 16 + 16);
	sum += between(0, n) + below(room[n]) + between(1, n);
	sum += below_many(1, 2, 3, 4, 5, 6, 7, n) + between(2, n);
	qsort(numbers, 4, sizeof(*numbers), compare);
	return sum + numbers[0];
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += above(i % 10);
	printf("%d\n", sum);
	return 0;
}
