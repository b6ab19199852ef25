/* SPDX-License-Identifier: MIT */
/*
 * verified.c - takes a known share of its time in each function, for `zprof record --verify`.
 *
 *   verified ROUNDS NOTES [fails]
 *
 * Three of four steps are heavy()'s, one is light()'s; busy() takes almost no time in very many
 * calls. Appends a line to NOTES: whether its hooks are on, and what it read from standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define QUIET __attribute__((no_instrument_function))

static volatile unsigned sink;

/* Each step waits for the one before, so the cycles do not depend on where the loop lies. */
static inline __attribute__((always_inline)) QUIET void steps(int n)
{
	unsigned x = 1;

	while (n-- > 0) {
		x = x * 1664525u + 1013904223u;
		__asm__ volatile("" : "+r"(x));
	}
	sink += x;
}

APART static void heavy(void)
{
	steps(30000);
}

APART static void light(void)
{
	steps(10000);
}

APART static int busy(int n)
{
	__asm__ volatile("");
	return n + 1;
}

/* A call of a hook, on or off, among a function's first instructions. */
QUIET static const char *hooks(const unsigned char *code)
{
	int i;

	for (i = 0; i < 96; i++) {
		if (code[i] == 0xe8 || (code[i] == 0xff && code[i + 1] == 0x15))
			return "on";
		if (code[i] == 0xa9 || (code[i] == 0x85 && code[i + 1] == 0x15))
			return "off";
	}
	return "nowhere";
}

QUIET int main(int argc, char **argv)
{
	FILE *notes = fopen(argv[2], "a");
	int i, n, rounds = atoi(argv[1]);
	char text[64] = "nothing";

	if (!notes)
		return 2;
	if (read(0, text, sizeof(text) - 1) < 0)
		return 3;
	heavy();
	fprintf(notes, "hooks are %s, input is %s\n", hooks((const unsigned char *)(void *)heavy),
		text);
	fclose(notes);
	for (i = 0; i < rounds; i++) {
		heavy();
		light();
		for (n = 0; n < 100; n++)
			sink += (unsigned)busy(n);
	}
	puts("done");
	return argc > 3;
}
