/* SPDX-License-Identifier: MIT */
/* compare.c - see compare.h. */
#include "report/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/compare/compare_samples.h"
#include "report/callgraph/group_times.h"

/* ---- rows */

static bool same_row(const void *context, uint32_t item, const void *key)
{
	const struct compare_table *t = context;
	const struct compare_row *k = key;
	return t->rows[item].caller == k->caller && t->rows[item].callee == k->callee;
}

static size_t cells(const struct compare *c)
{
	return c->side_count * c->measures;
}

/* The sums of a row on a side; adds the row if it is missing. */
static struct mean_sum *sums_of(struct compare *c, struct compare_table *t, uint32_t caller,
				uint32_t callee, size_t side)
{
	struct compare_row key = {caller, callee, 0};
	uint64_t hash = lookup_hash(caller, callee);
	uint32_t row = lookup_find(&t->by_row, hash, same_row, t, &key);
	if (row == LOOKUP_NONE) {
		row = (uint32_t)t->count;
		*memory_next(t->rows, t->count, t->room) = key;
		lookup_add(&t->by_row, hash, row);
		while (t->count * cells(c) > t->sum_room)
			t->sums = memory_room(t->sums, t->sum_room, &t->sum_room, sizeof *t->sums);
	}
	t->rows[row].sides |= 1ull << side;
	return &t->sums[row * cells(c) + side * c->measures];
}

/* A row's values in one sample. Several zones of one row are added up to one sample. */
struct row_sample {
	struct mean_sample of[COMPARE_MEASURES];
	bool used;
};

static void measure(const struct compare *c, struct row_sample *m, uint64_t calls,
		    const struct cost *self, const struct cost *total)
{
	m->used = true;
	mean_measure(&m->of[COMPARE_CALLS], (double)calls, 0, 0, c->share);
	struct cost own = view_shown(c->v, self), all = view_shown(c->v, total ? total : self);
	mean_measure(&m->of[COMPARE_SELF], own.ns, cost_self_bar(&own), own.variance, c->share);
	if (total)
		mean_measure(&m->of[COMPARE_TOTAL], all.ns, cost_total_bar(&all), all.variance,
			     c->share);
	for (size_t i = COMPARE_COUNTERS; i < c->measures; i++)
		mean_measure(&m->of[i], (double)self->counter[i - COMPARE_COUNTERS], 0, 0,
			     c->share);
}

static void add_row(struct compare *c, struct compare_table *t, uint32_t caller, uint32_t callee,
		    size_t side, const struct row_sample *m)
{
	struct mean_sum *sums = sums_of(c, t, caller, callee, side);
	for (size_t i = 0; i < c->measures; i++)
		if (i < COMPARE_COUNTERS || c->columns >> (i - COMPARE_COUNTERS) & 1)
			mean_add(&sums[i], &m->of[i]);
}

static void add_functions(struct compare *c, size_t side, const struct derived *d)
{
	struct row_sample *rows = memory_zeroed(c->match.count, sizeof *rows);
	for (size_t i = 1; i < d->function_count; i++)
		if (derive_used(&d->functions[i]))
			measure(c, &rows[c->match.row_of[i]], d->functions[i].calls,
				&d->functions[i].self, &d->functions[i].total);
	for (size_t i = 1; i < c->match.count; i++)
		if (rows[i].used)
			add_row(c, &c->functions, MATCH_NONE, (uint32_t)i, side, &rows[i]);
	free(rows);
}

struct arc_place {
	uint32_t caller, callee, arc;
};

static int by_place(const void *left, const void *right)
{
	const struct arc_place *a = left, *b = right;
	return memory_order(a->callee, b->callee) ?: memory_order(a->caller, b->caller);
}

static void add_arcs(struct compare *c, size_t side, const struct derived *d)
{
	struct arc_place *p = memory_resize(NULL, d->arc_count, sizeof *p);
	for (size_t i = 0; i < d->arc_count; i++)
		p[i] = (struct arc_place){c->match.row_of[d->arcs[i].caller],
					  c->match.row_of[d->arcs[i].callee], (uint32_t)i};
	memory_sort(p, d->arc_count, by_place);
	for (size_t i = 0, end; i < d->arc_count; i = end) {
		struct row_sample m = {0};
		for (end = i; end < d->arc_count && !by_place(&p[i], &p[end]); end++) {
			const struct arc *a = &d->arcs[p[end].arc];
			measure(c, &m, a->calls, &a->parent_self, &a->parent_total);
		}
		add_row(c, &c->arcs, p[i].caller, p[i].callee, side, &m);
	}
	free(p);
}

static void add_groups(struct compare *c, size_t side, struct tree *sample)
{
	struct group_times g;
	struct tree *whole = c->v->tree;
	if (!c->v->groups.count)
		return;
	c->v->tree = sample;
	group_times_make(&g, c->v);
	for (size_t i = 0; i < g.count; i++) {
		struct row_sample m = {0};
		measure(c, &m, g.rows[i].calls, &g.rows[i].self, NULL);
		add_row(c, &c->groups, MATCH_NONE, (uint32_t)i, side, &m);
	}
	group_times_free(&g);
	c->v->tree = whole;
}

static void add_whole(struct compare *c, size_t side, const struct derived *d)
{
	struct row_sample m = {0};
	struct cost self = d->whole;
	self.error_ns = d->functions[0].total.all_error_ns;
	self.wait_error_ns = self.lengthened_ns;
	measure(c, &m, d->calls, &self, &d->whole);
	m.of[COMPARE_TOTAL] = m.of[COMPARE_SELF];
	add_row(c, &c->whole, MATCH_NONE, 0, side, &m);
}

/* ---- samples */

static size_t side_of(const struct compare *c, size_t process)
{
	size_t side = 0;
	while (process >= c->sides[side].set->end)
		side++;
	return side;
}

static void match_sides(struct compare *c)
{
	const struct tree *t = c->v->tree;
	size_t count = c->v->load.zones.count;
	uint64_t *sides = memory_zeroed(count, sizeof *sides);
	uint64_t *of_thread = memory_zeroed(t->thread_count, sizeof *of_thread);
	for (size_t i = 0; i < t->thread_count; i++)
		of_thread[i] = 1ull << side_of(c, t->threads[i].process);
	for (size_t i = 0; i < t->count; i++)
		sides[t->nodes[i].zone] |= of_thread[t->nodes[i].thread];
	match_zones(&c->match, &c->v->load.zones, sides, (2ull << (c->side_count - 1)) - 1);
	free(of_thread);
	free(sides);
}

static void add_sample(void *context, size_t side, struct tree *sample)
{
	struct compare *c = context;
	struct derived d;
	for (size_t i = 0; i < COST_COUNTERS; i++)
		c->sides[side].counted[i] += c->columns >> i & 1;
	derive(&d, sample, c->v->load.zones.count);
	add_functions(c, side, &d);
	add_arcs(c, side, &d);
	add_groups(c, side, sample);
	add_whole(c, side, &d);
	derive_free(&d);
}

/* How many samples a mean of a side is over. Those without a counter are not zeros. */
static size_t samples_with(const struct compare_side *s, size_t measure)
{
	return measure < COMPARE_COUNTERS ? s->samples : s->counted[measure - COMPARE_COUNTERS];
}

static void finish(struct compare *c, struct compare_table *t)
{
	t->values = memory_resize(NULL, t->count * cells(c), sizeof *t->values);
	for (size_t i = 0; i < t->count * cells(c); i++)
		t->values[i] =
		    mean_of(&t->sums[i],
			    samples_with(&c->sides[i % cells(c) / c->measures], i % c->measures));
	free(t->sums);
	t->sums = NULL;
}

static void select_rows(struct compare *c)
{
	struct view *v = c->v;
	derive(&c->all, v->tree, v->load.zones.count);
	bool *zones =
	    filters_select(&v->options->filters, &c->all, &v->load.zones, &v->groups, v->measure);
	c->shown = memory_zeroed(c->match.count, sizeof *c->shown);
	for (size_t i = 1; i < v->load.zones.count; i++)
		if (zones[i] && c->match.row_of[i] != MATCH_NONE)
			c->shown[c->match.row_of[i]] = true;
	free(zones);
}

void compare_make(struct compare *c, struct view *v, bool sum)
{
	*c = (struct compare){.v = v, .sum = sum, .side_count = v->options->set_count};
	c->measures = COMPARE_COUNTERS + v->load.column_count;
	for (size_t i = 0; i < c->side_count; i++) {
		const struct load_set *set = &v->options->sets[i];
		const char *frame = v->load.processes[set->first].frame;
		const char *name = frame        ? frame
				   : set->name  ? set->name
				   : set->count ? set->paths[0]
						: ".";
		c->sides[i].set = set;
		c->sides[i].name = memory_text(name, strlen(name));
	}
	match_sides(c);
	compare_samples_each(c, add_sample, c);
	finish(c, &c->functions);
	finish(c, &c->arcs);
	finish(c, &c->groups);
	finish(c, &c->whole);
	select_rows(c);
}

static void free_table(struct compare_table *t)
{
	free(t->rows);
	free(t->values);
	lookup_free(&t->by_row);
}

void compare_free(struct compare *c)
{
	free_table(&c->functions);
	free_table(&c->arcs);
	free_table(&c->groups);
	free_table(&c->whole);
	match_free(&c->match);
	derive_free(&c->all);
	free(c->shown);
	for (size_t i = 0; i < c->side_count; i++)
		free(c->sides[i].name);
	*c = (struct compare){0};
}

/* ---- answers about the comparison */

const struct mean *compare_at(const struct compare *c, const struct compare_table *t, size_t row,
			      size_t side, size_t measure)
{
	return &t->values[row * cells(c) + side * c->measures + measure];
}

bool compare_has(const struct compare *c, const struct compare_table *t, size_t measure)
{
	if (c->v->sampled && measure == COMPARE_CALLS)
		return false;
	if (c->v->counts_only && (measure == COMPARE_SELF || measure == COMPARE_TOTAL))
		return false;
	return t != &c->groups || measure != COMPARE_TOTAL;
}

bool compare_lacks(const struct compare *c, size_t side, size_t measure)
{
	return !samples_with(&c->sides[side], measure);
}

const char *compare_why_missing(const struct compare *c)
{
	return c->v->sampled ? "a profile was sampled from outside, and has no calls"
			     : "the profiles hold calls only (clock=count)";
}

struct compare_change compare_change(const struct compare *c, const struct compare_table *t,
				     size_t row, size_t measure)
{
	const struct mean *a = compare_at(c, t, row, 0, measure);
	const struct mean *b = compare_at(c, t, row, c->side_count - 1, measure);
	struct compare_change d = {.known = !compare_lacks(c, 0, measure) &&
					    !compare_lacks(c, c->side_count - 1, measure),
				   .before = a->value,
				   .after = b->value};
	if (d.known) {
		d.change = b->value - a->value;
		d.bar = hypot(a->bar, b->bar);
		d.ratio = a->value > 0 ? b->value / a->value : 0;
	}
	return d;
}

bool compare_changed(const struct compare_change *d)
{
	return fabs(d->change) > d->bar;
}

const char *compare_measure_name(const struct compare *c, size_t measure)
{
	static const char *const names[] = {"calls", "self", "total"};
	return measure < COMPARE_COUNTERS ? names[measure]
					  : c->v->load.columns[measure - COMPARE_COUNTERS];
}

size_t compare_measure_find(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->measures; i++)
		if (!strcmp(name, compare_measure_name(c, i)))
			return i;
	return COMPARE_NONE;
}

static void add_function(const struct compare *c, uint32_t row, struct str *name)
{
	const struct match_row *m = &c->match.rows[row];
	str_add(name, "%s", row ? view_zone_name(c->v, m->zone) : "<spontaneous>");
	if (m->earlier)
		str_add(name, " (was %s)", view_zone_name(c->v, m->earlier));
}

void compare_row_name(const struct compare *c, const struct compare_table *t, size_t row,
		      struct str *name)
{
	const struct compare_row *r = &t->rows[row];
	str_clear(name);
	if (t == &c->whole) {
		str_add(name, "whole");
		return;
	}
	if (t == &c->groups) {
		str_add(name, "%s", group_times_name(c->v, r->callee));
		return;
	}
	if (r->caller != MATCH_NONE) {
		add_function(c, r->caller, name);
		str_add(name, " > ");
	}
	add_function(c, r->callee, name);
}

void compare_text(const struct compare *c, size_t measure, double value, bool sign,
		  struct str *text)
{
	char number[UNITS_TEXT];
	double size = fabs(value);
	bool time = measure == COMPARE_SELF || measure == COMPARE_TOTAL;
	str_clear(text);
	if (sign || (value < 0 && !time))
		str_add(text, "%s", value < 0 ? "-" : "+");
	if (time)
		str_add(text, "%s", view_time(c->v, number, sign ? size : value));
	else if (size < 1e15 && size != floor(size))
		str_add(text, "%.1f", size);
	else
		str_add(text, "%s", units_count(number, (uint64_t)size));
}
