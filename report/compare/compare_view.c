/* SPDX-License-Identifier: MIT */
/* compare_view.c - see compare.h: the text; compare_json.c has the JSON. */
#include "report/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"

/* ---- the head */

static const struct process *first_of(const struct compare *c, size_t side)
{
	return &c->v->load.processes[c->sides[side].set->first];
}

void compare_side_label(const struct compare *c, size_t side, struct str *to)
{
	if (c->side_count == 2)
		str_add(to, "%s", side ? "after" : "before");
	else
		str_add(to, "side %zu", side + 1);
}

void compare_view_origin(const struct compare *c, size_t side, struct str *to)
{
	char when[UNITS_TEXT];
	const struct process *p = first_of(c, side);
	units_moment(when, p->header.start_realtime_ns);
	str_add(to, "recorded %s, build-id %s", *when ? when : "at an unknown time",
		*p->build_id ? p->build_id : "unknown");
}

static bool is_sampled(const struct compare *c, size_t side)
{
	const struct load_set *set = c->sides[side].set;
	for (size_t i = set->first; i < set->end; i++)
		if (c->v->load.processes[i].header.flags & ZPROF_SAMPLED)
			return true;
	return false;
}

/* Of sides sampled from outside, times alone are compared, and those only with each other's. */
static void add_sampled_note(struct str *to, const struct compare *c)
{
	size_t sampled = 0;
	for (size_t i = 0; i < c->side_count; i++)
		sampled += is_sampled(c, i);
	if (sampled == c->side_count)
		str_add(to, "note: both sides were sampled from outside: times are compared, and "
			    "calls, which nobody counted, are not\n");
	else if (sampled)
		str_add(to,
			"note: a side was sampled from outside, and one has hooks: calls are not "
			"compared; the sampled side has functions of libraries by themselves, the "
			"other has their time in the functions that called them\n");
}

static void add_side(struct str *to, const struct compare *c, size_t i)
{
	char number[UNITS_TEXT];
	const struct compare_side *s = &c->sides[i];
	const struct process *first = first_of(c, i);
	size_t processes = 0;
	for (size_t k = s->set->first; k < s->set->end; k++)
		processes += c->v->load.processes[k].processes;
	struct str text = {0};
	if (c->side_count == 2)
		str_add(&text, "%s", i ? "after:  " : "before: ");
	else
		str_add(&text, "%zu: ", i + 1);
	str_add(&text, "%s", s->name);
	if (s->set->count > 1)
		str_add(&text, " and %s more", units_count(number, s->set->count - 1));
	str_add(&text, "  (%s)", *first->command ? first->command : first->path);
	visible_add(to, text.text);
	str_add(to, ": %s", units_of(number, s->runs, "run"));
	if (processes != s->runs)
		str_add(to, " of %s in all", units_of(number, processes, "process"));
	compare_text(c, COMPARE_CALLS, compare_at(c, &c->whole, 0, i, COMPARE_CALLS)->value, false,
		     &text);
	if (is_sampled(c, i))
		str_add(to, ", sampled");
	else
		str_add(to, ", %s call%s", text.text, strcmp(text.text, "1") ? "s" : "");
	if (compare_has(c, &c->whole, COMPARE_SELF)) {
		double ns = compare_at(c, &c->whole, 0, i, COMPARE_SELF)->value;
		str_add(to, ", %s%s", view_time(c->v, number, ns), c->v->fake ? " ticks" : "");
		if (s->elapsed_ns > 0 && !c->v->fake)
			str_add(to, ", elapsed %s", units_time(number, s->elapsed_ns, false));
	}
	str_add(to, "%s\n", s->runs > 1 && !c->sum ? ", a run" : "");
	if (compare_asked(c)->fail_count) {
		str_add(to, "        ");
		compare_view_origin(c, i, to);
		str_add(to, "\n");
	}
	str_free(&text);
}

/* Adds the notes of each side that is a frame. */
static void add_frame_notes(struct str *to, const struct compare *c)
{
	for (size_t i = 0; i < c->side_count; i++) {
		const struct process *p = first_of(c, i);
		if (!p->frame || !p->note_count)
			continue;
		str_add(to, "note: ");
		visible_add(to, p->notes[p->note_count - 1]);
		str_add(to, "\n");
	}
}

/* Names the counters that a side was recorded without. */
static void add_lacking(struct str *to, const struct compare *c)
{
	for (size_t i = 0; i < c->side_count; i++) {
		struct str names = {0};
		for (size_t m = COMPARE_COUNTERS; m < c->measures; m++) {
			if (!compare_lacks(c, i, m))
				continue;
			str_add(&names, "%s", names.used ? ", " : "");
			visible_add(&names, compare_measure_name(c, m));
		}
		if (names.used) {
			str_add(to, "note: ");
			compare_side_label(c, i, to);
			str_add(to, ": recorded without %s; no change there is known\n",
				names.text);
		}
		str_free(&names);
	}
}

static size_t nameless(const struct compare *c)
{
	size_t count = 0;
	for (size_t i = 1; i < c->match.count; i++) {
		const struct match_row *r = &c->match.rows[i];
		bool everywhere = r->sides == c->match.rows[0].sides;
		count += !everywhere && c->v->load.zones.list[r->zone].nameless;
	}
	return count;
}

char *compare_view_head(const struct compare *c)
{
	struct str text = {0}, filters = {0};
	bool one = true;
	for (size_t i = 0; i < c->side_count; i++) {
		add_side(&text, c, i);
		one = one && c->sides[i].samples == 1 && !first_of(c, i)->frame;
	}
	filters_describe(&c->v->options->filters, &filters);
	if (filters.used) {
		visible_add(&text, filters.text);
		str_add(&text, "\n");
	}
	add_frame_notes(&text, c);
	add_sampled_note(&text, c);
	add_lacking(&text, c);
	if (one && !c->v->counts_only && !c->v->fake)
		str_add(&text,
			"note: one run on each side: the error bars do not know how times differ "
			"from run to run; record several on each side\n");
	if (nameless(c))
		str_add(
		    &text,
		    "note: %s without a known name cannot be matched; 'zprof merge' keeps names "
		    "while the program's file is there\n",
		    units_of((char[UNITS_TEXT]){0}, nameless(c), "function"));
	str_free(&filters);
	return text.text;
}

static void print_head(const struct compare *c)
{
	char *text = compare_view_head(c);
	wrap_print(&c->v->terminal, text);
	free(text);
}

/* ---- two sides */

#define ABSENT "-" /* stands where a side has no such number */

enum { MEASURE, BEFORE, BEFORE_BAR, AFTER, AFTER_BAR, CHANGE, CHANGE_BAR, RATIO, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [MEASURE] = {.head = "", .least = 5},
    [BEFORE] = {.head = "before", .right = true, .gap = 2, .least = 8},
    [BEFORE_BAR] = {.head = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    [AFTER] = {.head = "after", .right = true, .gap = 2, .least = 8},
    [AFTER_BAR] = {.head = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    [CHANGE] = {.head = "change", .right = true, .gap = 2, .least = 8},
    [CHANGE_BAR] = {.head = "+-", .right = true, .gap = 1, .least = 4, .optional = true},
    [RATIO] = {.head = "ratio", .right = true, .gap = 2, .least = 6},
    [NAME] = {.head = "", .gap = 2},
};

static void bar_cell(const struct compare *c, struct table *t, int column, size_t measure,
		     double bar)
{
	struct str text = {0};
	if (bar > 0)
		compare_text(c, measure, bar, false, &text);
	table_cell(t, column, "%s", str_text(&text));
	str_free(&text);
}

static void ratio_cell(struct table *t, uint64_t sides, const struct compare_change *d)
{
	if (!d->known)
		table_cell(t, RATIO, ABSENT);
	else if (sides == 1)
		table_cell(t, RATIO, "gone");
	else if (sides == 2)
		table_cell(t, RATIO, "new");
	else if (d->ratio >= 100)
		table_cell(t, RATIO, "%s", units_digits((char[UNITS_TEXT]){0}, d->ratio));
	else if (d->ratio > 0)
		table_cell(t, RATIO, "%.3f", d->ratio);
}

static void value_cell(const struct compare *c, struct table *t, int column, size_t side,
		       size_t measure, double value)
{
	struct str text = {0};
	compare_text(c, measure, value, false, &text);
	table_cell(t, column, "%s", compare_lacks(c, side, measure) ? ABSENT : text.text);
	str_free(&text);
}

static void add_line(const struct compare *c, const struct compare_table *from, size_t row,
		     size_t measure, const char *name, struct table *t)
{
	size_t last = c->side_count - 1;
	struct str text = {0};
	struct compare_change d = compare_change(c, from, row, measure);
	table_row(t, *name ? TABLE_STRONG : TABLE_PLAIN);
	table_cell(t, MEASURE, "%s", compare_measure_name(c, measure));
	value_cell(c, t, BEFORE, 0, measure, d.before);
	bar_cell(c, t, BEFORE_BAR, measure, compare_at(c, from, row, 0, measure)->bar);
	value_cell(c, t, AFTER, last, measure, d.after);
	bar_cell(c, t, AFTER_BAR, measure, compare_at(c, from, row, last, measure)->bar);
	compare_text(c, measure, d.change, true, &text);
	table_cell(t, CHANGE, "%s", !d.known ? ABSENT : d.change == 0 ? "0" : text.text);
	bar_cell(c, t, CHANGE_BAR, measure, d.bar);
	ratio_cell(t, from->rows[row].sides, &d);
	table_tail(t, NAME, name);
	str_free(&text);
}

/* Adds where a row's function is in the source of the last side; for an arc, nothing. */
static void add_place(const struct compare *c, const struct compare_table *from, size_t row,
		      struct str *name)
{
	struct str place = {0};
	const struct compare_row *r = &from->rows[row];
	if (from == &c->functions) {
		view_place(&c->v->load.zones.list[c->match.rows[r->callee].zone], &place);
		str_add(name, "%s%s", place.used ? "  " : "", str_text(&place));
	}
	str_free(&place);
}

static bool line_shown(const struct compare *c, const struct compare_table *from, size_t row,
		       size_t measure)
{
	const char *only = compare_asked(c)->measure;
	struct compare_change d = compare_change(c, from, row, measure);
	if (!compare_has(c, from, measure))
		return false;
	if (only)
		return !strcmp(only, compare_measure_name(c, measure));
	return c->v->options->all || compare_changed(&d);
}

static void add_rows(const struct compare *c, const struct compare_table *from, size_t row,
		     struct table *t)
{
	struct str name = {0};
	compare_row_name(c, from, row, &name);
	add_place(c, from, row, &name);
	for (size_t m = 0; m < c->measures; m++) {
		if (!line_shown(c, from, row, m))
			continue;
		add_line(c, from, row, m, str_text(&name), t);
		str_clear(&name);
	}
	str_free(&name);
}

/* Whether the measure that is asked for is known of one side alone. */
static bool is_on_one_side(const struct compare *c)
{
	const char *only = compare_asked(c)->measure;
	size_t measure = only ? compare_measure_find(c, only) : COMPARE_CALLS;
	return compare_lacks(c, 0, measure) || compare_lacks(c, c->side_count - 1, measure);
}

static void print_changes(const struct compare *c, const struct compare_table *from,
			  const char *heading)
{
	FILE *to = c->v->terminal.out;
	struct table t;
	char some[UNITS_TEXT], of[UNITS_TEXT];
	size_t count, limit = c->v->options->filters.limit, all;
	free(compare_order(c, from, false, &all));
	size_t *order = compare_order(c, from, !c->v->options->all, &count);
	size_t shown = limit && limit < count ? limit : count;
	fprintf(to, "\n%s", heading);
	if (count < all)
		fprintf(to, ", %s of %s %s", units_count(some, count), units_count(of, all),
			is_on_one_side(c) ? "have a number, on one side"
					  : "changed beyond their error");
	if (shown < count)
		fprintf(to, ", the first %s", units_count(some, shown));
	fputs(count ? ":\n" : "\n", to);
	table_init(&t, columns, COLUMNS);
	for (size_t i = 0; i < shown; i++)
		add_rows(c, from, order[i], &t);
	if (count)
		table_print(&t, &c->v->terminal);
	table_free(&t);
	free(order);
}

/* ---- a series */

#define SERIES_COLUMNS (COMPARE_SIDES + 1)

static void print_series(const struct compare *c, const struct compare_table *from,
			 const char *heading, size_t measure)
{
	FILE *to = c->v->terminal.out;
	struct table_column all[SERIES_COLUMNS];
	char heads[COMPARE_SIDES][16];
	struct table t;
	struct str text = {0};
	int sides = (int)c->side_count;
	size_t count, limit = c->v->options->filters.limit;
	size_t *order = compare_order(c, from, false, &count);
	for (int i = 0; i < sides; i++) {
		snprintf(heads[i], sizeof heads[i], "%d", i + 1);
		all[i] = (struct table_column){
		    .head = heads[i], .right = true, .gap = i ? 2 : 0, .least = 8};
	}
	all[sides] = (struct table_column){.head = "", .gap = 2};
	table_init(&t, all, sides + 1);
	for (size_t i = 0; i < count && (!limit || i < limit); i++) {
		table_row(&t, TABLE_PLAIN);
		for (int k = 0; k < sides; k++) {
			bool there = from->rows[order[i]].sides >> k & 1 &&
				     !compare_lacks(c, (size_t)k, measure);
			compare_text(c, measure,
				     compare_at(c, from, order[i], (size_t)k, measure)->value,
				     false, &text);
			table_cell(&t, k, "%s", there ? text.text : ABSENT);
		}
		compare_row_name(c, from, order[i], &text);
		table_tail(&t, sides, str_text(&text));
	}
	fprintf(to, "\n%s: %s\n", heading, compare_measure_name(c, measure));
	table_print(&t, &c->v->terminal);
	table_free(&t);
	str_free(&text);
	free(order);
}

void compare_view_print(const struct compare *c)
{
	const char *name = compare_asked(c)->measure;
	size_t measure = c->v->counts_only ? COMPARE_CALLS : COMPARE_SELF;
	if (name)
		measure = compare_measure_find(c, name);
	print_head(c);
	if (c->side_count == 2) {
		if (c->groups.count)
			print_changes(c, &c->groups, "Groups");
		print_changes(c, &c->functions, "Functions");
		print_changes(c, &c->arcs, "Arcs");
	} else {
		if (c->groups.count && compare_has(c, &c->groups, measure))
			print_series(c, &c->groups, "Groups", measure);
		print_series(c, &c->functions, "Functions", measure);
	}
}
