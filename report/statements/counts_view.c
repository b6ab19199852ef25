/* SPDX-License-Identifier: MIT */
/* counts_view.c - see counts_view.h. */
#define _GNU_SOURCE
#include "report/statements/counts_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/text_width.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/statements/statements.h"
#include "report/core/source/source_text.h"
#include "report/statements/marked.h"

#define STARS    20
#define MOST_OF  0.8 /* the lines named in the head have this share of all executions */
#define HOT_MOST 10  /* lines named, at most */
#define GAP      3   /* this many lines without code, or more, are left out */
#define TAB      8

/* One file: statements [first, end) and functions [first_function, ...) of the list. */
struct file {
	size_t first, end, first_function, function_count;
	uint64_t total;
};

struct page {
	const struct view *v;
	const struct statements *s;
	const struct file *file;
	struct source_text source;
	uint64_t most; /* the largest count of any line in any file */
	int count_width;
	struct str text;
};

static const char *path_of(const struct view *v, const struct statements *s, const struct file *f)
{
	return v->load.places.files[s->list[f->first].file];
}

/* ---- files */

static int more_first(const void *left, const void *right)
{
	const struct file *a = left, *b = right;
	return memory_order(b->total, a->total);
}

static size_t find_files(const struct statements *s, struct file **files)
{
	size_t count = 0, room = 0, function = 0;
	*files = NULL;
	for (size_t i = 0; i < s->count; i++) {
		if (!i || s->list[i].file != s->list[i - 1].file) {
			*files = memory_room(*files, count, &room, sizeof **files);
			while (function < s->function_count &&
			       s->functions[function].file < s->list[i].file)
				function++;
			(*files)[count++] = (struct file){.first = i, .first_function = function};
		}
		struct file *f = &(*files)[count - 1];
		f->end = i + 1;
		f->total += s->list[i].column ? 0 : s->list[i].count;
	}
	for (size_t i = 0; i < count; i++) {
		struct file *f = &(*files)[i];
		size_t end = f->first_function;
		while (end < s->function_count && s->functions[end].file == s->list[f->first].file)
			end++;
		f->function_count = end - f->first_function;
	}
	memory_sort(*files, count, more_first);
	return count;
}

/* ---- the head */

static int by_count(const void *left, const void *right, void *context)
{
	const struct statements *s = context;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	return memory_order(s->list[b].count, s->list[a].count) ?: memory_order(a, b);
}

static void print_head(const struct view *v, const struct statements *s)
{
	char text[UNITS_TEXT];
	struct str head = {0};
	size_t *order = memory_zeroed(s->count, sizeof *order), lines = 0, hot = 0, never = 0;
	uint64_t sum = 0;
	for (size_t i = 0; i < s->count; i++)
		if (!s->list[i].column) {
			order[lines++] = i;
			never += !s->list[i].count;
		}
	qsort_r(order, lines, sizeof *order, by_count, (void *)s);
	while (hot < lines && (double)sum < MOST_OF * (double)s->total)
		sum += s->list[order[hot++]].count;
	visible_add(&head, v->load.processes[0].command);
	str_add(&head, "      %s of ", units_of(text, s->total, "execution"));
	str_add(&head, "%s, ", units_of(text, lines, "line"));
	str_add(&head, "%s of them never executed. ", units_count(text, never));
	str_add(&head, "%s line%s make%s up 80 %% of all:\n", units_count(text, hot),
		hot == 1 ? "" : "s", hot == 1 ? "s" : "");
	wrap_print(&v->terminal, head.text);
	str_free(&head);
	for (size_t i = 0; i < hot && i < HOT_MOST; i++) {
		const struct statement *at = &s->list[order[i]];
		fprintf(v->terminal.out, "  %6s %%  ",
			units_percent(text, (double)at->count, (double)s->total));
		visible_print(v->terminal.out, zones_base_name(v->load.places.files[at->file]));
		fprintf(v->terminal.out, ":%u\n", at->line);
	}
	if (hot > HOT_MOST)
		fprintf(v->terminal.out, "  and %s more\n", units_count(text, hot - HOT_MOST));
	free(order);
}

/* ---- rows */

static void put_text(const struct page *p, const char *text)
{
	FILE *to = p->v->terminal.out;
	int room = p->v->terminal.width;
	fputs("  ", to);
	room -= 6 + 2 + p->count_width + 1 + STARS + 1 + 8 + 2;
	for (const char *at = text; *at;) {
		int width;
		size_t bytes = text_width_next(at, &width);
		if (p->v->terminal.width && (room -= width) < 0)
			break;
		fwrite(at, 1, bytes, to);
		at += bytes;
	}
}

/* Prints a row: of a line, or with NUMBER 0 of one column of the line above. */
static void put_row(struct page *p, uint32_t number, const struct statement *at, const char *source)
{
	FILE *to = p->v->terminal.out;
	char text[UNITS_TEXT], stars[STARS + 1] = "";
	struct str shown = {0};
	if (number)
		fprintf(to, "%6u", number);
	else
		fprintf(to, "%6s", "");
	if (at) {
		int n = p->most ? (int)((double)at->count / (double)p->most * STARS + 0.5) : 0;
		memset(stars, '*', (size_t)n);
		stars[n] = 0;
		fprintf(to, "  %*s|%-*s|", p->count_width,
			at->count ? units_count(text, at->count) : "never", STARS, stars);
		if (at->count)
			fprintf(to, "%6s %%",
				units_percent(text, (double)at->count, (double)p->s->total));
		else
			fprintf(to, "%8s", "");
	} else {
		fprintf(to, "  %*s|%-*s|%8s", p->count_width, "", STARS, "", "");
	}
	visible_add(&shown, source);
	if (shown.used)
		put_text(p, shown.text);
	fputs("\n", to);
	str_free(&shown);
}

static void put_line(struct page *p, uint32_t number, const struct statement *at)
{
	str_clear(&p->text);
	if (number <= p->source.count)
		source_text_expand(&p->text, p->source.lines[number - 1], TAB);
	put_row(p, number, at, str_text(&p->text));
}

/* Prints a row for each column of a line, if the columns have different counts. */
static void put_columns(struct page *p, size_t first, size_t end)
{
	const struct statement *list = p->s->list;
	bool differ = false;
	for (size_t i = first + 1; i < end; i++)
		differ |= list[i].count != list[first].count;
	for (size_t i = first + 1; differ && i < end; i++) {
		const char *text =
		    list[i].line <= p->source.count ? p->source.lines[list[i].line - 1] : "";
		str_clear(&p->text);
		str_add(&p->text, "%*s^", source_text_column(text, list[i].column, TAB), "");
		put_row(p, 0, &list[i], p->text.text);
	}
}

static bool opens_function(const struct page *p, uint32_t line)
{
	const struct statement_function *f = p->s->functions + p->file->first_function;
	for (size_t i = 0; i < p->file->function_count; i++)
		if (f[i].line == line)
			return true;
	return false;
}

/* Returns whether there is any row. */
static bool put_rows(struct page *p)
{
	FILE *to = p->v->terminal.out;
	const struct statement *list = p->s->list;
	uint32_t next = 0;
	for (size_t i = p->file->first; i < p->file->end;) {
		size_t end = i + 1;
		uint32_t line = list[i].line;
		while (end < p->file->end && list[end].line == line)
			end++;
		if (options_want_line(p->v->options, line)) {
			bool gap = next && p->source.text && line - next < GAP + 1 &&
				   !opens_function(p, line);
			if (next && line > next && !gap)
				fputs("   ...\n", to);
			for (; gap && next < line; next++)
				put_line(p, next, NULL);
			put_line(p, line, &list[i]);
			put_columns(p, i, end);
			next = line + 1;
		}
		i = end;
	}
	return next;
}

static void print_functions(const struct page *p)
{
	FILE *to = p->v->terminal.out;
	char text[UNITS_TEXT];
	const struct statement_function *f = p->s->functions + p->file->first_function;
	for (size_t i = 0; i < p->file->function_count; i++) {
		if (p->v->options->last_line)
			continue;
		fprintf(
		    to, "%6u  %*s %*s %6s %%  in ", f[i].line, p->count_width,
		    units_count(text, f[i].count), STARS, "",
		    units_percent((char[UNITS_TEXT]){0}, (double)f[i].count, (double)p->s->total));
		visible_print(to, f[i].name);
		fputs("\n", to);
	}
}

static bool print_file(struct page *p)
{
	FILE *to = p->v->terminal.out;
	char text[UNITS_TEXT];
	const struct options *o = p->v->options;
	const char *path = path_of(p->v, p->s, p->file);
	struct source_place place = load_source(&p->v->load, p->s->list[p->file->first].file,
						o->source_paths, o->source_path_count);
	source_text_find(&p->source, &place);
	fputs("\n", to);
	visible_print(to, path);
	fprintf(to, "      %s executions\n", units_count(text, p->file->total));
	if (!p->source.text)
		fprintf(to, "  (%s)\n", str_text(&p->source.why));
	fprintf(to, "%6s  %*s|%-*s|%8s  source\n", "line", p->count_width, "count", STARS, "",
		"share");
	bool any = put_rows(p);
	print_functions(p);
	source_text_free(&p->source);
	return any;
}

static void make(struct statements *s, struct view *v)
{
	statements_make(s, &v->load, &v->options->filters);
	if (v->options->marked && s->count) {
		marked_keep(s, v);
		if (!s->count)
			say("nothing to show: no line is between ZPROF_COUNTS_ON and "
			    "ZPROF_COUNTS_OFF in a source that can be read");
	} else if (!s->count)
		say("nothing to show: no function that counts is selected, or its program or its "
		    "debug information is gone");
}

bool counts_view_print(struct view *v)
{
	struct statements s;
	struct file *files;
	char text[UNITS_TEXT];
	make(&s, v);
	struct page p = {.v = v, .s = &s, .count_width = 11};
	for (size_t i = 0; i < s.count; i++)
		p.most = s.list[i].count > p.most ? s.list[i].count : p.most;
	int width = (int)strlen(units_count(text, p.most));
	p.count_width = width > p.count_width ? width : p.count_width;
	size_t count = find_files(&s, &files);
	bool any = !count;
	if (s.count)
		print_head(v, &s);
	for (size_t i = 0; i < count; i++) {
		p.file = &files[i];
		any |= print_file(&p);
	}
	str_free(&p.text);
	free(files);
	statements_free(&s);
	return any;
}

/* ---- JSON */

static json_t *json_lines(const struct view *v, const struct statements *s, const struct file *f)
{
	json_t *lines = json_array(), *columns = NULL;
	for (size_t i = f->first; i < f->end; i++) {
		const struct statement *at = &s->list[i];
		if (!options_want_line(v->options, at->line))
			continue;
		json_t *o = json_pack("{s:I,s:I}", at->column ? "column" : "line",
				      (json_int_t)(at->column ? at->column : at->line), "count",
				      (json_int_t)at->count);
		json_array_append_new(at->column ? columns : lines, o);
		if (at->column)
			continue;
		columns = json_array();
		json_object_set_new(o, "columns", columns);
	}
	return lines;
}

static json_t *json_functions(const struct statements *s, const struct file *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->function_count; i++) {
		const struct statement_function *at = &s->functions[f->first_function + i];
		json_array_append_new(
		    list, json_pack("{s:o,s:I,s:I}", "name", view_json_text(at->name), "line",
				    (json_int_t)at->line, "count", (json_int_t)at->count));
	}
	return list;
}

bool counts_view_json(struct view *v)
{
	struct statements s;
	struct file *files;
	bool first = true;
	make(&s, v);
	size_t count = find_files(&s, &files);
	bool any = !count;
	view_json_member(v->terminal.out, "executions", json_integer((json_int_t)s.total));
	view_json_array(v->terminal.out, "files");
	for (size_t i = 0; i < count; i++) {
		json_t *lines = json_lines(v, &s, &files[i]);
		any |= json_array_size(lines) > 0;
		json_t *o =
		    json_pack("{s:o,s:o,s:o}", "file", view_json_text(path_of(v, &s, &files[i])),
			      "functions", json_functions(&s, &files[i]), "lines", lines);
		view_json_item(v->terminal.out, &first, o);
	}
	view_json_array_end(v->terminal.out);
	free(files);
	statements_free(&s);
	return any;
}
