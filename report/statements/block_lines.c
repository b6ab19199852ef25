/* SPDX-License-Identifier: MIT */
/* block_lines.c - see block_lines.h. */
#include "report/statements/block_lines.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"

#define CALLBACK "__sanitizer_cov_trace_pc"

/* ---- from the code */

struct making {
	const struct zones *zones;
	const struct block_lines_to *to;
	uint32_t module;
	struct symbolize_callee callback;
	uint64_t last_start;            /* of the function before: aliases of it are skipped */
	struct symbolize_block *blocks; /* of the current function */
	size_t block_count, block_room;
	struct symbolize_join *joins;
	size_t join_count, join_room;
	struct block_line *rows;
	size_t row_count, row_room;
	size_t functions;
};

static bool add_block(void *context, const struct symbolize_block *block)
{
	struct making *m = context;
	*memory_next(m->blocks, m->block_count, m->block_room) = *block;
	for (size_t i = 0; i < block->join_count; i++)
		*memory_next(m->joins, m->join_count, m->join_room) = block->joins[i];
	return true;
}

/* Sets each block's pointer to its jumps, which are in the order of the blocks. */
static void find_joins(struct making *m)
{
	size_t at = 0;
	for (size_t i = 0; i < m->block_count; i++) {
		m->blocks[i].joins = m->joins + at;
		at += m->blocks[i].join_count;
	}
}

static void put_row(struct making *m, const struct block_line *row)
{
	*memory_next(m->rows, m->row_count, m->row_room) = *row;
}

/* The block that has the byte at an address. A block begins with the last byte of its call. */
static size_t block_at(const struct making *m, uint64_t address)
{
	size_t low = 0, high = m->block_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->blocks[middle].start - 1 <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

/* Whether [low, high) is the first bytes of the call that begins the block after I. */
static bool is_call(const struct making *m, size_t i, uint64_t low, uint64_t high)
{
	const struct symbolize_block *b = &m->blocks[i];
	return i + 1 < m->block_count && high == b[1].start - 1 && low >= b[1].call;
}

/*
 * Whether [low, high), a piece of a line's code in one block, has a count. It has none
 *
 *   - if it is the first bytes of the call that begins the next block;
 *   - if it is a call to which the compiler gave no line: in the line table, the line before goes
 *     on. The next block's call may follow at once: at -O0 the ways out of a function meet in such
 *     blocks;
 *   - if it lies behind the jump that ends the block: code there is not counted.
 */
static bool says_something(const struct making *m, const struct symbolize_line *row, size_t i,
			   uint64_t low, uint64_t high)
{
	const struct symbolize_block *b = &m->blocks[i];
	if (is_call(m, i, low, high))
		return false;
	if (low > row->start && high == b->start)
		return false;
	if (i + 1 < m->block_count && row->start < b->call && b->start >= b[1].call)
		return false;
	return low < b->end;
}

/* Adds the jumps from other blocks to code before HIGH, because they may lead to the line, too. */
static void put_joins(struct making *m, struct block_line *row, size_t i, uint64_t high)
{
	const struct symbolize_block *b = &m->blocks[i];
	row->jumps = true;
	for (size_t k = 0; k < b->join_count && b->joins[k].to < high; k++) {
		row->block = b->joins[k].from;
		put_row(m, row);
	}
}

static bool add_row(void *context, const struct symbolize_line *row)
{
	struct making *m = context;
	uint64_t end = row->start + row->size, low = row->start;
	if (!row->line || !row->file || end < m->blocks[0].start)
		return true;
	for (size_t i = block_at(m, low); i < m->block_count && low < end; i++) {
		uint64_t high = i + 1 < m->block_count ? m->blocks[i + 1].start - 1 : end;
		struct block_line new = {row->file, row->line, row->column, m->blocks[i].start,
					 false};
		high = high < end ? high : end;
		if (says_something(m, row, i, low, high))
			put_row(m, &new);
		if (!is_call(m, i, low, high))
			put_joins(m, &new, i, high);
		low = high;
	}
	return true;
}

/* Adds the code before a function's first block. It counts for the line where the function
 * begins. */
static void add_entry(struct making *m, const struct fact_name *name)
{
	struct block_line entry = {name->file, name->line, 0, m->blocks[0].start, false};
	if (name->file && name->line && m->blocks[0].first)
		put_row(m, &entry);
}

static bool take_function(void *context, const struct symbolize_function *function)
{
	struct making *m = context;
	struct symbolize_module *symbols = m->zones->modules[m->module].symbols;
	if (!function->size || function->start == m->last_start)
		return true;
	m->last_start = function->start;
	m->block_count = m->row_count = m->join_count = 0;
	symbolize_blocks(symbols, function->start, function->size, CALLBACK, &m->callback,
			 add_block, m);
	if (!m->block_count)
		return true;
	struct block_function f = {m->module, function->start,
				   facts_name(m->zones, m->module, function->start), NULL, 0};
	if (!m->to->wants(m->to->context, &f))
		return true;
	find_joins(m);
	symbolize_lines(symbols, function->start, function->size, add_row, m);
	add_entry(m, &f.name);
	f.list = m->rows;
	f.count = m->row_count;
	m->to->take(m->to->context, &f);
	progress_step("reading statements", ++m->functions, 0);
	return true;
}

/* ---- from an archived profile */

static void add_told(struct making *m, const struct told_statements *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct zprof_statement *from = &s->list[i];
		struct block_line row = {s->file, from->line, from->column,
					 s->start + (from->block & ~ZPROF_STATEMENT_JUMPS),
					 from->block & ZPROF_STATEMENT_JUMPS};
		if (from->line && *s->file)
			put_row(m, &row);
	}
}

/* Takes a function's records, one for each file, which follow one another. False if the profile has
 * none. */
static bool take_told(struct making *m)
{
	const struct told *t = &m->zones->told;
	bool any = false;
	for (size_t i = 0, end; i < t->statements_count; i = end) {
		const struct told_statements *s = &t->statements[i];
		struct block_function f = {.module = m->module, .start = s->start};
		m->row_count = 0;
		for (end = i; end < t->statements_count && t->statements[end].module == s->module &&
			      t->statements[end].start == s->start;
		     end++)
			if (s->module == m->module)
				add_told(m, &t->statements[end]);
		if (s->module != m->module)
			continue;
		any = true;
		f.name = facts_name(m->zones, m->module, s->start);
		f.list = m->rows;
		f.count = m->row_count;
		if (m->to->wants(m->to->context, &f))
			m->to->take(m->to->context, &f);
	}
	return any;
}

void block_lines_each(const struct zones *zones, uint32_t module, const struct block_lines_to *to)
{
	struct making m = {.zones = zones, .to = to, .module = module, .last_start = UINT64_MAX};
	if (!take_told(&m))
		symbolize_functions(zones->modules[module].symbols, false, take_function, &m);
	progress_end();
	free(m.blocks);
	free(m.joins);
	free(m.rows);
}
