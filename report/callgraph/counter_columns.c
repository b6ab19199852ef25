/* SPDX-License-Identifier: MIT */
/* counter_columns.c - see counter_columns.h. */
#include "report/callgraph/counter_columns.h"

#include <stdio.h>
#include <string.h>

#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/view/listing.h"

void counter_columns_head(char head[COUNTER_HEAD_ROOM], const char *name)
{
	struct str shown = {0};
	size_t used = 0;
	visible_add(&shown, name);
	for (int i = 0; i < COUNTER_HEAD && str_text(&shown)[used]; i++) {
		uint32_t number;
		used += visible_character(shown.text + used, &number);
	}
	memcpy(head, str_text(&shown), used);
	head[used] = 0;
	str_free(&shown);
}

void counter_columns_init(struct counter_columns *c, const struct table_column *columns, int count,
			  int percent, int first, const char *second, const struct view *v)
{
	memset(c, 0, sizeof *c);
	memcpy(c->columns, columns, (size_t)count * sizeof *columns);
	c->percent = percent;
	c->first = first;
	c->lead = LISTING_NO_LEAD;
	c->count = v->load.column_count;
	if (v->counts_only)
		c->columns[percent].head = "% calls";
	for (size_t i = 0; i < COST_COUNTERS; i++) {
		const char *name = i < c->count ? v->load.columns[i] : "";
		char *self = c->heads[2 * i], *other = c->heads[2 * i + 1];
		counter_columns_head(self, name);
		snprintf(other, sizeof c->heads[0], "%s", second);
		c->columns[first + (int)(2 * i)] = (struct table_column){
		    .head = self, .right = true, .gap = 2, .least = 8, .optional = true, .drop = 6};
		c->columns[first + (int)(2 * i) + 1] = (struct table_column){.head = other,
									     .right = true,
									     .gap = 2,
									     .least = 8,
									     .optional = true,
									     .drop = 7};
	}
}

/* The two columns of a counter. */
static int place_of(const struct counter_columns *c, size_t counter)
{
	return (int)counter == c->lead ? c->lead_first : c->first + (int)(2 * counter);
}

/* If a counter leads, a narrow terminal drops times, and their errors first. */
static void times_give_way(struct table_column *c)
{
	if (c->key && !strcmp(c->key, "+-"))
		c->drop = 5;
	else if (!strcmp(c->head, "children") || !strcmp(c->head, "total"))
		c->drop = 4;
	else if (!strcmp(c->head, "self"))
		c->drop = 3;
}

void counter_columns_lead(struct counter_columns *c, int lead, int first)
{
	if (lead < 0)
		return;
	for (int i = 0; i < COUNTER_LEAD; i++) {
		struct table_column *from = &c->columns[place_of(c, (size_t)lead) + i];
		c->columns[first + i] = *from;
		from->head = "";
		c->columns[first + i].drop = 0;
	}
	for (int i = first + COUNTER_LEAD; i < c->first; i++)
		times_give_way(&c->columns[i]);
	c->lead = lead;
	c->lead_first = first;
	snprintf(c->percent_head, sizeof c->percent_head, "%% %s", c->heads[2 * lead]);
	c->columns[c->percent].head = c->percent_head;
}

void counter_columns_percent(const struct counter_columns *c, struct table *t, const struct view *v,
			     const struct counter_share *part, const struct counter_share *whole)
{
	char text[UNITS_TEXT];
	double of = view_shown(v, part->cost).ns, all = view_shown(v, whole->cost).ns;
	double bar = part->bar_ns;
	if (c->lead >= 0) {
		of = (double)part->cost->counter[c->lead];
		all = (double)whole->cost->counter[c->lead];
		bar = 0;
	} else if (v->counts_only) {
		of = (double)part->calls;
		all = (double)whole->calls;
		bar = 0;
	}
	table_cell(t, c->percent, "%s", view_percent(v, text, of, bar, all));
}

/* A counter may go down, and so may its sum. */
static void cell(struct table *t, int column, int64_t n)
{
	char text[UNITS_TEXT];
	uint64_t size = n < 0 ? (uint64_t)-n : (uint64_t)n;
	table_cell(t, column, "%s%s", n < 0 ? "-" : "", units_count(text, size));
}

void counter_columns_cells(const struct counter_columns *c, struct table *t,
			   const struct cost *self, const struct cost *total, bool children)
{
	for (size_t i = 0; i < c->count; i++) {
		int at = place_of(c, i);
		int64_t taken_off = children ? self->counter[i] : 0;
		cell(t, at, self->counter[i]);
		if (total)
			cell(t, at + 1,
			     cost_ticks(total->counter[i], (int64_t) - (uint64_t)taken_off));
	}
}
