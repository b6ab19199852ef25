/* SPDX-License-Identifier: MIT */
/* below_library.c - a library that is built without hooks (below.c). */
unsigned long library_turn(unsigned long n);

unsigned long library_turn(unsigned long n)
{
	for (int i = 0; i < 100000; i++)
		n = n * 31 + (n >> 7);
	return n;
}
