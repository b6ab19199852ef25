/* SPDX-License-Identifier: MIT */
/* memory.c - see memory.h. */
#include "report/core/base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void exhausted(size_t bytes)
{
	(void)bytes;
	abort();
}

void (*memory_exhausted)(size_t bytes) = exhausted;

static _Noreturn void give_up(size_t bytes)
{
	memory_exhausted(bytes);
	abort();
}

void *memory_zeroed(size_t count, size_t bytes_each)
{
	void *p = calloc(count ? count : 1, bytes_each);
	if (!p)
		give_up(count * bytes_each);
	return p;
}

void *memory_resize(void *old, size_t count, size_t bytes_each)
{
	size_t bytes;
	if (__builtin_mul_overflow(count ? count : 1, bytes_each, &bytes))
		give_up(SIZE_MAX);
	void *p = realloc(old, bytes);
	if (!p)
		give_up(bytes);
	return p;
}

void *memory_room(void *items, size_t used, size_t *room, size_t bytes_each)
{
	if (used < *room)
		return items;
	size_t more = *room ? *room * 2 : 16;
	items = memory_resize(items, more, bytes_each);
	memset((char *)items + *room * bytes_each, 0, (more - *room) * bytes_each);
	*room = more;
	return items;
}

char *memory_text(const char *text, size_t n)
{
	char *copy = memory_resize(NULL, n + 1, 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	return copy;
}

FILE *memory_stream(char **text, size_t *bytes)
{
	*text = NULL;
	FILE *stream = open_memstream(text, bytes);
	if (!stream)
		give_up(BUFSIZ);
	return stream;
}

void memory_stream_end(FILE *stream, char *const *text)
{
	bool lost = fflush(stream) || ferror(stream);
	if (fclose(stream) || lost || !*text)
		give_up(BUFSIZ);
}
