/* SPDX-License-Identifier: MIT */
/* statements.c - see statements.h. */
#include "report/model/statements.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/base/progress.h"

#define CALLBACK   "__sanitizer_cov_trace_pc"
#define CALL_BYTES 5

/* ---- one function */

struct block {
	uint64_t start; /* where its call returns to */
	uint64_t end;
	uint64_t count;
	bool first; /* the function begins with it */
};

struct making {
	struct statements *s;
	const struct block_counts *counts;
	struct places *places;
	const struct patterns *func, *file, *module_names;
	const struct zone_module *module;
	uint32_t number;     /* of the module */
	uint64_t callback;   /* address of the stub that leads to it */
	uint64_t last_start; /* of the function before: aliases are one */
	uint64_t start, end; /* of the function at hand */
	struct block *blocks;
	size_t block_count, block_room;
	struct statement *rows; /* of the function: each line, and each column */
	size_t row_count, row_room;
	const char *last_path; /* of the row before: names are unique pointers */
	uint32_t last_file;
};

static bool add_block(void *context, const struct symbolize_block *block)
{
	struct making *m = context;
	m->blocks = memory_room(m->blocks, m->block_count, &m->block_room, sizeof *m->blocks);
	m->blocks[m->block_count++] =
	    (struct block){block->start, block->end,
			   block_counts_find(m->counts, m->number, block->start), block->first};
	return true;
}

static void put_row(struct making *m, uint32_t line, uint32_t column, uint64_t count)
{
	m->rows = memory_room(m->rows, m->row_count, &m->row_room, sizeof *m->rows);
	m->rows[m->row_count++] = (struct statement){m->last_file, line, column, count};
}

/* The index of the block that has the byte at an address: from the last byte of its call on. */
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

/*
 * A piece of a line's code in one block, [low, high). It says nothing
 *
 *   - if it is the first bytes of the call that begins the next block;
 *   - if it is a call that the compiler gave no line, so that the line before goes on;
 *   - if it lies behind the jump that ends the block: nobody counts it.
 */
static bool says_something(const struct making *m, const struct symbolize_line *row, size_t i,
			   uint64_t low, uint64_t high)
{
	const struct block *b = &m->blocks[i];
	bool goes_on = i + 1 < m->block_count && high == b[1].start - 1;
	if (goes_on && high - low < CALL_BYTES)
		return false;
	if (low > row->start && high == b->start)
		return false;
	return low < b->end;
}

static bool add_row(void *context, const struct symbolize_line *row)
{
	struct making *m = context;
	uint64_t end = row->start + row->size, low = row->start;
	if (!row->line || !row->file || end < m->blocks[0].start)
		return true;
	if (row->file != m->last_path) {
		m->last_path = row->file;
		m->last_file = places_file(m->places, row->file);
	}
	for (size_t i = block_at(m, low); i < m->block_count && low < end; i++) {
		uint64_t high = i + 1 < m->block_count ? m->blocks[i + 1].start - 1 : end;
		high = high < end ? high : end;
		if (says_something(m, row, i, low, high)) {
			put_row(m, row->line, 0, m->blocks[i].count);
			if (row->column)
				put_row(m, row->line, row->column, m->blocks[i].count);
		}
		low = high;
	}
	return true;
}

/* What a function does before its first block is done in the line where it begins. */
static void add_entry(struct making *m, const struct symbolize_result *r)
{
	m->last_path = r->file;
	m->last_file = places_file(m->places, r->file);
	if (m->last_file && r->line && m->blocks[0].first)
		put_row(m, r->line, 0, m->blocks[0].count);
}

static int by_place(const void *left, const void *right)
{
	const struct statement *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

static void sort_places(struct statement *list, size_t count)
{
	if (count)
		qsort(list, count, sizeof *list, by_place);
}

/* Of a function's rows of one place, the largest. */
static void keep_largest(struct making *m)
{
	size_t kept = 0;
	sort_places(m->rows, m->row_count);
	for (size_t i = 0; i < m->row_count; i++)
		if (!kept || by_place(&m->rows[kept - 1], &m->rows[i]))
			m->rows[kept++] = m->rows[i];
		else if (m->rows[i].count > m->rows[kept - 1].count)
			m->rows[kept - 1].count = m->rows[i].count;
	m->row_count = kept;
}

static bool any_matches(const struct patterns *p, const struct pattern_subject *subject)
{
	for (size_t i = 0; i < p->count; i++)
		if (pattern_matches(&p->list[i], subject))
			return true;
	return !p->count;
}

static bool is_selected(const struct making *m, const struct symbolize_result *r)
{
	struct pattern_subject subject = {r->name, r->linkage, r->file ? r->file : "",
					  m->module->path, r->start};
	return any_matches(m->func, &subject) && any_matches(m->file, &subject) &&
	       any_matches(m->module_names, &subject);
}

static void add_function(struct making *m, const struct symbolize_result *r)
{
	struct statements *s = m->s;
	struct statement_function f = {
	    .name = r->name, .file = places_file(m->places, r->file), .line = r->line};
	for (size_t i = 0; i < m->row_count; i++) {
		const struct statement *row = &m->rows[i];
		s->list = memory_room(s->list, s->count, &s->room, sizeof *s->list);
		s->list[s->count++] = *row;
		if (row->column)
			continue;
		f.count += row->count;
		s->total += row->count;
		if (row->file == f.file && row->line > f.end)
			f.end = row->line;
	}
	s->functions =
	    memory_room(s->functions, s->function_count, &s->function_room, sizeof *s->functions);
	s->functions[s->function_count++] = f;
}

static bool take_function(void *context, const struct symbolize_function *function)
{
	struct making *m = context;
	struct symbolize_module *symbols = m->module->symbols;
	struct symbolize_result r;
	if (!function->size || function->start == m->last_start)
		return true;
	m->last_start = function->start;
	m->block_count = m->row_count = 0;
	symbolize_blocks(symbols, function->start, function->size, CALLBACK, &m->callback,
			 add_block, m);
	if (!m->block_count)
		return true;
	symbolize_lookup(symbols, function->start, &r);
	if (!is_selected(m, &r))
		return true;
	symbolize_lines(symbols, function->start, function->size, add_row, m);
	add_entry(m, &r);
	keep_largest(m);
	add_function(m, &r);
	progress_step("reading statements", m->s->function_count, 0);
	return true;
}

/* ---- all */

static int by_line(const void *left, const void *right)
{
	const struct statement_function *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static void add_up(struct statements *s)
{
	size_t kept = 0;
	sort_places(s->list, s->count);
	for (size_t i = 0; i < s->count; i++)
		if (!kept || by_place(&s->list[kept - 1], &s->list[i]))
			s->list[kept++] = s->list[i];
		else
			s->list[kept - 1].count += s->list[i].count;
	s->count = kept;
	if (s->function_count)
		qsort(s->functions, s->function_count, sizeof *s->functions, by_line);
}

void statements_make(struct statements *s, const struct block_counts *blocks,
		     const struct zones *zones, struct places *places, const struct patterns *func,
		     const struct patterns *file, const struct patterns *module)
{
	*s = (struct statements){0};
	struct making m = {.s = s,
			   .counts = blocks,
			   .places = places,
			   .func = func,
			   .file = file,
			   .module_names = module,
			   .number = ZONE_NO_MODULE};
	for (size_t i = 0; i < blocks->count; i++) {
		if (blocks->list[i].module == m.number)
			continue;
		m.number = blocks->list[i].module;
		m.module = &zones->modules[m.number];
		m.callback = 0;
		m.last_start = UINT64_MAX;
		m.last_path = NULL;
		symbolize_functions(m.module->symbols, false, take_function, &m);
	}
	progress_end();
	add_up(s);
	free(m.blocks);
	free(m.rows);
}

void statements_free(struct statements *s)
{
	free(s->list);
	free(s->functions);
	*s = (struct statements){0};
}
