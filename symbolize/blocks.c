/* SPDX-License-Identifier: MIT */
/* See blocks.h. */
#include "symbolize/blocks.h"

#include <stdlib.h>

#include "symbolize/flow.h"

/* A function's code, which begins at address `start`. */
struct function {
	const uint8_t *code;
	unsigned machine;
	uint64_t start, size;
	const struct symbolize_callee *callee;
};

/* The length of the call at offset AT, if it calls the function that counts; else 0. */
static unsigned call_length(const struct function *f, uint64_t at)
{
	uint64_t to, by;
	unsigned length =
	    flow_call(f->machine, f->code + at, f->size - at, f->start + at, &to, &by);

	return (to && to == f->callee->stub) || (by && by == f->callee->slot) ? length : 0;
}

/* The offset of the next call of the function that counts, from AT on; SIZE if there is none. */
static uint64_t next_call(const struct function *f, uint64_t at)
{
	while (at < f->size && !call_length(f, at))
		at += flow_step(f->machine);
	return at;
}

static bool decode(const struct function *f, uint64_t at, uint64_t end, struct flow *flow)
{
	return at < end && flow_decode(f->machine, f->code + at, end - at, flow);
}

/* The offset just after the jump that leaves the block at AT; 0: there is none before NEXT. */
static uint64_t find_leave(const struct function *f, uint64_t at, uint64_t next)
{
	struct flow flow;

	for (; decode(f, at, next, &flow); at += flow.length) {
		uint64_t after = at + flow.length;

		if (flow.leaves && (flow.to < 0 || (uint64_t)flow.to >= next - after))
			return after;
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

static void find_joins(struct found *f, const struct function *function)
{
	struct symbolize_block *from, *to;
	struct flow flow;
	bool more = true;

	for (uint64_t at = 0; more && decode(function, at, function->size, &flow);
	     at += flow.length) {
		struct symbolize_join join;

		if (!flow.leaves || flow.to == FLOW_UNKNOWN)
			continue;
		join.to = function->start + at + flow.length + (uint64_t)flow.to;
		from = block_at(f, function->start + at);
		to = join.to - function->start < function->size ? block_at(f, join.to) : NULL;
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

void blocks_each(const struct image_code *code, uint64_t start, uint64_t size,
		 const struct symbolize_callee *callee, symbolize_block_fn *each, void *context)
{
	const struct function function = {code->bytes, code->machine, start, size, callee};
	struct found f = {0};
	uint64_t at = next_call(&function, 0);
	bool first = !find_leave(&function, 0, at);

	for (bool more = true; more && at < size; first = false) {
		uint64_t begin = at + call_length(&function, at);
		struct symbolize_block block = {
		    .call = start + at, .start = start + begin, .first = first};
		uint64_t left;

		at = next_call(&function, begin);
		left = find_leave(&function, begin, at);
		block.end = start + (left ? left : at);
		more = add_block(&f, &block);
	}
	find_joins(&f, &function);
	share_joins(&f);
	for (size_t i = 0; i < f.count && each(context, &f.list[i]); i++)
		continue;
	free(f.joins);
	free(f.list);
}
