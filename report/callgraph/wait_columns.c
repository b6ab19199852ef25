/* SPDX-License-Identifier: MIT */
/* wait_columns.c - see wait_columns.h. */
#include "report/callgraph/wait_columns.h"

#include "report/core/base/units.h"

static void put_part(struct table *t, int column, const struct view *v, const struct cost *part,
		     bool total)
{
	char text[UNITS_TEXT];
	double bar = total ? cost_total_bar(part) : cost_self_bar(part);
	table_cell(t, column, "%s", view_bounded(v, text, part->ns, bar));
}

void wait_columns_split(struct table *t, int first, const struct view *v, const struct cost *c,
			bool total)
{
	struct cost on = view_measured(v, TIME_CPU, c), off = view_measured(v, TIME_WAIT, c);
	if (!v->options->waits)
		return;
	put_part(t, first + WAIT_ON, v, &on, total);
	put_part(t, first + WAIT_OFF, v, &off, total);
}

void wait_columns_counts(struct table *t, int first, const struct view *v, const struct cost *self)
{
	char text[UNITS_TEXT];
	if (!v->options->waits)
		return;
	table_cell(t, first + WAIT_COUNT, "%s", units_count(text, (uint64_t)self->waits));
	table_cell(t, first + WAIT_PREEMPTED, "%s", view_time(v, text, self->preempted_ns));
}
