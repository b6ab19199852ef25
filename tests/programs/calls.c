/* SPDX-License-Identifier: MIT */
/*
 * calls.c - makes as many calls as it is told: by its argument; or, without one, by each line of
 * standard input, which it answers with a line.
 */
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline))

static volatile long sum;

APART static void work(void)
{
	sum++;
}

__attribute__((no_instrument_function)) static void calls(long count)
{
	while (count--)
		work();
}

int main(int argc, char **argv)
{
	char line[32];
	if (argc > 1) {
		calls(strtol(argv[1], NULL, 10));
		return 0;
	}
	while (fgets(line, sizeof line, stdin)) {
		calls(strtol(line, NULL, 10));
		puts("");
		fflush(stdout);
	}
	return 0;
}
