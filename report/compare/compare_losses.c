/* SPDX-License-Identifier: MIT */
/* compare_losses.c - see compare.h: what was lost on each side. The sum of both would tell nobody whose
 * numbers to trust. */
#include "report/compare/compare.h"

#include <ctype.h>
#include <string.h>

#include "report/core/base/memory.h"

void compare_losses_sum(const struct compare *c, size_t side, uint64_t *losses)
{
	const struct load_set *set = c->sides[side].set;
	memset(losses, 0, ZPROF_COUNTERS_MAX * sizeof *losses);
	for (size_t i = set->first; i < set->end; i++)
		for (int k = 0; k < ZPROF_COUNTERS_MAX; k++)
			losses[k] += c->v->load.processes[i].losses[k];
}

void compare_losses_print(const struct compare *c)
{
	for (size_t i = 0; i < c->side_count; i++) {
		uint64_t losses[ZPROF_COUNTERS_MAX];
		struct str label = {0};
		compare_side_label(c, i, &label);
		*label.text = (char)toupper((unsigned char)*label.text);
		str_add(&label, ": ");
		compare_losses_sum(c, i, losses);
		view_print_losses_of(c->v, losses, label.text);
		str_free(&label);
	}
}

char *compare_losses_text(const struct compare *c)
{
	char *text;
	size_t bytes;
	struct view in_memory = *c->v;
	struct compare there = *c;
	in_memory.terminal.out = memory_stream(&text, &bytes);
	there.v = &in_memory;
	compare_losses_print(&there);
	memory_stream_end(in_memory.terminal.out, &text);
	return text;
}
