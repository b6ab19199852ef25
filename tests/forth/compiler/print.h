/* SPDX-License-Identifier: MIT */
/* print: what vm-6502/compiler has, for gcc. */
#include <stdio.h>

static inline void print_text(const char *text)
{
	fputs(text, stdout);
}

static inline void print_number(int n)
{
	printf("%d", n);
}

#define print(x) _Generic((x), char *: print_text, default: print_number)(x)
