/* SPDX-License-Identifier: MIT */
/* compare_order.c - see compare.h: which rows of a comparison are shown, and in which order. */
#define _GNU_SOURCE
#include "report/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

struct ordering {
	const struct compare *c;
	const struct compare_table *t;
	size_t measure;
	bool by_name, by_bar;
};

static double weight(const struct ordering *o, size_t row)
{
	struct compare_change d = compare_change(o->c, o->t, row, o->measure);
	if (o->c->side_count != 2)
		return d.after;
	if (!d.known) /* one side alone has a value */
		return fabs(d.before + d.after);
	return o->by_bar ? d.bar : fabs(d.change);
}

static int by_name(const struct ordering *o, size_t l, size_t r)
{
	struct str a = {0}, b = {0};
	compare_row_name(o->c, o->t, l, &a);
	compare_row_name(o->c, o->t, r, &b);
	int order = strverscmp(str_text(&a), str_text(&b));
	str_free(&a);
	str_free(&b);
	return order;
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	size_t l = *(const size_t *)left, r = *(const size_t *)right;
	if (!o->by_name) {
		double a = weight(o, l), b = weight(o, r);
		if (a != b)
			return a < b ? 1 : -1;
	}
	int order = by_name(o, l, r);
	return order ? order : (l > r) - (l < r);
}

/* Whether a row has changed: in the measure that --measure names, or without it in any measure. */
static bool is_changed(const struct compare *c, const struct compare_table *t, size_t row)
{
	const char *only = compare_asked(c)->measure;
	for (size_t m = 0; m < c->measures; m++) {
		struct compare_change d = compare_change(c, t, row, m);
		bool meant = !only || m == compare_measure_find(c, only);
		if (only && meant && !d.known)
			return d.before + d.after != 0;
		if (meant && compare_has(c, t, m) && compare_changed(&d))
			return true;
	}
	return false;
}

static bool is_shown(const struct compare *c, const struct compare_table *t, size_t row)
{
	const struct compare_row *r = &t->rows[row];
	if (t == &c->groups || t == &c->whole)
		return true;
	return c->shown[r->callee] || (r->caller != MATCH_NONE && c->shown[r->caller]);
}

size_t *compare_order(const struct compare *c, const struct compare_table *t, bool only,
		      size_t *count)
{
	const struct filters *f = &c->v->options->filters;
	struct ordering o = {c, t, c->v->counts_only ? COMPARE_CALLS : COMPARE_SELF,
			     f->sort == FILTER_SORT_NAME, f->sort == FILTER_SORT_ERROR};
	const char *measure = compare_asked(c)->measure;
	if (measure && compare_has(c, t, compare_measure_find(c, measure)))
		o.measure = compare_measure_find(c, measure);
	if (f->sort == FILTER_SORT_CALLS)
		o.measure = COMPARE_CALLS;
	else if (f->sort == FILTER_SORT_TOTAL)
		o.measure = COMPARE_TOTAL;
	else if (f->sort == FILTER_SORT_COUNTER)
		o.measure = COMPARE_COUNTERS + f->sort_counter;
	size_t *order = memory_resize(NULL, t->count, sizeof *order);
	*count = 0;
	for (size_t i = 0; i < t->count; i++)
		if (is_shown(c, t, i) && (!only || is_changed(c, t, i)))
			order[(*count)++] = i;
	qsort_r(order, *count, sizeof *order, compare_rows, &o);
	return order;
}
