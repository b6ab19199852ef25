/* SPDX-License-Identifier: MIT */
/* choices.c - see choices.h. */
#include "report/core/load/choices.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"

/* Adds patterns. One that is not valid in this version of zprof is dropped. */
static void add_patterns(struct patterns *patterns, const char *text)
{
	char *copy = memory_text(text, strlen(text)), *rest;
	struct str ignored = {0};
	for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
		pattern_list_add_prefixed(patterns, one, &ignored);
	str_free(&ignored);
	free(copy);
}

static double since_start(const struct profile *p, uint64_t ns)
{
	return ns > p->header.start_ns ? (double)(ns - p->header.start_ns) : 0;
}

void choices_add(struct choices *c, const struct profile *p)
{
	size_t first = c->count;
	for (size_t i = 0; i < p->choice_count; i++) {
		const struct profile_choice *from = &p->choices[i];
		struct choice *to = memory_next(c->list, c->count, c->room);
		*to = (struct choice){.watch = from->fixed.what == ZPROF_CHOICE_WATCH,
				      .at_ns = since_start(p, from->fixed.ns),
				      .functions = from->fixed.functions,
				      .text = memory_text(from->text, strlen(from->text))};
		add_patterns(&to->patterns, to->text);
		for (size_t k = first; k + 1 < c->count; k++)
			if (!strcmp(c->list[k].text, to->text) || !strcmp(to->text, "*"))
				c->list[k].over = true;
	}
}

void choices_free(struct choices *c)
{
	for (size_t i = 0; i < c->count; i++) {
		pattern_list_free(&c->list[i].patterns);
		free(c->list[i].text);
	}
	free(c->list);
	*c = (struct choices){0};
}

const struct choice *choices_unwatched(const struct choices *c, const struct groups *g,
				       const struct zones *zones, uint32_t zone)
{
	const struct zone *z = &zones->list[zone];
	if (!c->count || z->kind)
		return NULL;
	struct pattern_subject s = groups_subject(zones, zone);
	for (size_t i = c->count; i-- > 0;)
		if (groups_match_any(g, &c->list[i].patterns, &s, z->group))
			return c->list[i].watch ? NULL : &c->list[i];
	return NULL;
}

static void add_functions(struct str *text, const struct choice *choice)
{
	char number[UNITS_TEXT];
	if (choice->functions)
		str_add(text, "%s function%s ", units_count(number, choice->functions),
			choice->functions == 1 ? "" : "s");
}

bool choices_in_force(const struct choices *c, size_t i, struct str *text)
{
	char time[UNITS_TEXT];
	const struct choice *choice = &c->list[i];
	if (choice->watch || choice->over)
		return false;
	add_functions(text, choice);
	str_add(text, "since %s (%s)", units_time(time, choice->at_ns, false), choice->text);
	for (size_t k = i + 1; k < c->count; k++)
		if (c->list[k].watch && !c->list[k].over) {
			str_add(text, ", except what was watched later");
			break;
		}
	return true;
}

#define NOTED 8 /* choices that notes list one by one */

void choices_note(const struct profile *p, char ***notes, size_t *count)
{
	char number[UNITS_TEXT];
	struct choices c = {0};
	struct str text = {0};
	choices_add(&c, p);
	size_t first = c.count > NOTED ? c.count - NOTED : 0;
	str_add(&text, "chosen while it ran: ");
	if (first)
		str_add(&text, "... (%s choices); ", units_count(number, first));
	for (size_t i = first; i < c.count; i++) {
		add_functions(&text, &c.list[i]);
		str_add(&text, "%s at %s (%s)%s", c.list[i].watch ? "watched" : "unwatched",
			units_time(number, c.list[i].at_ns, false), c.list[i].text,
			i + 1 < c.count ? "; " : "");
	}
	str_add(&text,
		"; calls of what is unwatched are not counted, and its time is its callers'");
	if (c.count) {
		*notes = memory_resize(*notes, *count + 1, sizeof **notes);
		(*notes)[(*count)++] = text.text;
	} else {
		str_free(&text);
	}
	choices_free(&c);
}
