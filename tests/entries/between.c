/* SPDX-License-Identifier: MIT */
/* between.c - see between.h. */
#include "between.h"

#include <alloca.h>
#include <string.h>

int between(int how, int n)
{
	char *room;
	int sum = 0;

	switch (how) {
	case 0:
		return below(n) + 1;
	case 1:
		return below_many(n, 2, 3, 4, 5, 6, 7, 8) + 1;
	}
	for (int i = 0; i < n; i++) {
		room = alloca((size_t)i * 16 + 16);
		memset(room, i, (size_t)i * 16 + 16);
		sum += below(room[i]);
	}
	return sum;
}
