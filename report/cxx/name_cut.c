/* SPDX-License-Identifier: MIT */
/* name_cut.c - see name_cut.h. */
#include "report/cxx/name_cut.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"
#include "report/cxx/brackets.h"

#define CLASS_LEAST 4 /* columns: less of a class would tell nothing */

/* ---- parts of a name */

static uint32_t add_part(struct name_cut *c, uint32_t parent, const char *from, const char *to,
			 bool group)
{
	uint32_t depth = c->count ? c->parts[parent].depth + group : 0;
	c->parts = memory_room(c->parts, c->count, &c->room, sizeof *c->parts);
	c->parts[c->count] = (struct name_part){.from = (uint32_t)(from - c->name),
						.to = (uint32_t)(to - c->name),
						.parent = parent,
						.depth = depth,
						.group = group};
	return (uint32_t)c->count++;
}

static void read_argument(struct name_cut *c, uint32_t group, const char *from, const char *to);

static void read_group(struct name_cut *c, uint32_t parent, const char *open, const char *close)
{
	uint32_t group = add_part(c, parent, open, close + 1, true);
	const char *from = open + 1;
	for (const char *at = from; at < close;) {
		size_t skip = brackets_operator(c->name, at);
		const char *end =
		    !skip && strchr("<([{", *at) ? brackets_close(c->name, at, close) : NULL;
		if (*at == ',') {
			read_argument(c, group, from, at);
			from = at + 1;
		}
		at = skip ? at + skip : end ? end + 1 : at + 1;
	}
	if (from < close)
		read_argument(c, group, from, close);
	c->parts[group].next = (uint32_t)c->count;
}

static void read_argument(struct name_cut *c, uint32_t group, const char *from, const char *to)
{
	while (from < to && *from == ' ')
		from++;
	uint32_t part = add_part(c, group, from, to, false);
	for (const char *at = from; at < to;) {
		size_t skip = brackets_operator(c->name, at);
		if (!skip)
			skip = brackets_anonymous(at);
		/* `(&)` of a reference to an array is no group. */
		if (!skip && (*at == '<' || (*at == '(' && at[1] != '&' && at[1] != '*'))) {
			const char *close = brackets_close(c->name, at, to);
			if (close) {
				read_group(c, part, at, close);
				skip = (size_t)(close + 1 - at);
			}
		}
		at += skip ? skip : 1;
	}
	c->parts[part].next = (uint32_t)c->count;
}

void name_cut_init(struct name_cut *c, const char *name)
{
	*c = (struct name_cut){.name = memory_text(name, strlen(name))};
	read_argument(c, 0, c->name, c->name + strlen(name));
	c->parts[0].needed = true;
}

void name_cut_free(struct name_cut *c)
{
	free(c->name);
	free(c->parts);
	*c = (struct name_cut){0};
}

/* The innermost part that byte AT belongs to. What stands between two arguments belongs to the first
 * of them. */
static uint32_t find_part(const struct name_cut *c, size_t at)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < c->count;) {
		const struct name_part *p = &c->parts[i];
		uint32_t to = p->group || !i ? p->to : c->parts[p->parent].to;
		bool within = p->from <= at && at < to;
		if (within)
			found = i;
		i = within ? i + 1 : p->next;
	}
	return found && c->parts[found].group ? c->parts[found].parent : found;
}

bool name_cut_need(struct name_cut *c, size_t at)
{
	uint32_t found = find_part(c, at);
	bool new = !found && !c->whole;
	c->whole = c->whole || !found;
	for (uint32_t i = found; i; i = c->parts[i].parent) {
		new = new || !c->parts[i].needed;
		c->parts[i].needed = true;
	}
	return new;
}

/* ---- forms of a name */

static void write_argument(const struct name_cut *c, struct str *text, uint32_t part);

static void write_group(const struct name_cut *c, struct str *text, uint32_t group)
{
	const struct name_part *g = &c->parts[group];
	bool hidden = false, first = true;
	str_add_bytes(text, c->name + g->from, 1);
	for (uint32_t i = group + 1; i < g->next; i = c->parts[i].next) {
		if (!c->parts[i].shown && hidden)
			continue;
		str_add(text, "%s", first ? "" : ", ");
		first = false;
		hidden = !c->parts[i].shown;
		if (hidden)
			str_add(text, "...");
		else
			write_argument(c, text, i);
	}
	str_add_bytes(text, c->name + g->to - 1, 1);
}

static void write_argument(const struct name_cut *c, struct str *text, uint32_t part)
{
	const struct name_part *p = &c->parts[part];
	uint32_t from = p->from;
	for (uint32_t i = part + 1; i < p->next; i = c->parts[i].next) {
		str_add_bytes(text, c->name + from, c->parts[i].from - from);
		if (i == c->left_out)
			return;
		write_group(c, text, i);
		from = c->parts[i].to;
	}
	str_add_bytes(text, c->name + from, p->to - from);
}

static int write_all(const struct name_cut *c, struct str *text)
{
	str_clear(text);
	write_argument(c, text, 0);
	return text_width(str_text(text));
}

/* Shows the first arguments of a group, as far as they fit. */
static void show_group(struct name_cut *c, struct str *text, int room, uint32_t group)
{
	for (uint32_t i = group + 1; i < c->parts[group].next; i = c->parts[i].next) {
		bool was = c->parts[i].shown;
		c->parts[i].shown = true;
		if (!was && write_all(c, text) > room) {
			c->parts[i].shown = false;
			return;
		}
	}
}

/* Does so in all groups of one depth and kind of bracket. */
static void show_depth(struct name_cut *c, struct str *text, int room, uint32_t depth, char open)
{
	for (uint32_t i = 1; i < c->count;) {
		const struct name_part *p = &c->parts[i];
		if (p->group && p->depth == depth) {
			if (c->name[p->from] == open)
				show_group(c, text, room, i);
			i = p->next;
		} else {
			i = p->group || p->shown ? i + 1 : p->next;
		}
	}
}

static uint32_t deepest(const struct name_cut *c)
{
	uint32_t depth = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->parts[i].depth > depth)
			depth = c->parts[i].depth;
	return depth;
}

/* The parameters of the function itself: the last group of the name. 0 if it has none, or if they
 * must be shown. */
static uint32_t own_parameters(const struct name_cut *c)
{
	uint32_t last = 0;
	for (uint32_t i = 1; i < c->count; i = c->parts[i].next)
		last = i;
	if (!last || c->whole || c->name[c->parts[last].from] != '(' || c->parts[last].needed ||
	    strstr(c->name + c->parts[last].to, "::"))
		return 0;
	return last;
}

/* The offset in TEXT behind the first `::` that is outside brackets; 0 if there is none. */
static size_t next_scope(const char *text)
{
	const char *end = text + strlen(text);
	for (const char *at = text; *at; at++) {
		size_t anonymous = brackets_anonymous(at);
		if (brackets_operator(text, at))
			return 0;
		const char *close =
		    !anonymous && strchr("<([{", *at) ? brackets_close(text, at, end) : NULL;
		if (anonymous)
			at += anonymous - 1;
		else if (close && *at == '(' && strncmp(close + 1, "::", 2) &&
			 strncmp(close + 1, " const::", 8))
			return 0;
		else if (close)
			at = close;
		else if (at[0] == ':' && at[1] == ':')
			return (size_t)(at + 2 - text);
	}
	return 0;
}

/* Whether a name without its class says nothing: an operator, or a function of the library's. */
static bool needs_class(const char *text)
{
	return !strncmp(text, "_M_", 3) || !strncmp(text, "_S_", 3) ||
	       brackets_operator(text, text) || *text == '~';
}

/* Leaves out outer scopes until the rest fits. */
static void leave_out_scopes(struct str *text, int room)
{
	size_t from = 0, step;
	while (text_width(text->text + from) > room && (step = next_scope(text->text + from)) &&
	       !needs_class(text->text + from + step))
		from += step;
	memmove(text->text, text->text + from, text->used - from + 1);
	text->used -= from;
}

/* Cuts TEXT before its last part, which stays whole: `_Function_handl~::_M_invoke`. */
static void cut_class(struct str *text, int room)
{
	size_t last = 0, step, used = 0;
	while ((step = next_scope(text->text + last)))
		last += step;
	if (!last)
		return;
	const char *tail = text->text + last - 2;
	room -= text_width(tail) + 1;
	if (room < CLASS_LEAST)
		return;
	for (int width; used + 2 < last; used += step) {
		step = text_width_next(text->text + used, &width);
		if (width > room)
			break;
		room -= width;
	}
	char *copy = memory_text(tail, strlen(tail));
	text->used = used;
	str_add(text, "~%s", copy);
	free(copy);
}

/* Leaves out scopes between the first and the last two parts of the name, if the rest then fits:
 * `boost::...::parser<...>::parse`. */
static void leave_out_middle(struct str *text, int room)
{
	size_t first = next_scope(text->text), step;
	int over = text_width(text->text) - room + (int)strlen("...::");
	for (size_t at = first; at && (step = next_scope(text->text + at)); at += step) {
		size_t rest = at + step;
		if (!next_scope(text->text + rest))
			return;
		if ((int)(rest - first) < over)
			continue;
		char *tail = memory_text(text->text + rest, text->used - rest);
		text->used = first;
		str_add(text, "...::%s", tail);
		free(tail);
		return;
	}
}

void name_cut_fit(struct name_cut *c, struct str *text, int room, bool scopes)
{
	uint32_t depths = deepest(c);
	bool all = text_width(c->name) <= room;
	c->left_out = 0;
	bool whole = c->whole;
	for (size_t i = 0; i < c->count; i++) {
		c->parts[i].shown = all || c->parts[i].needed;
		whole = whole || (i && c->parts[i].needed);
	}
	int width = write_all(c, text);
	if (all)
		return;
	if (width > room) {
		c->left_out = own_parameters(c);
		width = write_all(c, text);
	}
	for (uint32_t depth = 1; width <= room && depth <= depths; depth++) {
		show_depth(c, text, room, depth, '<');
		show_depth(c, text, room, depth, '(');
	}
	write_all(c, text);
	if (width <= room)
		return;
	if (!whole && scopes)
		leave_out_scopes(text, room);
	else if (!whole)
		leave_out_middle(text, room);
	if (scopes && text_width(text->text) > room)
		cut_class(text, room);
}

bool name_cut_argument(const struct name_cut *c, struct str *text, size_t at)
{
	uint32_t found = find_part(c, at);
	str_clear(text);
	if (found)
		write_argument(c, text, found);
	return found;
}
