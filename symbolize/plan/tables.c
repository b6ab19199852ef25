/* SPDX-License-Identifier: MIT */
/*
 * tables.c - jump tables. A compiler keeps them in data, as 32-bit distances from their begin, or, in
 * a program built without PIE, as addresses:
 *
 *     lea table(%rip),%rdx           jmp *table(,%rax,8)
 *     movslq (%rdx,%rax,4),%rax
 *     add %rdx,%rax
 *     jmp *%rax
 *
 * Nothing tells where a table ends. So it is read until the next place where one may begin, for 64
 * KB at most, or until an entry is no instruction's begin. What is read too much makes targets that
 * are none. Since each table ends where the next begins, all of them together take no longer than
 * reading the data twice.
 */
#include "symbolize/plan/planner.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_TABLE_BYTES 65536u

/* Where a table is, and how its entries are read. */
struct table {
	const struct module_range *data;
	uint32_t at, end;
	uint32_t code; /* the first code that may use the table */
	unsigned entry_bytes;
};

/* Whether a code ends at TO: a case that never occurs has no instructions, and may be the last. */
static bool is_end(const struct planner *p, uint32_t to)
{
	uint32_t code = planner_code_at(p, to - 1);
	return code != PLANNER_NONE &&
	       to - p->frames.fdes[code].start == p->frames.fdes[code].bytes;
}

/*
 * The offset that entry number N leads to; false: the table has ended. An entry leads to where an
 * instruction begins, or a code ends, or, if data stands between instructions, anywhere into the
 * jump's own code.
 */
static bool entry(const struct planner *p, const struct table *t, uint32_t n, uint32_t *to)
{
	const struct frames_fde *own = &p->frames.fdes[t->code];
	uint64_t at = t->at + (uint64_t)n * t->entry_bytes;
	const uint8_t *bytes = t->data->bytes + (at - t->data->start);
	if (at + t->entry_bytes > t->end)
		return false;
	if (t->entry_bytes == 4) {
		int32_t distance;
		memcpy(&distance, bytes, sizeof(distance));
		*to = t->at + (uint32_t)distance;
	} else {
		uint64_t address;
		memcpy(&address, bytes, sizeof(address));
		if (!module_offset(&p->module, address, to))
			return false;
	}
	return planner_in_text(p, *to) && (planner_bit(p, p->boundaries, *to) ||
					   *to - own->start < own->bytes || is_end(p, *to));
}

/* Code FROM may jump to the offset TO, by way of a table. */
static void lead(struct planner *p, uint32_t from, uint32_t to)
{
	uint32_t start = p->frames.fdes[from].start;
	struct planner_code *c = &p->codes[from];
	if (to - start < p->frames.fdes[from].bytes) {
		c->own_table = true;
		c->own_jump |= to == start;
		return;
	}
	/* Searching takes time, and most entries tell nothing new. */
	if (c->to_table != PLANNER_NONE && !planner_bit(p, p->starts, to))
		return;
	uint32_t code = planner_code_at(p, to);
	if (code == PLANNER_NONE)
		return;
	if (c->to_table == PLANNER_NONE)
		c->to_table = code;
	if (to != p->frames.fdes[code].start)
		return;
	p->codes[code].jumped = true;
	if (from < p->codes[code].from_table)
		p->codes[code].from_table = from;
}

/* Reads the table of the bases [FIRST, LAST), which are at one place. */
static void read_table(struct planner *p, const struct table *t, size_t first, size_t last)
{
	uint32_t count = 0, to;
	while (entry(p, t, count, &to))
		count++;
	if (count < 2)
		return;
	for (uint32_t n = 0; n < count; n++) {
		entry(p, t, n, &to);
		planner_set(p, p->targets, to);
		planner_stray(p, to);
		for (size_t k = first; k < last; k++)
			lead(p, p->bases[k].code, to);
	}
}

static int by_place(const void *one, const void *other)
{
	const struct planner_base *a = one, *b = other;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->code > b->code) - (a->code < b->code);
}

/* Sorts the bases, and leaves each once. */
static void sort(struct planner *p)
{
	size_t kept = 0;
	if (p->base_count)
		qsort(p->bases, p->base_count, sizeof(p->bases[0]), by_place);
	for (size_t k = 0; k < p->base_count; k++)
		if (!kept || by_place(&p->bases[k], &p->bases[kept - 1]) != 0)
			p->bases[kept++] = p->bases[k];
	p->base_count = kept;
}

void planner_find_tables(struct planner *p)
{
	sort(p);
	for (size_t first = 0, last; first < p->base_count; first = last) {
		struct table t = {.at = p->bases[first].at, .code = p->bases[first].code};
		for (last = first + 1; last < p->base_count && p->bases[last].at == t.at;)
			last++;
		t.data = module_data_at(&p->module, t.at);
		if (!t.data)
			continue;
		t.end = t.data->end;
		if (last < p->base_count && p->bases[last].at < t.end)
			t.end = p->bases[last].at;
		if (t.end - t.at > LONGEST_TABLE_BYTES)
			t.end = t.at + LONGEST_TABLE_BYTES;
		t.entry_bytes = 4;
		read_table(p, &t, first, last);
		t.entry_bytes = 8;
		if (p->module.fixed)
			read_table(p, &t, first, last);
	}
}
