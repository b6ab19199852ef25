/* SPDX-License-Identifier: MIT */
/* Looked at, not run: C with static functions, inlined calls three deep, and clones that gcc makes.
 */
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) int sample_innermost(int a, int b)
{
	int r = a * b;

	if (r > 1000)
		puts("large");
	return r ^ a;
}

static inline __attribute__((always_inline)) int sample_inner(int a, int b)
{
	return sample_innermost(a + 1, b) + sample_innermost(a, b + 1);
}

static int __attribute__((noinline)) sample_static(int a, int b)
{
	for (int i = 0; i < b; i++)
		a += sample_inner(a, i);
	return a;
}

/* Called with one constant only: a clone of it is what remains. */
static int __attribute__((noinline)) sample_cloned(int a, int b, int unused)
{
	(void)unused;
	return b == 7 ? printf("%d\n", a) : rand();
}

/* With a part that never runs: gcc puts it elsewhere. */
int sample_split(const char *s)
{
	if (__builtin_expect(!s, 0)) {
		fputs("nothing\n", stderr);
		abort();
	}
	return sample_inner(s[0], s[1]);
}

int main(int argc, char **argv)
{
	int r = sample_static(argc, 3) + sample_cloned(argc, 7, argc) + sample_cloned(3, 7, 0);

	return sample_split(argv[0]) + r;
}
