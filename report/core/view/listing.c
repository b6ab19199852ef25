/* SPDX-License-Identifier: MIT */
/* listing.c - see listing.h. Ties are sorted by name and then by number, so that the same input
 * gives the same output. */
#define _GNU_SOURCE
#include "report/core/view/listing.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

struct ordering {
	const struct view *v;
	const struct derived *d;
	enum filter_sort sort;
	size_t counter;
};

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

static double self_weight(const struct view *v, const struct function *f)
{
	struct cost self = view_shown(v, &f->self);
	return cost_self_weight(&self);
}

static double total_weight(const struct view *v, const struct function *f)
{
	struct cost total = view_shown(v, &f->total);
	return cost_total_weight(&total);
}

static double self_bar(const struct view *v, const struct function *f)
{
	struct cost self = view_shown(v, &f->self);
	return cost_self_bar(&self);
}

static int by_key(const struct ordering *o, const struct function *a, const struct function *b)
{
	switch (o->sort) {
	case FILTER_SORT_SELF:
		return more_first(self_weight(o->v, a), self_weight(o->v, b));
	case FILTER_SORT_CALLS:
		return (a->calls < b->calls) - (a->calls > b->calls);
	case FILTER_SORT_ERROR:
		return more_first(self_bar(o->v, a), self_bar(o->v, b));
	case FILTER_SORT_WAITED:
		return more_first(a->self.wait_ns, b->self.wait_ns);
	case FILTER_SORT_NAME:
		return 0;
	case FILTER_SORT_LED_SELF:
		return more_first((double)a->self.counter[o->counter],
				  (double)b->self.counter[o->counter]);
	case FILTER_SORT_LED_TOTAL:
	case FILTER_SORT_COUNTER:
		return more_first((double)a->total.counter[o->counter],
				  (double)b->total.counter[o->counter]);
	default:
		return more_first(total_weight(o->v, a), total_weight(o->v, b));
	}
}

static int compare(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	const struct zone *zones = o->v->load.zones.list;
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	const struct function *a = &o->d->functions[l], *b = &o->d->functions[r];
	int order = by_key(o, a, b);
	if (!order && o->sort != FILTER_SORT_NAME)
		order = more_first(total_weight(o->v, a), total_weight(o->v, b));
	if (!order && o->sort != FILTER_SORT_NAME)
		order = (a->calls < b->calls) - (a->calls > b->calls);
	if (!order)
		order = strverscmp(zones[l].name, zones[r].name);
	return order ? order : (l > r) - (l < r);
}

int listing_cycles(const struct view *v)
{
	for (size_t i = 0; i < v->load.column_count; i++)
		if (!strcmp(v->load.columns[i], "cycles"))
			return (int)i;
	return LISTING_NO_LEAD;
}

/* The counter that all functions in question are lent with. */
static int find_lead(const struct listing *l, const struct view *v, const struct derived *d)
{
	int cycles = listing_cycles(v);
	bool any = false;
	for (size_t i = 1; cycles >= 0 && i < d->function_count; i++) {
		if (!l->is_shown[i])
			continue;
		any = true;
		if (v->load.zones.list[i].kind != ZPROF_ZONE_LENT ||
		    d->functions[i].total.counter[cycles] <= 0)
			return LISTING_NO_LEAD;
	}
	return any ? cycles : LISTING_NO_LEAD;
}

static size_t sorted(uint32_t *to, const bool *in, const struct view *v, const struct derived *d,
		     enum filter_sort sort, size_t counter)
{
	struct ordering o = {v, d, sort, counter};
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
	size_t count = sorted(l->shown, NULL, v, d, FILTER_SORT_TOTAL, 0),
	       counter = f->sort_counter;
	for (size_t i = 0; i < count; i++)
		l->index[l->shown[i]] = (uint32_t)i + 1;
	l->is_shown = filters_select(f, d, &v->load.zones, &v->groups, v->measure);
	l->lead = find_lead(l, v, d);
	if (f->sort != FILTER_SORT_DEFAULT) {
		sort = f->sort;
	} else if (l->lead >= 0) {
		sort = sort == FILTER_SORT_TOTAL ? FILTER_SORT_LED_TOTAL : FILTER_SORT_LED_SELF;
		counter = (size_t)l->lead;
	}
	l->shown_count = sorted(l->shown, l->is_shown, v, d, sort, counter);
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
