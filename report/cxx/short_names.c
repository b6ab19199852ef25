/* SPDX-License-Identifier: MIT */
/* short_names.c - see short_names.h. */
#include "report/cxx/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/cxx/plain_name.h"
#include "report/cxx/short_name.h"

/* What is cut: ever more of the name. */
enum level { BEHIND_TYPE, PLAIN, FULL, UNCUT };

struct item {
	struct short_names_of *of;
	struct name_cut cut;
	enum level level;
	bool changed; /* since its form was made */
};

static void begin_level(struct item *i, enum level level)
{
	name_cut_free(&i->cut);
	if (level == BEHIND_TYPE) {
		short_name_begin(&i->cut, i->of->name, SHORT_NAME_MOST);
	} else {
		struct str plain = {0};
		plain_name(&plain, i->of->name);
		name_cut_init(&i->cut, level == PLAIN ? str_text(&plain) : i->of->name);
		str_free(&plain);
	}
	i->level = level;
	i->changed = true;
}

static void make_form(struct item *i)
{
	struct str text = {0};
	if (i->of->as_is || i->level == UNCUT)
		str_add(&text, "%s", i->of->name);
	else
		name_cut_fit(&i->cut, &text, SHORT_NAME_MOST, false);
	free(i->of->shortened);
	i->of->shortened = memory_text(str_text(&text), text.used);
	i->changed = false;
	str_free(&text);
}

static int by_form(const void *left, const void *right)
{
	const struct item *a = *(struct item *const *)left, *b = *(struct item *const *)right;
	int order = strcmp(a->of->shortened, b->of->shortened);
	if (!order)
		order = strcmp(a->cut.name ? a->cut.name : "", b->cut.name ? b->cut.name : "");
	return order ? order : strcmp(a->of->name, b->of->name);
}

/* Makes an item show byte AT of its name; if that is shown already, the item shows more. */
static void show_more(struct item *i, size_t at)
{
	if (i->of->as_is || i->level == UNCUT)
		return;
	if (name_cut_need(&i->cut, at))
		i->changed = true;
	else if (!i->changed)
		begin_level(i, (enum level)(i->level + 1));
}

/* Tells two items apart that have the same form. */
static void tell_apart(struct item *a, struct item *b)
{
	const char *x = a->cut.name ? a->cut.name : "", *y = b->cut.name ? b->cut.name : "";
	size_t same = 0;
	while (x[same] && x[same] == y[same])
		same++;
	if (x[same] || y[same]) {
		show_more(a, same);
		show_more(b, same);
		return;
	}
	/* The names themselves are alike so far. */
	if (!a->of->as_is && a->level < UNCUT)
		begin_level(a, (enum level)(a->level + 1));
	if (!b->of->as_is && b->level < UNCUT)
		begin_level(b, (enum level)(b->level + 1));
}

void short_names(struct short_names_of *names, size_t count)
{
	struct item *items = memory_zeroed(count, sizeof *items);
	struct item **order = memory_zeroed(count, sizeof *order);
	for (size_t i = 0; i < count; i++) {
		items[i].of = &names[i];
		order[i] = &items[i];
		names[i].shortened = NULL;
		if (!names[i].as_is)
			begin_level(&items[i], BEHIND_TYPE);
		make_form(&items[i]);
	}
	/* Each turn changes an item whose form is not its own, and there is only so much to show. */
	for (bool changed = true; changed;) {
		changed = false;
		qsort(order, count, sizeof *order, by_form);
		for (size_t i = 1; i < count; i++)
			if (!strcmp(order[i]->of->shortened, order[i - 1]->of->shortened) &&
			    strcmp(order[i]->of->name, order[i - 1]->of->name) != 0)
				tell_apart(order[i - 1], order[i]);
		for (size_t i = 0; i < count; i++)
			if (items[i].changed) {
				changed = true;
				make_form(&items[i]);
			}
	}
	for (size_t i = 0; i < count; i++)
		name_cut_free(&items[i].cut);
	free(items);
	free(order);
}
