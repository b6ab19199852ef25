/* SPDX-License-Identifier: MIT */
/* annotate_print.c - see annotate.h: the text, and the JSON. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/table.h"
#include "report/core/base/text_width.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/annotate/annotate.h"

/* How many lines before and after one with figures are shown. */
#define CONTEXT 3
/* Calls of one line that are shown one by one, the most expensive first. */
#define CALLS_MOST 8
#define TAB        8
#define TAB_NARROW 4
#define NARROW     100
/* About the width of the figures beside the source, and of error bars, if there are any. */
#define FIGURES_WIDTH 46
#define ERRORS_WIDTH  7

enum { LINE, SOURCE_LEFT, CALLS, TOTAL, BAR, EACH, SELF, OWN, OWN_BAR, SOURCE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [LINE] = {.head = "line", .right = true, .least = 5},
    [SOURCE_LEFT] = {.head = "source", .gap = 2, .optional = true, .elastic = true},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 6},
    [TOTAL] = {.head = "total", .right = true, .gap = 2, .least = 7, .optional = true},
    [BAR] = {.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true},
    [EACH] = {.head = "per call", .right = true, .gap = 2, .least = 7, .optional = true},
    [SELF] = {.head = "self", .right = true, .gap = 2, .least = 7, .optional = true},
    [OWN] = {.head = "here", .right = true, .gap = 2, .least = 7, .optional = true},
    [OWN_BAR] = {.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true},
    [SOURCE] = {.head = "source", .gap = 2},
};

/* ---- one file on its way to the table */

struct page {
	const struct annotate *a;
	const struct annotate_file *file;
	struct source_text source;
	struct table table;
	struct str text;
	int tab;
	int source_column;
	uint32_t lines; /* number of the file's last line, or of the last line with a figure */
	bool *marks;    /* by line: whether the line is shown */
	bool narrow, has_own;
};

static const struct line *line_at(const struct page *p, uint32_t number)
{
	size_t low = p->file->first_line, high = low + p->file->line_count;
	const struct line *list = p->a->lines.list;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list[middle].line < number)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < p->file->first_line + p->file->line_count && list[low].line == number;
	return found && list[low].shown ? &list[low] : NULL;
}

static const char *text_at(const struct page *p, uint32_t number)
{
	return number && number <= p->source.count ? p->source.lines[number - 1] : "";
}

static void put_count(struct page *p, int column, int64_t n)
{
	char text[UNITS_TEXT];
	uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	table_cell(&p->table, column, "%s%s", n < 0 ? "-" : "", units_count(text, size));
}

/* Puts an interpreter's counter into the columns of times, if a counter leads (listing.h). */
static void put_counter(struct page *p, uint64_t calls, int64_t total, int64_t self)
{
	put_count(p, TOTAL, total);
	if (calls)
		put_count(p, EACH, total / (int64_t)calls);
	put_count(p, SELF, self);
}

static void figures(struct page *p, const char *mark, uint64_t calls, const struct cost *total,
		    const struct cost *self)
{
	const struct view *v = p->a->view;
	char text[UNITS_TEXT];
	table_cell(&p->table, CALLS, "%s%s", mark, view_calls(v, text, calls));
	int lead = p->a->listing.lead;
	if (lead != LISTING_NO_LEAD) {
		put_counter(p, calls, total->counter[lead], self->counter[lead]);
		return;
	}
	if (v->counts_only)
		return;
	struct cost all = view_shown(v, total), own = view_shown(v, self);
	double bar = cost_total_bar(&all);
	table_cell(&p->table, TOTAL, "%s", view_bounded(v, text, all.ns, bar));
	if (!p->narrow)
		table_cell(&p->table, BAR, "%s", view_bar(v, text, all.ns, bar));
	if (calls && !(p->narrow && p->has_own))
		table_cell(&p->table, EACH, "%s", view_each(v, text, all.ns, bar, calls));
	table_cell(&p->table, SELF, "%s", view_bounded(v, text, own.ns, cost_self_bar(&own)));
}

/* Puts the source text. Left of the figures it is a cell; right of them it may have any length. */
static void put_source(struct page *p)
{
	const char *text = str_text(&p->text);
	if (p->source_column == SOURCE)
		table_tail(&p->table, SOURCE, text);
	else
		table_cell(&p->table, SOURCE_LEFT, "%s", text);
}

/* Puts the time that a line itself took, by samples. */
static void put_own(struct page *p, const struct line *line)
{
	const struct annotate *a = p->a;
	char text[UNITS_TEXT];
	if (!line || !line->has_own || a->listing.lead != LISTING_NO_LEAD || a->view->counts_only)
		return;
	double bar = view_self_bar(a->view, &line->own);
	table_cell(&p->table, OWN, "%s", view_bounded(a->view, text, line->own.ns, bar));
	if (!p->narrow)
		table_cell(&p->table, OWN_BAR, "%s", view_bar(a->view, text, line->own.ns, bar));
}

static void put_line(struct page *p, uint32_t number)
{
	table_cell(&p->table, LINE, "%u", number);
	put_own(p, line_at(p, number));
	str_clear(&p->text);
	source_text_expand(&p->text, text_at(p, number), p->tab);
	put_source(p);
}

static void put_function(struct page *p, const struct annotate_function *f)
{
	const struct function *d = &p->a->derived->functions[f->zone];
	figures(p, "", d->calls, &d->total, &d->self);
}

/* Puts a name into a row below the source line, below the COLUMN of its call. */
static void put_below(struct page *p, uint32_t number, unsigned column, const char *name)
{
	const char *text = text_at(p, number);
	size_t indent = 0;
	while (text[indent] == ' ' || text[indent] == '\t')
		indent++;
	int at = source_text_column(text, column ? column : (unsigned)indent + 1, p->tab);
	const struct view *v = p->a->view;
	int width = v->terminal.width;
	int errors = v->fake || v->counts_only || p->narrow ? 0 : ERRORS_WIDTH;
	int most = width - FIGURES_WIDTH - errors - text_width(name) - 2;
	if (width && at > most)
		at = most > 0 ? most : 0;
	str_clear(&p->text);
	str_add(&p->text, "%*s%s%s", at, "", column ? "^ " : "", name);
	put_source(p);
}

static int by_column(const void *left, const void *right, void *context)
{
	const struct annotate *annotate = context;
	const struct line_call *calls = annotate->lines.calls, *a = &calls[*(const uint32_t *)left],
			       *b = &calls[*(const uint32_t *)right];
	struct cost p = view_shown(annotate->view, &a->total);
	struct cost q = view_shown(annotate->view, &b->total);
	return memory_order(a->column, b->column)
		   ?: memory_order(cost_total_weight(&q), cost_total_weight(&p))
		   ?: memory_order(b->calls, a->calls);
}

static void put_calls(struct page *p, const struct line *line)
{
	struct line_call *calls = p->a->lines.calls;
	uint32_t *order = memory_zeroed(line->call_count, sizeof *order);
	size_t count = 0;
	for (uint32_t at = line->first_call; at; at = calls[at].next)
		order[count++] = at;
	qsort_r(order, count, sizeof *order, by_column, (void *)p->a);
	for (size_t i = 0; i < count && i < CALLS_MOST; i++) {
		const struct line_call *c = &calls[order[i]];
		table_row(&p->table, TABLE_FAINT);
		figures(p, "x", c->calls, &c->total, &c->self);
		put_below(p, line->line, c->column, view_zone_name(p->a->view, c->callee));
	}
	if (count > CALLS_MOST) {
		char more[64], number[UNITS_TEXT];
		snprintf(more, sizeof more, "and %s more", units_count(number, count - CALLS_MOST));
		table_row(&p->table, TABLE_FAINT);
		put_below(p, line->line, 0, more);
	}
	free(order);
}

/* Puts the row of a line: first the functions that begin there, then the calls made from it. */
static void put_row(struct page *p, uint32_t number, size_t *function)
{
	const struct line *line = line_at(p, number);
	const struct annotate_function *f = p->a->functions;
	size_t end = p->file->first_function + p->file->function_count;
	bool first = true;
	while (*function < end && f[*function].line < number)
		++*function;
	for (; *function < end && f[*function].line == number; ++*function) {
		table_row(&p->table, first ? TABLE_STRONG : TABLE_PLAIN);
		put_function(p, &f[*function]);
		if (first)
			put_line(p, number);
		else
			put_below(p, number, 0, view_zone_name(p->a->view, f[*function].zone));
		first = false;
	}
	if (first) {
		table_row(&p->table, TABLE_PLAIN);
		put_line(p, number);
	}
	if (line && first && line->calls)
		figures(p, "x", line->calls, &line->total, &line->self);
	if (line && (!first || line->call_count > 1))
		put_calls(p, line);
}

/* ---- which lines */

static void mark(struct page *p, uint32_t first, uint32_t last)
{
	for (uint32_t i = first < 1 ? 1 : first; i <= last && i <= p->lines; i++)
		p->marks[i] = options_want_line(p->a->view->options, i);
}

/* Marks a line with a call, and lines around it, outside of the functions that are shown. */
static void mark_call(struct page *p, uint32_t line)
{
	uint32_t around = p->source.text ? CONTEXT : 0;
	mark(p, line > around ? line - around : 1, line + around);
}

/* Marks a gap of one line, since the `...` for it would take a line too. */
static void fill_gaps(struct page *p)
{
	uint32_t last = 0;
	for (uint32_t i = 1; i <= p->lines; i++) {
		if (!p->marks[i])
			continue;
		if (last && i - last == 2 && p->source.text)
			p->marks[i - 1] = options_want_line(p->a->view->options, i - 1);
		last = i;
	}
}

/* Whether a line has only the closing brace of a function, for which there may be no code. */
static bool is_end(const struct page *p, uint32_t number)
{
	const char *text = text_at(p, number);
	return text[strspn(text, " \t")] == '}';
}

/* Whether --lines chooses a line of this file. Lines outside of functions and without figures count
 * only if --file names the file. */
static bool has_wanted(const struct page *p)
{
	const struct annotate_function *f = p->a->functions + p->file->first_function;
	const struct line *lines = p->a->lines.list + p->file->first_line;
	const struct options *o = p->a->view->options;
	for (size_t i = 0; i < p->file->function_count; i++)
		if (f[i].line <= o->last_line && f[i].end >= o->first_line)
			return true;
	for (size_t i = 0; i < p->file->line_count; i++)
		if (lines[i].shown && options_want_line(p->a->view->options, lines[i].line))
			return true;
	return o->filters.file.count > 0;
}

static void choose_lines(struct page *p)
{
	const struct annotate_file *file = p->file;
	const struct annotate_function *f = p->a->functions + file->first_function;
	const struct line *lines = p->a->lines.list + file->first_line;
	bool text = p->source.text;
	p->lines = (uint32_t)p->source.count;
	for (size_t i = 0; i < file->function_count; i++)
		p->lines = f[i].line > p->lines ? f[i].line : p->lines;
	for (size_t i = 0; i < file->line_count; i++)
		p->lines = lines[i].line > p->lines ? lines[i].line : p->lines;
	p->marks = memory_zeroed((size_t)p->lines + 1, sizeof *p->marks);
	if (p->a->view->options->last_line && text && has_wanted(p))
		mark(p, 1, p->lines);
	for (size_t i = 0; i < file->function_count; i++)
		mark(p, f[i].line, text ? f[i].end + is_end(p, f[i].end + 1) : f[i].line);
	for (size_t i = 0; i < file->line_count; i++)
		if (lines[i].shown && !p->marks[lines[i].line])
			mark_call(p, lines[i].line);
	fill_gaps(p);
}

static void put_rows(struct page *p)
{
	size_t function = p->file->first_function;
	uint32_t last = 0;
	for (uint32_t i = 1; i <= p->lines; i++) {
		if (!p->marks[i])
			continue;
		if (last && i > last + 1) {
			table_row(&p->table, TABLE_FAINT);
			table_cell(&p->table, LINE, "...");
		}
		put_row(p, i, &function);
		last = i;
	}
}

static bool print_file(const struct annotate *a, const struct annotate_file *file, bool first)
{
	const struct view *v = a->view;
	const struct options *o = v->options;
	bool right = ((const struct annotate_options *)o->own)->right;
	bool narrow = v->terminal.width && v->terminal.width < NARROW;
	struct page p = {.a = a,
			 .file = file,
			 .narrow = narrow,
			 .tab = narrow ? TAB_NARROW : TAB,
			 .source_column = right ? SOURCE_LEFT : SOURCE};
	struct table_column own[COLUMNS];
	for (int i = 0; i < COLUMNS; i++)
		own[i] = columns[i];
	if (right)
		own[SOURCE].head = "";
	if (a->listing.lead != LISTING_NO_LEAD)
		own[TOTAL].head = v->load.columns[a->listing.lead];
	struct source_place place =
	    load_source(&v->load, file->file, o->source_paths, o->source_path_count);
	source_text_find(&p.source, &place);
	for (size_t i = 0; i < file->line_count; i++)
		p.has_own |= a->lines.list[file->first_line + i].has_own;
	table_init(&p.table, own, COLUMNS);
	choose_lines(&p);
	put_rows(&p);
	bool any = p.table.row_count;
	if (any) {
		fputs(first ? "" : "\n", v->terminal.out);
		visible_print(v->terminal.out, annotate_path(a, file));
		fputs("\n", v->terminal.out);
		if (!p.source.text)
			fprintf(v->terminal.out, "  (%s)\n", str_text(&p.source.why));
		table_print(&p.table, &v->terminal);
	}
	table_free(&p.table);
	source_text_free(&p.source);
	str_free(&p.text);
	free(p.marks);
	return any;
}

bool annotate_print(struct annotate *a)
{
	bool any = false;
	FILE *to = a->view->terminal.out;
	char text[UNITS_TEXT];
	for (size_t i = 0; i < a->file_count; i++)
		any |= print_file(a, &a->files[i], !any);
	if (a->lines.calls_nowhere && a->view->load.calls_by_place)
		fprintf(to,
			"\n%s %s on no line: from code without lines, such as a library's that "
			"calls back, or an interpreter's tail calls.\n",
			units_of(text, a->lines.calls_nowhere, "call"),
			a->lines.calls_nowhere == 1 ? "is" : "are");
	return any;
}

/* ---- JSON */

static json_t *json_costs(const struct view *v, uint64_t calls, const struct cost *total,
			  const struct cost *self)
{
	json_t *o = json_object();
	json_object_set_new(o, "calls", view_json_calls(v, calls));
	json_object_set_new(o, "total_ns", v->counts_only ? json_null() : json_real(total->ns));
	json_object_set_new(o, "total_error_ns",
			    v->counts_only ? json_null() : json_real(view_total_bar(v, total)));
	json_object_set_new(o, "self_ns", v->counts_only ? json_null() : json_real(self->ns));
	view_json_counters(o, v, self, total);
	return o;
}

static json_t *json_calls(const struct annotate *a, const struct line *line)
{
	json_t *list = json_array();
	for (uint32_t at = line->first_call; at; at = a->lines.calls[at].next) {
		const struct line_call *c = &a->lines.calls[at];
		json_t *o = json_costs(a->view, c->calls, &c->total, &c->self);
		json_object_set_new(o, "column", json_integer(c->column));
		json_object_set_new(o, "callee",
				    view_json_text(a->view->load.zones.list[c->callee].name));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *json_lines(const struct annotate *a, const struct annotate_file *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->line_count; i++) {
		const struct line *line = &a->lines.list[f->first_line + i];
		if (!line->shown || !options_want_line(a->view->options, line->line))
			continue;
		json_t *o = json_costs(a->view, line->calls, &line->total, &line->self);
		json_object_set_new(o, "line", json_integer(line->line));
		json_object_set_new(o, "own_ns",
				    line->has_own ? json_real(line->own.ns) : json_null());
		json_object_set_new(o, "own_error_ns",
				    line->has_own ? json_real(view_self_bar(a->view, &line->own))
						  : json_null());
		json_object_set_new(o, "sites", json_calls(a, line));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *json_functions(const struct annotate *a, const struct annotate_file *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->function_count; i++) {
		const struct annotate_function *at = &a->functions[f->first_function + i];
		const struct function *d = &a->derived->functions[at->zone];
		if (!options_want_line(a->view->options, at->line))
			continue;
		json_t *o = json_costs(a->view, d->calls, &d->total, &d->self);
		json_object_set_new(o, "name",
				    view_json_text(a->view->load.zones.list[at->zone].name));
		json_object_set_new(o, "line", json_integer(at->line));
		json_object_set_new(o, "last_line", json_integer(at->end));
		json_array_append_new(list, o);
	}
	return list;
}

bool annotate_json(struct annotate *a)
{
	FILE *to = a->view->terminal.out;
	bool first = true, any = false;
	view_json_array(to, "files");
	for (size_t i = 0; i < a->file_count; i++) {
		const struct annotate_file *f = &a->files[i];
		json_t *o = json_object();
		json_object_set_new(o, "file", view_json_text(annotate_path(a, f)));
		json_t *functions = json_functions(a, f), *lines = json_lines(a, f);
		any |= json_array_size(functions) || json_array_size(lines);
		json_object_set_new(o, "functions", functions);
		json_object_set_new(o, "lines", lines);
		view_json_item(to, &first, o);
	}
	view_json_array_end(to);
	view_json_member(to, "calls_without_line",
			 json_integer((json_int_t)a->lines.calls_nowhere));
	return any;
}
