/* SPDX-License-Identifier: MIT */
/*
 * fentry.c - functions whose arguments and results are in every kind of register, built with
 * `-pg -mfentry -minstrument-return=call`: the hooks come when all of them are live.
 *
 * Prints the same whether it is recorded or not; each function is called a hundred times, except
 * compare() and deep().
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

struct pair {
	long a, b;
};
struct mixed {
	long a;
	double b;
};
typedef double wide __attribute__((vector_size(16)));

APART static double many(double a, double b, double c, double d, double e, double f, double g,
			 double h, int i, int j, int k, int l, int m, int n, int o)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + i + 2 * j + 3 * k +
	       4 * l + 5 * m + 6 * n + 7 * o;
}

APART static struct pair two(long a, long b)
{
	return (struct pair){b, a};
}

APART static struct mixed both(double a, long b)
{
	return (struct mixed){b, a};
}

APART static long double x87(long double a)
{
	return a / 3;
}

APART static double complex turned(double complex z)
{
	return z * I;
}

APART static wide doubled(wide v)
{
	return v + v;
}

APART static int variadic(int n, ...)
{
	va_list list;
	double sum = 0;

	va_start(list, n);
	while (n--)
		sum += va_arg(list, double);
	va_end(list);
	return (int)sum;
}

APART static int last(int a, double b)
{
	__asm__ volatile("");
	return a + (int)b;
}

/* Ends by a jump to last(), its arguments in their registers. */
APART static int tail(int a, double b)
{
	__asm__ volatile("");
	return last(a * 2, b * 2);
}

static jmp_buf back;

APART static void deep(int n)
{
	if (n == 0)
		longjmp(back, 1);
	deep(n - 1);
	__asm__ volatile("");
}

APART static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int v[50];

	for (int i = 0; i < 50; i++)
		v[i] = i * 31 % 53;
	qsort(v, 50, sizeof(*v), compare);
	for (int i = 0; i < 100; i++) {
		struct pair p = two(i, 7);
		struct mixed m = both(i + 0.5, i);
		double complex z = turned(i + 2 * I);
		wide w = doubled((wide){i, 1});

		printf("%g %ld %ld %ld %g %Lg %g %g %g %g %d %d\n",
		       many(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, i), p.a, p.b, m.a, m.b,
		       x87(i), creal(z), cimag(z), w[0], w[1], variadic(3, 1.5, 2.5, (double)i),
		       tail(i, 1.5));
		if (!setjmp(back))
			deep(i);
	}
	printf("%d %d\n", v[0], v[49]);
	return 0;
}
