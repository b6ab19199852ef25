/* SPDX-License-Identifier: MIT */
/* head_lines.c - see head_lines.h: what several of these lines need. */
#include "report/core/view/head_lines.h"

size_t head_threads(const struct view *v)
{
	const struct tree *t = v->tree;
	size_t count = 0;
	for (size_t i = 0; i < t->thread_count; i++)
		count += t->threads[i].count;
	return count;
}

bool head_filters(const struct view *v, struct str *text)
{
	filters_describe(&v->options->filters, text);
	return text->used;
}
