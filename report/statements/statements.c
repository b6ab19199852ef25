/* SPDX-License-Identifier: MIT */
/* statements.c - see statements.h. */
#include "report/statements/statements.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/statements/block_lines.h"

/* ---- one function */

struct making {
	struct statements *s;
	const struct block_counts *counts;
	struct places *places;
	const struct zones *zones;
	const struct filters *filters;
	struct statement *rows; /* of the function: each line, and each column */
	size_t row_count, row_room;
	const char *last_path; /* of the row before: equal names are mostly the same pointer */
	uint32_t last_file;
};

/* A count while rows are collected: the line may have run, but nobody knows how many times. */
#define UNKNOWN UINT64_MAX

static void put_row(struct making *m, uint32_t line, uint32_t column, uint64_t count)
{
	*memory_next(m->rows, m->row_count, m->row_room) =
	    (struct statement){m->last_file, line, column, count};
}

static void add_rows(struct making *m, const struct block_function *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct block_line *from = &f->list[i];
		uint64_t count = block_counts_find(m->counts, f->module, from->block);
		if (from->jumps)
			count = count ? UNKNOWN : 0;
		if (from->file != m->last_path) {
			m->last_path = from->file;
			m->last_file = places_file(m->places, from->file);
		}
		put_row(m, from->line, 0, count);
		if (from->column)
			put_row(m, from->line, from->column, count);
	}
}

static int by_place(const void *left, const void *right)
{
	const struct statement *a = left, *b = right;
	return memory_order(a->file, b->file)
		   ?: memory_order(a->line, b->line)
		   ?: memory_order(a->column, b->column);
}

/* Keeps one of a function's rows for each place, the largest. Keeps no row if the largest is 0 and
 * others are unknown. */
static void keep_largest(struct making *m)
{
	size_t kept = 0;
	memory_sort(m->rows, m->row_count, by_place);
	for (size_t i = 0, end; i < m->row_count; i = end) {
		struct statement row = m->rows[i];
		bool unknown = false;
		row.count = 0;
		for (end = i; end < m->row_count && !by_place(&row, &m->rows[end]); end++) {
			uint64_t count = m->rows[end].count;
			unknown |= count == UNKNOWN;
			row.count = count != UNKNOWN && count > row.count ? count : row.count;
		}
		if (row.count || !unknown)
			m->rows[kept++] = row;
	}
	m->row_count = kept;
}

static bool any_matches(const struct patterns *p, const struct pattern_subject *subject)
{
	for (size_t i = 0; i < p->count; i++)
		if (pattern_matches(&p->list[i], subject))
			return true;
	return !p->count;
}

static bool is_selected(void *context, const struct block_function *f)
{
	const struct making *m = context;
	struct pattern_subject subject = {f->name.name, f->name.linkage,
					  f->name.file ? f->name.file : "",
					  m->zones->modules[f->module].path, f->start};
	return any_matches(&m->filters->func, &subject) &&
	       any_matches(&m->filters->file, &subject) &&
	       any_matches(&m->filters->module, &subject);
}

static void add_function(void *context, const struct block_function *from)
{
	struct making *m = context;
	struct statements *s = m->s;
	struct statement_function f = {.name = from->name.name,
				       .file = places_file(m->places, from->name.file),
				       .line = from->name.line};
	m->row_count = 0;
	add_rows(m, from);
	places_compiled(m->places, f.file, m->zones, from->module, from->start);
	keep_largest(m);
	for (size_t i = 0; i < m->row_count; i++) {
		const struct statement *row = &m->rows[i];
		*memory_next(s->list, s->count, s->room) = *row;
		if (row->column)
			continue;
		f.count += row->count;
		s->total += row->count;
		if (row->file == f.file && row->line > f.end)
			f.end = row->line;
	}
	*memory_next(s->functions, s->function_count, s->function_room) = f;
}

/* ---- all */

static int by_line(const void *left, const void *right)
{
	const struct statement_function *a = left, *b = right;
	return memory_order(a->file, b->file) ?: memory_order(a->line, b->line);
}

static void add_up(struct statements *s)
{
	size_t kept = 0;
	memory_sort(s->list, s->count, by_place);
	for (size_t i = 0; i < s->count; i++)
		if (!kept || by_place(&s->list[kept - 1], &s->list[i]))
			s->list[kept++] = s->list[i];
		else
			s->list[kept - 1].count += s->list[i].count;
	s->count = kept;
	memory_sort(s->functions, s->function_count, by_line);
}

void statements_make(struct statements *s, struct load *l, const struct filters *f)
{
	const struct block_counts *blocks = block_counts_of(l);
	*s = (struct statements){0};
	struct making m = {
	    .s = s, .counts = blocks, .places = &l->places, .zones = &l->zones, .filters = f};
	struct block_lines_to to = {is_selected, add_function, &m};
	for (size_t i = 0; i < blocks->count; i++) {
		uint32_t number = blocks->list[i].module;
		if (!i || blocks->list[i - 1].module != number)
			block_lines_each(&l->zones, number, &to);
	}
	add_up(s);
	free(m.rows);
}

void statements_free(struct statements *s)
{
	free(s->list);
	free(s->functions);
	*s = (struct statements){0};
}
