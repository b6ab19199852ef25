/* SPDX-License-Identifier: MIT */
/*
 * mutate.c - how libFuzzer changes a profile: anything, the records of one section, or references.
 *
 * Most bytes of a profile are the empty rest of some section. Random changes in a file of 40 kB hardly ever
 * change parts or names (some 100 bytes) and leave its sections findable. And records of frames are mostly
 * histograms, behind heads that refer to each other by offsets: so a head is chosen as often as its
 * histogram, and now and then gets a word from elsewhere in the file, which may be a valid reference.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "preload/format.h"

#define SECTIONS 64
#define WINDOW   64 /* bytes that are changed together, at most */
#define WORD     4  /* bytes of a reference */

/* Records with a head; the rest of them matters little. */
static const struct record {
	uint32_t type;
	size_t bytes, head;
} records[] = {
    {ZPROF_SECTION_FRAMES, sizeof(struct zprof_frames), offsetof(struct zprof_frames, walls)},
    {ZPROF_SECTION_TALLIES, sizeof(struct zprof_tally), offsetof(struct zprof_tally, calls)},
    {ZPROF_SECTION_TAILS, sizeof(struct zprof_tail), offsetof(struct zprof_tail, buckets)},
    {ZPROF_SECTION_HISTORY, SIZE_MAX, sizeof(struct zprof_history) + sizeof(struct zprof_frame)},
    {ZPROF_SECTION_CHOICES, SIZE_MAX, sizeof(struct zprof_choice)},
    {ZPROF_SECTION_SLOWEST, SIZE_MAX, sizeof(struct zprof_frame)},
};

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed);

struct span {
	size_t first, bytes;
	uint32_t type;
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
		spans[count++] = (struct span){at, used, s.type};
	}
	return count;
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* The head of one of its records, or all of it. */
static struct span choose_part(const struct span *s, uint32_t *state)
{
	size_t first = sizeof(struct zprof_section);
	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		const struct record *r = &records[i];
		if (r->type != s->type || s->bytes < first + r->head || next(state) % 2)
			continue;
		size_t count = r->bytes == SIZE_MAX ? 1 : (s->bytes - first) / r->bytes;
		size_t at = count ? next(state) % count * r->bytes : 0;
		return (struct span){s->first + first + at, r->head, s->type};
	}
	return *s;
}

/* A word of the part becomes one of another section. */
static void refer(uint8_t *bytes, const struct span *part, const struct span *from, uint32_t *state)
{
	size_t to = next(state) % (part->bytes / WORD), at = next(state) % (from->bytes / WORD);
	memmove(bytes + part->first + to * WORD, bytes + from->first + at * WORD, WORD);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned seed)
{
	struct span spans[SECTIONS];
	uint32_t state = seed;
	size_t count = next(&state) % 2 ? find_sections(bytes, n, spans) : 0;
	if (!count)
		return LLVMFuzzerMutate(bytes, n, most);
	const struct span part = choose_part(&spans[next(&state) % count], &state), *s = &part;
	if (next(&state) % 4 == 0) {
		refer(bytes, s, &spans[next(&state) % count], &state);
		return n;
	}
	size_t at = next(&state) % s->bytes, left = s->bytes - at;
	uint8_t window[WINDOW];
	size_t size = left < WINDOW ? left : WINDOW;
	memcpy(window, bytes + s->first + at, size);
	/* The mutation may be shorter than the window: the rest of the window stays as it is. */
	LLVMFuzzerMutate(window, size, size);
	memcpy(bytes + s->first + at, window, size);
	return n;
}
