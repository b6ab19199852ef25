/* SPDX-License-Identifier: MIT */
/* annotate_instructions.c - see instructions.h: the text and the JSON of `zprof annotate --asm`. */
#include <stdio.h>
#include <stdlib.h>

#include "report/annotate/instructions.h"
#include "report/core/base/memory.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"

#define TAB 4

enum { LINE, CALLS, OWN, OWN_BAR, ADDRESS, TEXT, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [LINE] = {.head = "line", .right = true, .least = 5, .optional = true},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 6, .optional = true},
    [OWN] = {.head = "here", .right = true, .gap = 2, .least = 7},
    [OWN_BAR] = {.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true},
    [ADDRESS] = {.head = "address", .right = true, .gap = 2, .least = 6},
    [TEXT] = {.head = "instruction", .gap = 2},
};

struct page {
	const struct annotate *a;
	const struct instructions *in;
	struct source_text *sources; /* by file, read when a line of it is wanted */
	bool *read;
	struct table table;
	struct str text;
};

/* ---- rows */

static const struct source_text *source_of(struct page *p, uint32_t file)
{
	const struct view *v = p->a->view;
	if (!p->read[file]) {
		struct source_place place = load_source(&v->load, file, v->options->source_paths,
							v->options->source_path_count);
		source_text_find(&p->sources[file], &place);
		p->read[file] = true;
	}
	return &p->sources[file];
}

/* Puts the line that the next instructions are of; and its file, where it is another than before. */
static void put_line(struct page *p, const struct instruction *i, uint32_t file_before)
{
	const struct source_text *s = source_of(p, i->file);
	if (file_before && file_before != i->file) {
		table_row(&p->table, TABLE_FAINT);
		table_tail(&p->table, TEXT, p->a->view->load.places.files[i->file]);
	}
	table_row(&p->table, TABLE_STRONG);
	table_cell(&p->table, LINE, "%u", i->line);
	str_clear(&p->text);
	if (i->line <= s->count)
		source_text_expand(&p->text, s->lines[i->line - 1], TAB);
	table_tail(&p->table, TEXT, str_text(&p->text));
}

static void put_instruction(struct page *p, const struct instruction *i)
{
	const struct view *v = p->a->view;
	char text[UNITS_TEXT];
	table_row(&p->table, TABLE_PLAIN);
	if (i->calls)
		table_cell(&p->table, CALLS, "x%s", view_calls(v, text, i->calls));
	if (i->has_own && !v->counts_only) {
		double bar = view_self_bar(v, &i->own);
		table_cell(&p->table, OWN, "%s", view_bounded(v, text, i->own.ns, bar));
		table_cell(&p->table, OWN_BAR, "%s", view_bar(v, text, i->own.ns, bar));
	}
	table_cell(&p->table, ADDRESS, "%llx", (unsigned long long)i->address);
	str_clear(&p->text);
	str_add(&p->text, "    %s", instructions_text(p->in, i));
	table_tail(&p->table, TEXT, str_text(&p->text));
}

static void put_rows(struct page *p, const struct code_part *part)
{
	const struct instruction *before = NULL;
	uint32_t file = p->a->view->load.zones.list[part->zone].line
			    ? places_file(&p->a->view->load.places,
					  p->a->view->load.zones.list[part->zone].file)
			    : 0;
	for (size_t n = 0; n < part->count; n++) {
		const struct instruction *i = &part->list[n];
		if (i->line && !options_want_line(p->a->view->options, i->line))
			continue;
		if (i->file && (!before || before->file != i->file || before->line != i->line)) {
			put_line(p, i, file);
			file = i->file;
		}
		put_instruction(p, i);
		before = i;
	}
}

/* ---- the text */

/* `march, sim.c:120`; or, of its time elsewhere, `march, in march.cold`. */
static void print_head(const struct page *p, const struct code_part *part)
{
	struct view *v = p->a->view;
	const struct zone *z = &v->load.zones.list[part->zone];
	FILE *to = v->terminal.out;
	visible_print(to, view_zone_name(v, part->zone));
	if (part->name) {
		fputs(", in ", to);
		visible_print(to, part->name);
	} else if (z->line) {
		fputs(", ", to);
		visible_print(to, z->file);
		fprintf(to, ":%u", z->line);
	}
	fputs("\n", to);
}

static bool print_part(struct page *p, const struct code_part *part, bool first)
{
	table_init(&p->table, columns, COLUMNS);
	put_rows(p, part);
	bool any = p->table.row_count;
	if (any) {
		fputs(first ? "" : "\n", p->a->view->terminal.out);
		print_head(p, part);
		table_print(&p->table, &p->a->view->terminal);
	}
	table_free(&p->table);
	return any;
}

bool annotate_print_instructions(struct annotate *a)
{
	bool any = false;
	struct instructions in;
	instructions_make(&in, a);
	size_t files = a->view->load.places.file_count;
	struct page p = {.a = a,
			 .in = &in,
			 .sources = memory_zeroed(files, sizeof *p.sources),
			 .read = memory_zeroed(files, sizeof *p.read)};
	for (size_t i = 0; i < in.count; i++)
		any |= print_part(&p, &in.parts[i], !any);
	if (!in.count)
		fputs("No sample lies in a function that is shown, and no call is known to come "
		      "from one.\n",
		      a->view->terminal.out);
	if (in.why.used)
		fprintf(a->view->terminal.out, "%s%s.\n", in.count ? "\n" : "", in.why.text);
	for (size_t i = 0; i < files; i++)
		if (p.read[i])
			source_text_free(&p.sources[i]);
	free(p.sources);
	free(p.read);
	str_free(&p.text);
	instructions_free(&in);
	return any;
}

/* ---- JSON */

static json_t *json_instruction(const struct annotate *a, const struct instructions *in,
				const struct instruction *i)
{
	json_t *o = json_object();
	json_object_set_new(o, "address", json_integer((json_int_t)i->address));
	json_object_set_new(o, "bytes", json_integer(i->size));
	json_object_set_new(o, "text", view_json_text(instructions_text(in, i)));
	json_object_set_new(
	    o, "file", i->file ? view_json_text(a->view->load.places.files[i->file]) : json_null());
	json_object_set_new(o, "line", i->file ? json_integer(i->line) : json_null());
	json_object_set_new(o, "calls", view_json_calls(a->view, i->calls));
	json_object_set_new(o, "own_ns", i->has_own ? json_real(i->own.ns) : json_null());
	json_object_set_new(o, "own_error_ns",
			    i->has_own ? json_real(view_self_bar(a->view, &i->own)) : json_null());
	return o;
}

static json_t *json_part(const struct annotate *a, const struct instructions *in,
			 const struct code_part *p, bool *any)
{
	json_t *o = json_object(), *list = json_array();
	json_object_set_new(o, "name", view_json_text(a->view->load.zones.list[p->zone].name));
	json_object_set_new(o, "part", p->name ? view_json_text(p->name) : json_null());
	json_object_set_new(o, "address", json_integer((json_int_t)p->start));
	json_object_set_new(o, "bytes", json_integer((json_int_t)p->size));
	for (size_t i = 0; i < p->count; i++)
		if (!p->list[i].line || options_want_line(a->view->options, p->list[i].line))
			json_array_append_new(list, json_instruction(a, in, &p->list[i]));
	*any |= json_array_size(list) > 0;
	json_object_set_new(o, "instructions", list);
	return o;
}

bool annotate_json_instructions(struct annotate *a)
{
	FILE *to = a->view->terminal.out;
	struct instructions in;
	bool first = true, any = false;
	instructions_make(&in, a);
	view_json_array(to, "code");
	for (size_t i = 0; i < in.count; i++)
		view_json_item(to, &first, json_part(a, &in, &in.parts[i], &any));
	view_json_array_end(to);
	view_json_member(to, "code_missing",
			 in.why.used ? view_json_text(in.why.text) : json_null());
	instructions_free(&in);
	return any;
}
