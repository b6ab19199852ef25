/* SPDX-License-Identifier: MIT */
/* native.c - C functions with hooks that a Python program calls, and that call it. */
int apply(int (*f)(int), int n);
int twice(int n);

int twice(int n)
{
	return 2 * n;
}

int apply(int (*f)(int), int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += f(twice(i));
	return sum;
}
