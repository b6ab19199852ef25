/* SPDX-License-Identifier: MIT */
/*
 * mutate.c - how libFuzzer changes a profile: half of the time anything, else the records of one section.
 *
 * Most bytes of a profile are the empty rest of some section. Changed at random, a file of 40 kB hardly ever
 * has another part or name (of which it has some 100 bytes) while its sections can still be found.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "preload/format.h"

#define SECTIONS 64
#define WINDOW   64 /* bytes that are changed together, at most */

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed);

struct span {
	size_t first, bytes;
};

/* What is used of each section, its header included. */
static size_t find_sections(const uint8_t *bytes, size_t n, struct span *spans)
{
	size_t count = 0;
	struct zprof_section s;
	for (size_t at = ZPROF_GRANULE; at + sizeof s <= n && count < SECTIONS; at += s.bytes) {
		memcpy(&s, bytes + at, sizeof s);
		if (s.bytes < ZPROF_GRANULE || s.bytes > n - at)
			break;
		size_t used = s.used >= sizeof s && s.used <= s.bytes ? s.used : sizeof s;
		spans[count++] = (struct span){at, used};
	}
	return count;
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed)
{
	struct span spans[SECTIONS];
	uint32_t state = seed;
	size_t count = next(&state) % 2 ? find_sections(bytes, n, spans) : 0;
	if (!count)
		return LLVMFuzzerMutate(bytes, n, most);
	const struct span *s = &spans[next(&state) % count];
	size_t at = next(&state) % s->bytes, left = s->bytes - at;
	uint8_t window[WINDOW];
	size_t size = left < WINDOW ? left : WINDOW;
	memcpy(window, bytes + s->first + at, size);
	/* What it returns may be shorter: the rest stays. */
	LLVMFuzzerMutate(window, size, size);
	memcpy(bytes + s->first + at, window, size);
	return n;
}
