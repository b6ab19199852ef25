/* SPDX-License-Identifier: MIT */
/* compare_counts_print.c - see compare_counts.h: the table, and the JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/table.h"
#include "report/base/units.h"
#include "report/base/visible.h"
#include "report/base/wrap.h"
#include "report/view/compare_counts_rows.h"

#define TAB 8

enum { WAS, LINE, BEFORE, AFTER, CHANGE, RATIO, SOURCE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [WAS] = {.head = "was line", .right = true, .least = 8},
    [LINE] = {.head = "line", .right = true, .gap = 1, .least = 6},
    [BEFORE] = {.head = "before", .right = true, .gap = 2, .least = 8},
    [AFTER] = {.head = "after", .right = true, .gap = 2, .least = 8},
    [CHANGE] = {.head = "change", .right = true, .gap = 2, .least = 8},
    [RATIO] = {.head = "ratio", .right = true, .gap = 2, .least = 6, .drop = 1},
    [SOURCE] = {.head = "source", .gap = 2},
};

struct showing {
	struct view *v;
	struct counts_side *before, *after;
	const struct counts_rows *rows;
};

static double count_of(const struct counts_side *side, const struct statement *at)
{
	return at ? (double)at->count / side->runs : 0;
}

static double change_of(const struct showing *s, const struct counts_row *r)
{
	return count_of(s->after, r->after) - count_of(s->before, r->before);
}

/* How many statements of one line there are, told apart by column, behind its own. */
static size_t column_count(const struct counts_side *side, const struct statement *line)
{
	const struct statement *end = side->s.list + side->s.count, *at = line + 1;
	while (at < end && at->file == line->file && at->line == line->line)
		at++;
	return (size_t)(at - line) - 1;
}

/* Statements of a line are the same, in their order, if there are as many. */
static size_t same_columns(const struct showing *s, const struct counts_row *r)
{
	size_t count = r->before && r->after ? column_count(s->before, r->before) : 0;
	return count > 1 && count == column_count(s->after, r->after) ? count : 0;
}

static bool differs(const struct showing *s, const struct counts_row *r)
{
	bool changed = !r->before || !r->after || fabs(change_of(s, r)) > 0;
	for (size_t i = 1; i <= same_columns(s, r) && !changed; i++)
		changed =
		    fabs(count_of(s->after, r->after + i) - count_of(s->before, r->before + i)) > 0;
	/* Code that did not run changes nothing when it goes or comes. */
	bool ran = (r->before && r->before->count) || (r->after && r->after->count);
	return changed && ran;
}

static bool is_shown(const struct showing *s, const struct counts_row *r)
{
	return s->v->options->all || differs(s, r);
}

/* ---- text */

static void count_cell(struct table *t, int column, double value, const char *sign)
{
	char text[UNITS_TEXT];
	if (fabs(value - round(value)) > 0)
		table_cell(t, column, "%s%.1f", sign, fabs(value));
	else
		table_cell(t, column, "%s%s", sign, units_count(text, (uint64_t)fabs(value)));
}

static void value_cells(struct table *t, const struct showing *s, const struct statement *b,
			const struct statement *a)
{
	double before = count_of(s->before, b), after = count_of(s->after, a),
	       change = after - before;
	if (b)
		count_cell(t, BEFORE, before, "");
	if (a)
		count_cell(t, AFTER, after, "");
	count_cell(t, CHANGE, change, change > 0 ? "+" : change < 0 ? "-" : "");
	if (!a || !b)
		table_cell(t, RATIO, "%s", a ? "new" : "gone");
	else if (before > 0 && after > 0)
		table_cell(t, RATIO, after / before < 100 ? "%.3f" : "%.0f", after / before);
}

static const char *text_of(const struct showing *s, const struct counts_row *r)
{
	struct counts_side *side = r->after ? s->after : s->before;
	const struct statement *at = r->after ? r->after : r->before;
	const struct source_text *text = counts_side_text(side, at->file);
	return text->text && at->line <= text->count ? text->lines[at->line - 1] : "";
}

static void add_line(struct table *t, const struct showing *s, const struct counts_row *r)
{
	struct str text = {0};
	const char *source = text_of(s, r);
	table_row(t, TABLE_PLAIN);
	if (r->before)
		table_cell(t, WAS, "%u", r->before->line);
	if (r->after)
		table_cell(t, LINE, "%u", r->after->line);
	value_cells(t, s, r->before, r->after);
	source_text_expand(&text, source, TAB);
	table_tail(t, SOURCE, str_text(&text));
	for (size_t i = 1; i <= same_columns(s, r); i++) {
		if (r->before[i].count == r->before->count && r->after[i].count == r->after->count)
			continue;
		table_row(t, TABLE_FAINT);
		value_cells(t, s, r->before + i, r->after + i);
		str_clear(&text);
		str_add(&text, "%*s^", source_text_column(source, r->after[i].column, TAB), "");
		table_tail(t, SOURCE, text.text);
	}
	str_free(&text);
}

static void add_side(struct str *to, const char *label, const struct counts_side *side)
{
	char text[UNITS_TEXT];
	const struct process *p = &side->load->processes[0];
	double runs = side->runs;
	str_add(to, "%s ", label);
	visible_add(to, p->path);
	str_add(to, "  (");
	visible_add(to, p->command);
	str_add(to, "): %s executions of lines%s\n",
		units_count(text, (uint64_t)((double)side->s.total / runs)),
		runs > 1 ? ", a run" : "");
}

static void print_head(const struct showing *s, size_t different)
{
	char text[UNITS_TEXT], all[UNITS_TEXT];
	struct str head = {0};
	add_side(&head, "before:", s->before);
	add_side(&head, "after: ", s->after);
	str_add(&head, "%s of %s lines differ\n", units_count(text, different),
		units_count(all, s->rows->count));
	wrap_print(head.text, s->v->terminal.width);
	str_free(&head);
}

/* The rows of one file, [FIRST, end). Gives how many of LIMIT it did not use. */
static size_t print_file(const struct showing *s, size_t first, size_t end, size_t limit)
{
	struct table t;
	const struct counts_row *rows = s->rows->list;
	table_init(&t, columns, COLUMNS);
	for (size_t i = first; i < end && limit; i++)
		if (is_shown(s, &rows[i])) {
			add_line(&t, s, &rows[i]);
			limit--;
		}
	if (t.row_count) {
		const struct counts_side *side =
		    rows[first].at.file == UINT32_MAX ? s->before : s->after;
		const struct statement *at =
		    rows[first].at.file == UINT32_MAX ? rows[first].before : NULL;
		puts("");
		visible_print(side->load->places.files[at ? at->file : rows[first].at.file]);
		puts("");
		table_print(&t, &s->v->terminal);
	}
	table_free(&t);
	return limit;
}

static void print(const struct showing *s)
{
	size_t different = 0, limit = s->v->options->filters.limit;
	const struct counts_rows *r = s->rows;
	for (size_t i = 0; i < r->count; i++)
		different += differs(s, &r->list[i]);
	print_head(s, different);
	limit = limit ? limit : SIZE_MAX;
	for (size_t i = 0, end; i < r->count; i = end) {
		for (end = i; end < r->count && r->list[end].at.file == r->list[i].at.file; end++)
			continue;
		limit = print_file(s, i, end, limit);
	}
	view_print_losses(s->v);
}

/* ---- JSON */

static json_t *line_json(const struct statement *at)
{
	return at ? json_integer(at->line) : json_null();
}

static json_t *count_json(const struct counts_side *side, const struct statement *at)
{
	return at ? json_real(count_of(side, at)) : json_null();
}

static json_t *row_json(const struct showing *s, const struct counts_row *r)
{
	const struct counts_side *side = r->after ? s->after : s->before;
	const struct statement *at = r->after ? r->after : r->before;
	json_t *list = json_array();
	for (size_t i = 1; i <= same_columns(s, r); i++)
		json_array_append_new(list,
				      json_pack("{s:I,s:I,s:f,s:f}", "before_column",
						(json_int_t)r->before[i].column, "after_column",
						(json_int_t)r->after[i].column, "before",
						count_of(s->before, r->before + i), "after",
						count_of(s->after, r->after + i)));
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "file",
			 view_json_text(side->load->places.files[at->file]), "before_line",
			 line_json(r->before), "after_line", line_json(r->after), "before",
			 count_json(s->before, r->before), "after", count_json(s->after, r->after),
			 "columns", list);
}

static void print_json(const struct showing *s)
{
	struct derived d;
	bool first = true;
	derive(&d, s->v->tree, s->v->load.zones.count);
	view_json_begin(s->v, &d);
	view_json_array("lines");
	for (size_t i = 0; i < s->rows->count; i++)
		if (is_shown(s, &s->rows->list[i]))
			view_json_item(&first, row_json(s, &s->rows->list[i]));
	view_json_array_end();
	view_json_threads(s->v);
	view_json_end();
	derive_free(&d);
}

void counts_rows_show(struct view *v, struct counts_side *before, struct counts_side *after,
		      const struct counts_rows *rows)
{
	struct showing s = {v, before, after, rows};
	if (v->options->json)
		print_json(&s);
	else
		print(&s);
}
