/* SPDX-License-Identifier: MIT */
/* rows_making.c - see rows_making.h: a row, its numbers, and the order of rows. */
#define _GNU_SOURCE
#include "report/top/rows_making.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

struct top_row *rows_add(struct making *m, enum top_kind kind, uint32_t item, uint64_t key,
			 const char *name)
{
	struct top *t = m->t;
	t->rows = memory_room(t->rows, t->row_count, &t->row_room, sizeof *t->rows);
	struct top_row *r = &t->rows[t->row_count++];
	*r = (struct top_row){.kind = kind,
			      .item = item,
			      .key = key,
			      .mark = ' ',
			      .shows_total = true,
			      .shows_self = true,
			      .shows_calls = true,
			      .name = memory_text(name, strlen(name))};
	return r;
}

/* The key of a zone. The number of one level of a recursion may change from one reading to the
 * next, so the key of a level is made from its name. */
uint64_t rows_zone_key(const struct making *m, uint32_t zone)
{
	const struct zone *z = &m->v->load.zones.list[zone];
	return z->spread_of ? lookup_hash_text(z->name, z->spread_of) : lookup_hash(zone, 1);
}

void rows_set(const struct making *m, struct top_row *r, uint64_t calls, const struct cost *self,
	      const struct cost *total)
{
	struct cost own = view_shown(m->v, self), all = view_shown(m->v, total);
	r->calls = (double)calls / m->counts_by;
	r->self_ns = own.ns;
	r->self_bar = cost_self_bar(&own);
	r->wait_ns = self->wait_ns;
	r->total_ns = all.ns;
	r->total_bar = cost_total_bar(&all);
	for (int i = 0; i < COST_COUNTERS; i++)
		r->counters[i] = (double)self->counter[i] / m->counts_by;
}

double rows_trend(const struct top *t, const struct zones *zones, uint32_t zone)
{
	zone = zones_unspread(zones, zone);
	if (zone >= t->trend_zones || !top_is_rate(t))
		return 0;
	double now = t->now_calls[zone], then = t->long_calls[zone], most = now > then ? now : then;
	return most > 0 ? (now - then) / most : 0;
}

/* ---- order */

static int compare_numbers(double a, double b)
{
	return (a < b) - (a > b);
}

static double each(const struct top_row *r)
{
	return r->calls > 0 ? cost_weight(r->self_ns / r->calls, r->self_bar / r->calls) : 0;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct top_row *a = left, *b = right;
	const struct top *t = context;
	int order = 0;
	switch (t->sort) {
	case TOP_CALLS:
		order = compare_numbers(a->calls, b->calls);
		break;
	case TOP_SELF_SHARE:
	case TOP_SELF_TIME:
		order = compare_numbers(cost_weight(a->self_ns, a->self_bar),
					cost_weight(b->self_ns, b->self_bar));
		break;
	case TOP_WAITED:
		order = compare_numbers(a->wait_ns, b->wait_ns);
		break;
	case TOP_EACH:
		order = compare_numbers(each(a), each(b));
		break;
	case TOP_BAR:
	case TOP_SELF_BAR:
		order = compare_numbers(a->self_bar, b->self_bar);
		break;
	case TOP_TOTAL_BAR:
		order = compare_numbers(a->total_bar, b->total_bar);
		break;
	case TOP_COUNTER ... TOP_COUNTER_LAST:
		order = compare_numbers(a->counters[t->sort - TOP_COUNTER],
					b->counters[t->sort - TOP_COUNTER]);
		break;
	case TOP_TREND:
		order = compare_numbers(fabs(a->trend), fabs(b->trend));
		break;
	case TOP_NAME:
		order = strverscmp(a->name, b->name);
		break;
	default:
		order = compare_numbers(cost_weight(a->total_ns, a->total_bar),
					cost_weight(b->total_ns, b->total_bar));
	}
	if (!order)
		order = compare_numbers(a->total_ns, b->total_ns);
	if (!order)
		order = compare_numbers(a->calls, b->calls);
	if (!order)
		order = strverscmp(a->name, b->name);
	if (!order)
		order = (a->key > b->key) - (a->key < b->key);
	return t->reversed ? -order : order;
}

void rows_sort(struct top *t, size_t first)
{
	if (t->row_count > first)
		qsort_r(t->rows + first, t->row_count - first, sizeof *t->rows, compare, t);
}

/* ---- which rows */

bool *rows_select(const struct making *m)
{
	const struct view *v = m->v;
	return filters_select(&v->options->filters, m->d, &v->load.zones, &v->groups, v->measure);
}

void rows_limit(struct top *t)
{
	size_t limit = t->follow->view.options->filters.limit;
	for (; limit && t->row_count > limit; t->more++)
		free(t->rows[--t->row_count].name);
}
