/* SPDX-License-Identifier: MIT */
/* See blocks.h. */
#include "symbolize/blocks.h"

#include <string.h>

#include "symbolize/codeprint.h"

/* Where the displacement behind AT leads, which stands in the four bytes before AT. */
static uint64_t target(const uint8_t *code, uint64_t start, uint64_t at)
{
	int32_t distance;

	memcpy(&distance, code + at - sizeof(distance), sizeof(distance));
	return start + at + (uint64_t)(int64_t)distance;
}

/* The length of the call of the function that counts at offset AT; 0 if there is none. Four other bytes
 * lead there by chance next to never, so instructions need not be told apart for this. */
static unsigned call_length(const uint8_t *code, uint64_t start, uint64_t size, uint64_t at,
			    const struct symbolize_callee *callee)
{
	if (callee->stub && at + 5 <= size && code[at] == 0xe8 &&
	    target(code, start, at + 5) == callee->stub)
		return 5;
	if (callee->slot && at + 6 <= size && code[at] == 0xff && code[at + 1] == 0x15 &&
	    target(code, start, at + 6) == callee->slot)
		return 6;
	return 0;
}

/* The offset of the next such call from AT on; SIZE if there is none. */
static uint64_t next_call(const uint8_t *code, uint64_t start, uint64_t size, uint64_t at,
			  const struct symbolize_callee *callee)
{
	while (at < size && !call_length(code, start, size, at, callee))
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

void blocks_each(const uint8_t *code, uint64_t start, uint64_t size,
		 const struct symbolize_callee *callee, symbolize_block_fn *each, void *context)
{
	uint64_t at = next_call(code, start, size, 0, callee);
	bool first = !find_leave(code, 0, at);

	for (; at < size; first = false) {
		uint64_t begin = at + call_length(code, start, size, at, callee);
		struct symbolize_block block = {
		    .call = start + at, .start = start + begin, .first = first};
		uint64_t left;

		at = next_call(code, start, size, begin, callee);
		left = find_leave(code, begin, at);
		block.end = start + (left ? left : at);
		if (!each(context, &block))
			return;
	}
}
