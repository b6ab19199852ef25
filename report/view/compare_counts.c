/* SPDX-License-Identifier: MIT */
/*
 * compare_counts.c - see compare_counts.h: which line is which; compare_counts_print.c shows them.
 */
#include "report/view/compare_counts.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/base/progress.h"
#include "report/model/line_match.h"
#include "report/view/compare_counts_rows.h"

const struct source_text *counts_side_text(struct counts_side *side, uint32_t file)
{
	const struct options *o = side->options;
	if (!side->texts) {
		side->texts = memory_zeroed(side->load->places.file_count, sizeof *side->texts);
		side->asked = memory_zeroed(side->load->places.file_count, sizeof *side->asked);
	}
	if (!side->asked[file]) {
		struct source_place place =
		    load_source(side->load, file, o->source_paths, o->source_path_count);
		source_text_find(&side->texts[file], &place);
	}
	side->asked[file] = true;
	return &side->texts[file];
}

/* ---- which line is which */

struct matching {
	struct counts_side *before, *after;
	struct counts_line **to; /* by file and line of `before`: the line of `after` */
	bool **taken;            /* by file and line of `after`: it has been matched */
	bool *matched;           /* by function of `after` */
};

static uint32_t last_line(const struct statements *s, uint32_t file)
{
	uint32_t last = 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].file == file && s->list[i].line > last)
			last = s->list[i].line;
	for (size_t i = 0; i < s->function_count; i++)
		if (s->functions[i].file == file && s->functions[i].line > last)
			last = s->functions[i].line;
	return last;
}

static void match_line(struct matching *m, uint32_t file, uint32_t line, uint32_t to_file,
		       uint32_t to_line)
{
	if (m->to[file][line].line || m->taken[to_file][to_line])
		return;
	m->to[file][line] = (struct counts_line){to_file, to_line};
	m->taken[to_file][to_line] = true;
}

static size_t lines_of(const struct statement_function *f)
{
	return f->end >= f->line ? f->end - f->line + 1 : 1;
}

static bool add_texts(struct counts_side *side, const struct statement_function *f,
		      struct counts_texts *to)
{
	const struct source_text *text = counts_side_text(side, f->file);
	for (uint32_t i = 0; text->text && i < lines_of(f); i++) {
		uint32_t line = f->line + i;
		to->texts = memory_room(to->texts, to->count, &to->text_room, sizeof *to->texts);
		to->places =
		    memory_room(to->places, to->count, &to->place_room, sizeof *to->places);
		to->places[to->count] = (struct counts_line){f->file, line};
		to->texts[to->count++] = line && line <= text->count ? text->lines[line - 1] : "";
	}
	return text->text;
}

static void match_texts(struct matching *m, struct counts_texts *before, struct counts_texts *after)
{
	uint32_t *to = line_match(before->texts, before->count, after->texts, after->count);
	for (size_t i = 0; i < before->count; i++)
		if (to[i] != LINE_GONE)
			match_line(m, before->places[i].file, before->places[i].line,
				   after->places[to[i]].file, after->places[to[i]].line);
	free(to);
	free(before->texts);
	free(before->places);
	free(after->texts);
	free(after->places);
	*before = *after = (struct counts_texts){0};
}

static void match_function(struct matching *m, const struct statement_function *b,
			   const struct statement_function *a)
{
	struct counts_texts before = {0}, after = {0};
	bool known = add_texts(m->before, b, &before) && add_texts(m->after, a, &after);
	for (size_t i = 0; !known && i < lines_of(b) && i < lines_of(a); i++)
		match_line(m, b->file, b->line + (uint32_t)i, a->file, a->line + (uint32_t)i);
	if (!known)
		before.count = after.count = 0;
	match_texts(m, &before, &after);
}

static bool same_file(const struct matching *m, uint32_t before, uint32_t after)
{
	return !strcmp(zones_base_name(m->before->load->places.files[before]),
		       zones_base_name(m->after->load->places.files[after]));
}

static size_t like(const struct matching *m, const struct statement_function *f)
{
	const struct statements *after = &m->after->s;
	size_t i = 0;
	while (i < after->function_count &&
	       (m->matched[i] || strcmp(after->functions[i].name, f->name) != 0 ||
		!same_file(m, f->file, after->functions[i].file)))
		i++;
	return i;
}

static void match_all(struct matching *m)
{
	const struct statements *b = &m->before->s, *a = &m->after->s;
	struct counts_texts before = {0}, after = {0};
	for (size_t i = 0; i < b->function_count; i++) {
		const struct statement_function *f = &b->functions[i];
		size_t k = like(m, f);
		if (k < a->function_count) {
			m->matched[k] = true;
			match_function(m, f, &a->functions[k]);
		} else {
			add_texts(m->before, f, &before);
		}
		progress_step("matching functions", i + 1, b->function_count);
	}
	for (size_t i = 0; i < a->function_count; i++)
		if (!m->matched[i])
			add_texts(m->after, &a->functions[i], &after);
	match_texts(m, &before, &after);
	progress_end();
}

/* ---- rows */

static const struct statement *find_statement(const struct statements *s, uint32_t file,
					      uint32_t line)
{
	size_t low = 0, high = s->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct statement *at = &s->list[middle];
		if (at->file < file || (at->file == file && at->line < line))
			low = middle + 1;
		else
			high = middle;
	}
	const struct statement *found = low < s->count ? &s->list[low] : NULL;
	return found && found->file == file && found->line == line ? found : NULL;
}

static void add_row(struct counts_rows *r, const struct statement *before,
		    const struct statement *after, struct counts_line at)
{
	r->list = memory_room(r->list, r->count, &r->room, sizeof *r->list);
	r->list[r->count++] = (struct counts_row){.before = before, .after = after, .at = at};
}

/* Where a line that is gone is shown: behind what the line before it has become. */
static struct counts_line place_of_gone(const struct matching *m, const struct statement *gone)
{
	for (uint32_t line = gone->line; line > 0; line--)
		if (m->to[gone->file][line].line)
			return m->to[gone->file][line];
	struct counts_line none = {UINT32_MAX, 0};
	for (size_t i = 0; i < m->after->s.function_count && none.file == UINT32_MAX; i++)
		if (same_file(m, gone->file, m->after->s.functions[i].file))
			none.file = m->after->s.functions[i].file;
	return none;
}

static void make_rows(const struct matching *m, struct counts_rows *r)
{
	const struct statements *b = &m->before->s, *a = &m->after->s;
	bool *met = memory_zeroed(a->count, sizeof *met);
	for (size_t i = 0; i < b->count; i++) {
		const struct statement *from = &b->list[i], *to = NULL;
		struct counts_line at = m->to[from->file][from->line];
		if (from->column)
			continue;
		if (at.line)
			to = find_statement(a, at.file, at.line);
		if (to)
			met[to - a->list] = true;
		else
			at = place_of_gone(m, from);
		add_row(r, from, to, at);
	}
	for (size_t i = 0; i < a->count; i++)
		if (!a->list[i].column && !met[i])
			add_row(r, NULL, &a->list[i],
				(struct counts_line){a->list[i].file, a->list[i].line});
	free(met);
}

static int by_place(const void *left, const void *right)
{
	const struct counts_row *a = left, *b = right;
	if (a->at.file != b->at.file)
		return a->at.file < b->at.file ? -1 : 1;
	if (a->at.line != b->at.line)
		return a->at.line < b->at.line ? -1 : 1;
	if (!a->after != !b->after)
		return a->after ? -1 : 1;
	if (a->before && b->before && a->before != b->before)
		return a->before < b->before ? -1 : 1;
	return 0;
}

static void compare_sides(struct counts_side *before, struct counts_side *after,
			  struct counts_rows *rows)
{
	struct matching m = {.before = before, .after = after};
	size_t b_files = before->load->places.file_count, a_files = after->load->places.file_count;
	m.to = memory_zeroed(b_files, sizeof *m.to);
	m.taken = memory_zeroed(a_files, sizeof *m.taken);
	m.matched = memory_zeroed(after->s.function_count, sizeof *m.matched);
	for (uint32_t i = 0; i < b_files; i++)
		m.to[i] = memory_zeroed(last_line(&before->s, i) + 1, sizeof **m.to);
	for (uint32_t i = 0; i < a_files; i++)
		m.taken[i] = memory_zeroed(last_line(&after->s, i) + 1, sizeof **m.taken);
	match_all(&m);
	make_rows(&m, rows);
	if (rows->count)
		qsort(rows->list, rows->count, sizeof *rows->list, by_place);
	for (size_t i = 0; i < b_files; i++)
		free(m.to[i]);
	for (size_t i = 0; i < a_files; i++)
		free(m.taken[i]);
	free(m.to);
	free(m.taken);
	free(m.matched);
}

/* ---- sides */

static double runs_of(const struct load *l)
{
	double runs = 0;
	for (size_t i = 0; i < l->process_count; i++) {
		size_t k = 0;
		while (k < i && !load_same_run(&l->processes[k], &l->processes[i]))
			k++;
		runs += k == i ? l->processes[i].runs : 0;
	}
	return runs;
}

static void open_side(struct counts_side *side, struct load *l, const struct options *o)
{
	const struct filters *f = &o->filters;
	*side = (struct counts_side){.load = l, .options = o, .runs = o->sum ? 1 : runs_of(l)};
	statements_make(&side->s, &l->blocks, &l->zones, &l->places, &f->func, &f->file,
			&f->module);
}

static void close_side(struct counts_side *side)
{
	for (size_t i = 0; side->texts && i < side->load->places.file_count; i++)
		if (side->asked[i])
			source_text_free(&side->texts[i]);
	free(side->texts);
	free(side->asked);
	statements_free(&side->s);
}

bool compare_counts(struct options *o, struct str *err)
{
	struct load first;
	struct view v;
	struct load_set *sets = o->sets;
	unsigned how =
	    (o->run ? LOAD_WHOLE_RUN : 0) | (o->force ? LOAD_ANYONE : 0) | LOAD_FOLD_RUNS;
	if (!load_sets(&first, &sets[0], 1, how, err))
		return false;
	o->sets = &sets[1];
	o->set_count = 1;
	bool ok = first.blocks.count ||
		  str_fail(err,
			   "'%s' has no counts of statements: compile and link with the flags "
			   "that 'zprof cflags --counts' prints",
			   first.processes[0].path);
	if (ok && (ok = view_open(&v, o, err))) {
		struct counts_side before, after;
		struct counts_rows rows = {0};
		open_side(&before, &first, o);
		open_side(&after, &v.load, o);
		compare_sides(&before, &after, &rows);
		counts_rows_show(&v, &before, &after, &rows);
		free(rows.list);
		close_side(&before);
		close_side(&after);
		view_close(&v);
	}
	o->sets = sets;
	load_free(&first);
	return ok;
}
