/* SPDX-License-Identifier: MIT */
/*
 * rows_source.c - the rows of a function's source: a row per line, with the calls that were made from
 * it, the time until they returned, and the time of samples that were taken in it
 * (report/annotate/lines.h). The first line has the numbers of the function. Where a line makes
 * several calls, a row per call follows.
 */
#include "report/core/base/memory.h"
#include "report/core/names/facts.h"
#include "report/top/rows_making.h"
#include "report/top/message.h"

#define TAB         4
#define UNKNOWN_END 40 /* lines of a function whose end is not known */

static const struct line *line_at(const struct lines *l, uint32_t file, uint32_t number)
{
	size_t low = 1, high = l->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct line *at = &l->list[middle];
		if (at->file < file || (at->file == file && at->line < number))
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < l->count && l->list[low].file == file && l->list[low].line == number;
	return found ? &l->list[low] : NULL;
}

static struct top_row *add_text(struct making *m, enum top_kind kind, uint32_t item, uint64_t key,
				const char *name)
{
	struct top_row *r = rows_add(m, kind, item, key, name);
	r->shows_self = r->shows_total = r->shows_calls = false;
	return r;
}

static void add_calls(struct making *m, const struct lines *l, const struct line *line)
{
	for (uint32_t at = line->first_call; at; at = l->calls[at].next) {
		const struct line_call *c = &l->calls[at];
		struct str name = {0};
		str_add(&name, "       ^ %s", view_zone_name(m->v, c->callee));
		struct top_row *r =
		    add_text(m, TOP_LINE_CALL, c->callee,
			     lookup_hash(lookup_hash(line->line, 8), at), name.text);
		r->shows_total = r->shows_calls = true;
		rows_set(m, r, c->calls, &c->self, &c->total);
		str_free(&name);
	}
}

static void add_line(struct making *m, const struct lines *l, uint32_t file, uint32_t number,
		     const char *text)
{
	static const struct cost none;
	const struct function *own = &m->d->functions[m->t->zone];
	const struct line *line = line_at(l, file, number);
	bool first = number == m->v->load.zones.list[m->t->zone].line;
	bool calls = line && line->call_count;
	struct str name = {0};
	str_add(&name, "%5u  ", number);
	source_text_expand(&name, text, TAB);
	uint32_t callee = calls && line->call_count == 1 ? l->calls[line->first_call].callee : 0;
	struct top_row *r = add_text(m, first ? TOP_OWN : TOP_LINE, first ? m->t->zone : callee,
				     lookup_hash(number, 7), name.text);
	str_free(&name);
	if (first) {
		rows_set(m, r, own->calls, &own->self, &own->total);
		r->shows_self = r->shows_total = r->shows_calls = true;
	} else if (line) {
		rows_set(m, r, line->calls, line->has_own ? &line->own : &none, &line->total);
		r->shows_self = line->has_own;
		r->shows_total = r->shows_calls = calls;
	}
	if (calls && (first || line->call_count > 1))
		add_calls(m, l, line);
}

void rows_source(struct making *m)
{
	struct view *v = m->v;
	struct places *places = &v->load.places;
	const struct zone *z = &v->load.zones.list[m->t->zone];
	uint32_t file = places_file(places, z->file);
	if (!file || !z->line) {
		message_say(m->t, "it is not known where '%s' stands: compile with -g", z->name);
		return;
	}
	places_compiled(places, file, &v->load.zones, z->module, z->address);
	const struct lines *l = kept_lines(&m->t->kept);
	const struct source_text *source = kept_source(&m->t->kept, file);
	if (!source->text)
		message_say(m->t, "%s", str_text(&source->why));
	else if (!v->load.calls_by_place && !z->kind)
		message_say(m->t, "to see what each line calls, record with --callsites");
	uint32_t last = facts_last_line(&v->load.zones, z);
	if (last < z->line)
		last = z->line + UNKNOWN_END;
	if (source->text && last > source->count)
		last = (uint32_t)source->count;
	for (uint32_t i = z->line; i <= last; i++)
		add_line(m, l, file, i, i <= source->count ? source->lines[i - 1] : "");
}
