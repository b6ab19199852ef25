/* SPDX-License-Identifier: MIT */
/* See blocks.h. */
#include "symbolize/blocks.h"

#include <string.h>

#include "symbolize/codeprint.h"

#define CALL_BYTES 5

/* Where the call at offset AT goes; 0 if there is none. Four other bytes lead to a stub by chance next
 * to never, so instructions need not be told apart for this. */
static uint64_t call_target(const uint8_t *code, uint64_t start, uint64_t size, uint64_t at)
{
	int32_t distance;

	if (at + CALL_BYTES > size || code[at] != 0xe8)
		return 0;
	memcpy(&distance, code + at + 1, sizeof(distance));
	return start + at + CALL_BYTES + (uint64_t)(int64_t)distance;
}

/* The offset of the next such call from AT on; SIZE if there is none. */
static uint64_t next_call(const uint8_t *code, uint64_t start, uint64_t size, uint64_t at,
			  uint64_t stub)
{
	while (at < size && call_target(code, start, size, at) != stub)
		at++;
	return at;
}

/* Whether the instruction at CODE jumps or returns; if it says where to, *TO is how far from its end. */
static bool leaves(const uint8_t *code, const struct codeprint_instruction *i, int64_t *to)
{
	int8_t near;
	int32_t far;

	*to = INT64_MAX;
	if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3) ||
	    (code[0] == 0xff && (code[1] >> 3 & 7) == 4) || (code[0] == 0x0f && code[1] == 0x0b))
		return true;
	if (!i->jump || code[0] == 0xe8)
		return false;
	if (i->immediate_bytes == 1) {
		memcpy(&near, code + i->immediate_at, sizeof(near));
		*to = near;
	} else if (i->immediate_bytes == 4) {
		memcpy(&far, code + i->immediate_at, sizeof(far));
		*to = far;
	}
	return true;
}

/* Where the code from AT on is left by a jump; 0: it is not before NEXT. */
static uint64_t find_leave(const uint8_t *code, uint64_t at, uint64_t next)
{
	struct codeprint_instruction i;
	int64_t to;

	while (at < next && codeprint_decode(code + at, next - at, &i)) {
		uint64_t after = at + i.length;

		if (leaves(code + at, &i, &to) && (to < 0 || (uint64_t)to >= next - after))
			return after;
		at = after;
	}
	return 0;
}

void blocks_each(const uint8_t *code, uint64_t start, uint64_t size, uint64_t stub,
		 symbolize_block_fn *each, void *context)
{
	uint64_t at = next_call(code, start, size, 0, stub);
	bool first = !find_leave(code, 0, at);

	for (; at < size; first = false) {
		uint64_t begin = at + CALL_BYTES;
		struct symbolize_block block = {.start = start + begin, .first = first};
		uint64_t left;

		at = next_call(code, start, size, begin, stub);
		left = find_leave(code, begin, at);
		block.end = start + (left ? left : at);
		if (!each(context, &block))
			return;
	}
}
