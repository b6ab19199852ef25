/* SPDX-License-Identifier: MIT */
/* chains_library.c - a library that is built without hooks (chains.c): outer > middle > leaf. */
unsigned long outer(unsigned long n);
unsigned long middle(unsigned long n);
unsigned long leaf(unsigned long n);

__attribute__((noinline)) unsigned long leaf(unsigned long n)
{
	for (int i = 0; i < 100000; i++)
		n = n * 31 + (n >> 7);
	return n;
}

__attribute__((noinline)) unsigned long middle(unsigned long n)
{
	return leaf(n) + 1;
}

__attribute__((noinline)) unsigned long outer(unsigned long n)
{
	return middle(n) + 1;
}
