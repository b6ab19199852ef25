/* SPDX-License-Identifier: MIT */
/* wait_columns.c - see wait_columns.h. */
#include "report/callgraph/wait_columns.h"

#include "report/core/base/units.h"

void wait_columns_split(struct table *t, int first, const struct view *v, double cpu_ns,
			double wait_ns)
{
	char text[UNITS_TEXT];
	if (!v->options->waits)
		return;
	table_cell(t, first + WAIT_ON, "%s", view_time(v, text, cpu_ns));
	table_cell(t, first + WAIT_OFF, "%s", view_time(v, text, wait_ns));
}

void wait_columns_counts(struct table *t, int first, const struct view *v, const struct cost *self)
{
	char text[UNITS_TEXT];
	if (!v->options->waits)
		return;
	table_cell(t, first + WAIT_COUNT, "%s", units_count(text, (uint64_t)self->waits));
	table_cell(t, first + WAIT_PREEMPTED, "%s", view_time(v, text, self->preempted_ns));
}
