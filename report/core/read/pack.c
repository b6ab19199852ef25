/* SPDX-License-Identifier: MIT */
/* pack.c - see pack.h. */
#include "report/core/read/pack.h"

#include <stdlib.h>
#include <zlib.h>

#include "report/core/base/memory.h"

/* zlib cannot make more than this many bytes of one: a larger size is made up. */
#define MOST_OF_ONE 1100

void *pack(const void *bytes, size_t n, size_t *packed)
{
	uLongf room = compressBound(n);
	void *to = memory_zeroed(room, 1);
	if (compress2(to, &room, bytes, n, Z_BEST_SPEED) != Z_OK)
		memory_exhausted(room);
	*packed = room;
	return to;
}

char *pack_open(const void *bytes, size_t packed, size_t n)
{
	uLongf got = n;
	if (n / MOST_OF_ONE > packed)
		return NULL;
	char *to = memory_zeroed(n + 1, 1);
	if (uncompress((Bytef *)to, &got, bytes, packed) == Z_OK && got == n)
		return to;
	free(to);
	return NULL;
}
