/* SPDX-License-Identifier: MIT */
/*
 * refused_time.c - `refused_time IN OUT`: so many stretches in a function that is refused, because it
 * jumps to its own entry, and so many in one that is not. A stretch lasts 20 ms of CPU time, by its own
 * clock, and behind it a displaced function is called, whose hook reads the samples. Then the CPU time of all stretches of each sort is printed: `in NS`, `out NS`.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define APART      __attribute__((noinline, noclone, used))
#define STRETCH_NS 20000000u

/* uint64_t NAME(uint64_t turns): counts down to 0. LABEL is where each turn begins. */
#define COUNT_DOWN(name, label)                                                                    \
	__asm__("	.text\n"                                                                         \
		"	.type " #name ", @function\n" #name ":\n"                                  \
		"	.cfi_startproc\n" label "	sub $1, %rdi\n"                                  \
		"	nopl 0x12345678(%rax, %rax)\n"                                                   \
		"	jne " #name "_turn\n"                                                      \
		"	mov %rdi, %rax\n"                                                                \
		"	ret\n"                                                                           \
		"	.cfi_endproc\n"                                                                  \
		"	.size " #name ", . - " #name "\n");                                        \
	uint64_t name(uint64_t turns)

COUNT_DOWN(refused, "refused_turn:\n");
COUNT_DOWN(displaced, "	nopl 0x12345678(%rax, %rax)\ndisplaced_turn:\n");

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How many turns take STRETCH_NS, more or less. */
APART uint64_t measure(void)
{
	uint64_t turns = 1000, ns;

	do {
		uint64_t began = now();

		turns *= 2;
		displaced(turns);
		ns = now() - began;
	} while (ns < STRETCH_NS / 4);
	return turns * STRETCH_NS / ns;
}

APART void look(int stretch)
{
	static volatile int last;

	last = stretch;
}

APART uint64_t stretches(int count, uint64_t turns, uint64_t (*function)(uint64_t))
{
	uint64_t began = now();
	int i;

	for (i = 0; i < count; i++) {
		function(turns);
		look(i);
	}
	return now() - began;
}

int main(int argc, char **argv)
{
	uint64_t turns = measure();

	if (argc < 3)
		return 2;
	printf("in %llu\n", (unsigned long long)stretches(atoi(argv[1]), turns, refused));
	printf("out %llu\n", (unsigned long long)stretches(atoi(argv[2]), turns, displaced));
	return 0;
}
