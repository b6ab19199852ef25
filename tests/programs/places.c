/* SPDX-License-Identifier: MIT */
/*
 * places.c - spends its CPU time in functions of libc, each called by a function of its own, which
 * has called a shorter one before: fill() has called fill_once() when it calls memset(). Built
 * without exits, hooks see the two entries alone. (stub() spends its time in the linkage table.)
 *
 * At last doze() sleeps 20 times.
 *
 * Prints how much CPU time each of these functions took, in ns: FUNCTION NS.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART    __attribute__((noinline, noclone, noipa))
#define LEAST_NS 60000000u

static char room[65536];
static volatile unsigned seen;

static unsigned long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

/* Whether a function that began at `began` goes on. */
#define GOES_ON(began) (cpu_ns() - (began) < LEAST_NS)

APART void fill_once(void)
{
	seen++;
}

APART void take_once(void)
{
	seen++;
}

APART void say_once(void)
{
	seen++;
}

APART void get_once(void)
{
	seen++;
}

APART void count_once(void)
{
	seen++;
}

APART void stub_once(void)
{
	seen++;
}

APART void doze_once(void)
{
	seen++;
}

APART void doze(void)
{
	int i;

	doze_once();
	for (i = 0; i < 20; i++)
		usleep(1000);
}

APART void fill(void)
{
	unsigned long long began = cpu_ns();
	int i;

	fill_once();
	while (GOES_ON(began))
		for (i = 0; i < 20; i++)
			memset(room, i, sizeof(room));
}

APART void take(void)
{
	unsigned long long began = cpu_ns();
	int i;

	take_once();
	while (GOES_ON(began))
		for (i = 0; i < 1000; i++) {
			void *volatile p = malloc(1000 + (size_t)i);

			free(p);
		}
}

APART void say(FILE *to)
{
	unsigned long long began = cpu_ns();
	int i;

	say_once();
	while (GOES_ON(began))
		for (i = 0; i < 500; i++)
			fprintf(to, "%d %s\n", i, "of several");
}

APART void get(int from)
{
	unsigned long long began = cpu_ns();

	get_once();
	while (GOES_ON(began))
		if (read(from, room, sizeof(room)) < 0)
			break;
}

APART void count(void)
{
	unsigned long long began = cpu_ns();
	int i;

	count_once();
	while (GOES_ON(began))
		for (i = 0; i < 10000; i++)
			seen++;
}

/*
 * What the linker writes for a function of another module, with the call frame information that it
 * writes: the CFA by an expression of the pc. But this stub stays in itself for so many turns.
 */
void stub_turns(unsigned turns);
__asm__(".text\n"
	".p2align 4\n"
	"stub_turns:\n"
	"	.cfi_startproc\n"
	"	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x39, 0x2a, 0x33, 0x24, 0x22\n"
	"	endbr64\n"
	"	.byte 0x68, 0, 0, 0, 0\n" /* push $0 */
	"1:	dec %edi\n"
	"	jnz 1b\n"
	"	pop %rax\n"
	"	ret\n"
	"	.cfi_endproc\n");

APART void stub(void)
{
	unsigned long long began = cpu_ns();

	stub_once();
	while (GOES_ON(began))
		stub_turns(1000000);
}

int main(void)
{
	FILE *null = fopen("/dev/null", "w");
	int zero = open("/dev/zero", O_RDONLY);
	unsigned long long times[7];

	if (!null || zero < 0)
		return 1;
	times[0] = cpu_ns();
	fill();
	times[1] = cpu_ns();
	take();
	times[2] = cpu_ns();
	say(null);
	times[3] = cpu_ns();
	get(zero);
	times[4] = cpu_ns();
	count();
	times[5] = cpu_ns();
	stub();
	times[6] = cpu_ns();
	doze();
	printf("fill %llu\ntake %llu\nsay %llu\nget %llu\ncount %llu\nstub %llu\n",
	       times[1] - times[0], times[2] - times[1], times[3] - times[2], times[4] - times[3],
	       times[5] - times[4], times[6] - times[5]);
	return 0;
}
