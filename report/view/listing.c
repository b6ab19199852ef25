/* SPDX-License-Identifier: MIT */
/* listing.c - see listing.h. Ties are sorted by name and then by number, so that the same input
 * gives the same output. */
#define _GNU_SOURCE
#include "report/view/listing.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"

struct ordering {
	const struct derived *d;
	const struct zones *zones;
	enum filter_sort sort;
	size_t counter;
};

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_key(const struct ordering *o, const struct function *a, const struct function *b)
{
	switch (o->sort) {
	case FILTER_SORT_SELF:
		return more_first(cost_self_weight(&a->self), cost_self_weight(&b->self));
	case FILTER_SORT_CALLS:
		return (a->calls < b->calls) - (a->calls > b->calls);
	case FILTER_SORT_ERROR:
		return more_first(cost_self_bar(&a->self), cost_self_bar(&b->self));
	case FILTER_SORT_NAME:
		return 0;
	case FILTER_SORT_COUNTER:
		return more_first((double)a->total.counter[o->counter],
				  (double)b->total.counter[o->counter]);
	default:
		return more_first(cost_total_weight(&a->total), cost_total_weight(&b->total));
	}
}

static int compare(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	const struct function *a = &o->d->functions[l], *b = &o->d->functions[r];
	int order = by_key(o, a, b);
	if (!order && o->sort != FILTER_SORT_NAME)
		order = more_first(cost_total_weight(&a->total), cost_total_weight(&b->total));
	if (!order && o->sort != FILTER_SORT_NAME)
		order = (a->calls < b->calls) - (a->calls > b->calls);
	if (!order)
		order = strverscmp(o->zones->list[l].name, o->zones->list[r].name);
	return order ? order : (l > r) - (l < r);
}

static size_t sorted(uint32_t *to, const bool *in, const struct view *v, const struct derived *d,
		     enum filter_sort sort)
{
	struct ordering o = {d, &v->load.zones, sort, v->options->filters.sort_counter};
	size_t count = 0;
	for (size_t i = 1; i < d->function_count; i++)
		if (in ? in[i] : derive_used(&d->functions[i]))
			to[count++] = (uint32_t)i;
	qsort_r(to, count, sizeof *to, compare, &o);
	return count;
}

void listing_make(struct listing *l, const struct view *v, const struct derived *d,
		  enum filter_sort sort)
{
	const struct filters *f = &v->options->filters;
	l->index = memory_zeroed(d->function_count, sizeof *l->index);
	l->shown = memory_zeroed(d->function_count, sizeof *l->shown);
	size_t count = sorted(l->shown, NULL, v, d, FILTER_SORT_TOTAL);
	for (size_t i = 0; i < count; i++)
		l->index[l->shown[i]] = (uint32_t)i + 1;
	l->is_shown = filters_select(f, d, &v->load.zones, &v->groups);
	l->shown_count =
	    sorted(l->shown, l->is_shown, v, d, f->sort == FILTER_SORT_DEFAULT ? sort : f->sort);
	while (f->limit && l->shown_count > f->limit)
		l->is_shown[l->shown[--l->shown_count]] = false;
	if (!l->shown_count)
		view_say_empty(v, d);
}

void listing_free(struct listing *l)
{
	free(l->index);
	free(l->shown);
	free(l->is_shown);
}
