/* SPDX-License-Identifier: MIT */
/* See intern.h. */
#define _GNU_SOURCE
#include "symbolize/intern.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct intern_block {
	struct intern_block *next;
	size_t used, bytes;
	char text[];
};

enum { BLOCK_BYTES = 16 * 1024 - sizeof(struct intern_block), FIRST_SLOTS = 256 };

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *text, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return h;
}

/* The slot that holds TEXT, or the free one where it belongs. */
static const char **find_slot(const struct intern *in, const char *text, size_t bytes)
{
	size_t i = hash(text, bytes) & (in->slot_count - 1);

	while (in->slots[i] &&
	       (strncmp(in->slots[i], text, bytes) != 0 || in->slots[i][bytes] != '\0'))
		i = (i + 1) & (in->slot_count - 1);
	return &in->slots[i];
}

static int grow(struct intern *in)
{
	struct intern bigger = *in;

	bigger.slot_count = in->slot_count ? in->slot_count * 2 : FIRST_SLOTS;
	bigger.slots = calloc(bigger.slot_count, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -1;
	for (size_t i = 0; i < in->slot_count; i++)
		if (in->slots[i])
			*find_slot(&bigger, in->slots[i], strlen(in->slots[i])) = in->slots[i];
	free(in->slots);
	*in = bigger;
	return 0;
}

static char *reserve(struct intern *in, size_t bytes)
{
	struct intern_block *b = in->blocks;

	if (!b || b->bytes - b->used < bytes) {
		size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

		b = malloc(sizeof(*b) + size);
		if (!b)
			return NULL;
		b->next = in->blocks;
		b->used = 0;
		b->bytes = size;
		in->blocks = b;
	}
	b->used += bytes;
	return b->text + b->used - bytes;
}

/* TEXT must not hold a NUL in its first BYTES bytes. */
const char *intern_text(struct intern *in, const char *text, size_t bytes)
{
	const char **slot;
	char *copy;

	if (in->used >= in->slot_count / 4 * 3 && grow(in) != 0)
		return NULL;
	slot = find_slot(in, text, bytes);
	if (*slot)
		return *slot;
	copy = reserve(in, bytes + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	in->used++;
	*slot = copy;
	return copy;
}

const char *intern_format(struct intern *in, const char *format, ...)
{
	va_list ap;
	char *text;
	const char *kept;
	int bytes;

	va_start(ap, format);
	bytes = vasprintf(&text, format, ap);
	va_end(ap);
	if (bytes < 0)
		return NULL;
	kept = intern_text(in, text, bytes);
	free(text);
	return kept;
}

void intern_fini(struct intern *in)
{
	struct intern_block *next;

	for (struct intern_block *b = in->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(in->slots);
	*in = (struct intern){0};
}
