/* SPDX-License-Identifier: MIT */
/* See blocks.h. */
#include "symbolize/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "symbolize/instruction.h"

/* The address that the displacement in the four bytes before AT leads to, counted from AT. */
static uint64_t target(const uint8_t *code, uint64_t start, uint64_t at)
{
	int32_t distance;

	memcpy(&distance, code + at - sizeof(distance), sizeof(distance));
	return start + at + (uint64_t)(int64_t)distance;
}

/*
 * The length of the call at offset AT, if it calls the function that counts; else 0. AT need not be
 * the beginning of an instruction: other bytes almost never look like such a call by chance.
 */
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

/* The offset of the next call of the function that counts, from AT on; SIZE if there is none. */
static uint64_t next_call(const uint8_t *code, uint64_t start, uint64_t size, uint64_t at,
			  const struct symbolize_callee *callee)
{
	while (at < size && !call_length(code, start, size, at, callee))
		at++;
	return at;
}

/*
 * Whether the instruction at CODE jumps or returns. *TO is the jump's distance from the
 * instruction's end; INT64_MAX if the code does not tell.
 */
static bool leaves(const uint8_t *code, const struct instruction *i, int64_t *to)
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

/* The offset just after the jump that leaves the block at AT; 0: there is none before NEXT. */
static uint64_t find_leave(const uint8_t *code, uint64_t at, uint64_t next)
{
	struct instruction i;
	int64_t to;

	while (at < next && instruction_decode(code + at, next - at, &i)) {
		uint64_t after = at + i.length;

		if (leaves(code + at, &i, &to) && (to < 0 || (uint64_t)to >= next - after))
			return after;
		at = after;
	}
	return 0;
}

/* The blocks of a function, and the jumps from one into another's code. */
struct found {
	struct symbolize_block *list;
	size_t count, room;
	struct symbolize_join *joins;
	size_t join_count, join_room;
};

static bool add_block(struct found *f, const struct symbolize_block *block)
{
	if (f->count == f->room) {
		size_t room = f->room ? 2 * f->room : 64;
		struct symbolize_block *more = realloc(f->list, room * sizeof(*more));

		if (!more)
			return false;
		f->list = more;
		f->room = room;
	}
	f->list[f->count++] = *block;
	return true;
}

/* The block that holds ADDRESS; NULL: ADDRESS is before the first block. */
static struct symbolize_block *block_at(const struct found *f, uint64_t address)
{
	size_t low = 0, high = f->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->list[middle].call <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &f->list[low - 1] : NULL;
}

static bool add_join(struct found *f, const struct symbolize_join *join)
{
	if (f->join_count == f->join_room) {
		size_t room = f->join_room ? 2 * f->join_room : 64;
		struct symbolize_join *more = realloc(f->joins, room * sizeof(*more));

		if (!more)
			return false;
		f->joins = more;
		f->join_room = room;
	}
	f->joins[f->join_count++] = *join;
	return true;
}

static int by_target(const void *left, const void *right)
{
	const struct symbolize_join *a = left, *b = right;

	return (a->to > b->to) - (a->to < b->to);
}

static void find_joins(struct found *f, const uint8_t *code, uint64_t start, uint64_t size)
{
	struct instruction i;
	struct symbolize_block *from, *to;
	int64_t distance;
	bool more = true;

	for (uint64_t at = 0; more && at < size && instruction_decode(code + at, size - at, &i);
	     at += i.length) {
		struct symbolize_join join;

		if (!leaves(code + at, &i, &distance) || distance == INT64_MAX)
			continue;
		join.to = start + at + i.length + (uint64_t)distance;
		from = block_at(f, start + at);
		to = join.to - start < size ? block_at(f, join.to) : NULL;
		if (!from || !to || from == to || join.to < to->start)
			continue;
		join.from = from->start;
		more = add_join(f, &join);
	}
	if (f->join_count)
		qsort(f->joins, f->join_count, sizeof(*f->joins), by_target);
}

/* Gives each block the jumps that lead into it. */
static void share_joins(struct found *f)
{
	size_t next = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct symbolize_block *b = &f->list[i];
		uint64_t end = i + 1 < f->count ? b[1].start : UINT64_MAX;

		b->joins = f->joins + next;
		while (next < f->join_count && f->joins[next].to < end) {
			next++;
			b->join_count++;
		}
	}
}

void blocks_each(const uint8_t *code, uint64_t start, uint64_t size,
		 const struct symbolize_callee *callee, symbolize_block_fn *each, void *context)
{
	struct found f = {0};
	uint64_t at = next_call(code, start, size, 0, callee);
	bool first = !find_leave(code, 0, at);

	for (bool more = true; more && at < size; first = false) {
		uint64_t begin = at + call_length(code, start, size, at, callee);
		struct symbolize_block block = {
		    .call = start + at, .start = start + begin, .first = first};
		uint64_t left;

		at = next_call(code, start, size, begin, callee);
		left = find_leave(code, begin, at);
		block.end = start + (left ? left : at);
		more = add_block(&f, &block);
	}
	find_joins(&f, code, start, size);
	share_joins(&f);
	for (size_t i = 0; i < f.count && each(context, &f.list[i]); i++)
		continue;
	free(f.joins);
	free(f.list);
}
