/* SPDX-License-Identifier: MIT */
/* trail.c - see trail.h. */
#include "report/top/trail.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/top/top.h"

struct trail_step {
	enum top_view view;
	enum top_column sort;
	enum measure measure;
	bool reversed, spread;
	uint32_t zone;
	size_t cursor, first;
	uint64_t cursor_key;
	struct patterns threads, functions, groups;
};

/* Makes TO a copy of FROM. The texts were patterns before, so none is refused now. */
static void copy(struct patterns *to, const struct patterns *from)
{
	struct str text = {0}, err = {0};
	*to = (struct patterns){0};
	for (size_t i = 0; i < from->count; i++) {
		const struct pattern *p = &from->list[i];
		str_clear(&text);
		str_add(&text, "%s", p->text);
		if (p->of == PATTERN_ADDR)
			str_add(&text, ":0x%llx-0x%llx", (unsigned long long)p->low,
				(unsigned long long)p->high);
		pattern_list_add(to, p->of, text.text, &err);
	}
	str_free(&text);
	str_free(&err);
}

void trail_add(struct trail *r, const struct top *t)
{
	struct trail_step *s = memory_next(r->steps, r->count, r->room);
	*s = (struct trail_step){.view = t->view,
				 .sort = t->sort,
				 .measure = t->measure,
				 .reversed = t->reversed,
				 .spread = t->spread,
				 .zone = t->zone,
				 .cursor = t->cursor,
				 .first = t->first,
				 .cursor_key = t->cursor_key};
	copy(&s->threads, &t->threads);
	copy(&s->functions, &t->functions);
	copy(&s->groups, &t->groups);
}

static void free_patterns(struct trail_step *s)
{
	pattern_list_free(&s->threads);
	pattern_list_free(&s->functions);
	pattern_list_free(&s->groups);
}

static void exchange(struct patterns *a, struct patterns *b)
{
	struct patterns was = *a;
	*a = *b;
	*b = was;
}

static bool are_alike(const struct patterns *a, const struct patterns *b)
{
	bool alike = a->count == b->count;
	for (size_t i = 0; alike && i < a->count; i++)
		alike = !strcmp(a->list[i].text, b->list[i].text);
	return alike;
}

bool trail_back(struct trail *r, struct top *t, bool *same)
{
	if (!r->count)
		return false;
	struct trail_step *s = &r->steps[--r->count];
	*same = s->measure == t->measure && s->spread == t->spread &&
		are_alike(&s->threads, &t->threads);
	t->view = s->view;
	t->sort = s->sort;
	t->measure = s->measure;
	t->reversed = s->reversed;
	t->spread = s->spread;
	t->zone = s->zone;
	t->cursor = s->cursor;
	t->first = s->first;
	t->cursor_key = s->cursor_key;
	t->held = true;
	exchange(&t->threads, &s->threads);
	exchange(&t->functions, &s->functions);
	exchange(&t->groups, &s->groups);
	free_patterns(s);
	return true;
}

void trail_free(struct trail *r)
{
	for (size_t i = 0; i < r->count; i++)
		free_patterns(&r->steps[i]);
	free(r->steps);
	*r = (struct trail){0};
}
