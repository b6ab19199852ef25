/* SPDX-License-Identifier: MIT */
/* page_lines.c - see page_lines.h. */
#include "report/html/page_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* Calls of CALLEE in a line of FUNCTION's file; or with callee 0, FUNCTION's own time there. */
struct page_line {
	uint32_t function, callee, line;
	uint64_t calls;
	double ns;
};

/* The line of a place, in the file of a function that was asked for last. */
struct known_line {
	uint32_t function, line;
};

struct page_lines {
	const struct page *p;
	struct page_line *list;
	size_t count, room;
	struct lookup by_key;
	struct known_line *known; /* by place */
};

size_t page_own_frame(const struct zone *zone, const struct symbolize_result *r)
{
	size_t own = 0;
	for (size_t i = 0; i < r->frame_count; i++)
		if (!strcmp(r->frames[i].linkage, zone->linkage))
			own = i;
	return own;
}

static bool same_line(const void *context, uint32_t item, const void *key)
{
	const struct page_line *a = &((const struct page_lines *)context)->list[item], *b = key;
	return a->function == b->function && a->callee == b->callee && a->line == b->line;
}

static void add(struct page_lines *l, const struct page_line *line)
{
	uint64_t hash = lookup_hash((uint64_t)line->function << 32 | line->callee, line->line);
	uint32_t item = lookup_find(&l->by_key, hash, same_line, l, line);
	if (item == LOOKUP_NONE) {
		*memory_next(l->list, l->count, l->room) = *line;
		lookup_add(&l->by_key, hash, (uint32_t)l->count - 1);
		return;
	}
	l->list[item].calls += line->calls;
	l->list[item].ns += line->ns;
}

/* The line of ZONE's own code at which a place is, or at which the code there was inlined; 0 if that
 * is in another file, or unknown. */
static uint32_t find_line(const struct page_lines *l, const struct zone *zone, uint32_t place)
{
	struct load *load = &l->p->v->load;
	const struct code_place *at = &load->places.list[place];
	uint32_t file = places_file(&load->places, zone->file);
	if (at->module != ZONE_NO_MODULE && at->module == zone->module) {
		struct symbolize_result r;
		symbolize_lookup(load->zones.modules[at->module].symbols, at->address - 1, &r);
		size_t next = page_own_frame(zone, &r) + 1;
		if (next < r.frame_count)
			return places_file(&load->places, r.frames[next].call_file) == file
				   ? r.frames[next].call_line
				   : 0;
	}
	return at->file == file ? at->line : 0;
}

static uint32_t line_of(struct page_lines *l, uint32_t function, uint32_t place)
{
	struct known_line *known = &l->known[place];
	if (known->function != function) {
		known->function = function;
		known->line = find_line(l, &l->p->v->load.zones.list[function], place);
	}
	return known->line;
}

/* Adds the calls that a context's caller made, and the context's own time. */
static void add_context(struct page_lines *l, const struct node *n)
{
	const struct tree *t = l->p->v->tree;
	uint32_t caller = t->nodes[n->parent].zone;
	double unplaced, weights = tree_sampled_weight(t, n, &unplaced);
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		const struct tree_call *c = &t->calls[at];
		struct page_line line = {.function = c->sampled ? n->zone : caller,
					 .callee = c->sampled ? 0 : n->zone,
					 .calls = c->sampled ? 0 : c->calls};
		if (!line.function || (c->sampled && weights <= 0))
			continue;
		if (c->sampled)
			line.ns = n->self.cpu_ns * c->self_ns / weights;
		line.line = line_of(l, line.function, c->place);
		if (line.line)
			add(l, &line);
	}
}

static void put_lines(const struct page_lines *l)
{
	const struct page *p = l->p;
	bool first = true;
	fputs(",\n\"lines\":[", p->to);
	for (size_t i = 0; i < l->count; i++) {
		const struct page_line *line = &l->list[i];
		if (!line->callee)
			continue;
		fprintf(p->to, "%s%u,%u,%u,%" PRIu64, first ? "" : ",", p->l->index[line->function],
			p->l->index[line->callee], line->line, line->calls);
		first = false;
	}
	fputs("],\"own\":[", p->to);
	first = true;
	for (size_t i = 0; i < l->count; i++) {
		const struct page_line *line = &l->list[i];
		if (line->callee)
			continue;
		fprintf(p->to, "%s%u,%u,%.0f", first ? "" : ",", p->l->index[line->function],
			line->line, line->ns);
		first = false;
	}
	fputs("]", p->to);
}

void page_lines(const struct page *p)
{
	const struct tree *t = p->v->tree;
	struct page_lines l = {.p = p};
	places_find(&p->v->load.places, &p->v->load.zones);
	l.known = memory_zeroed(p->v->load.places.count, sizeof *l.known);
	for (size_t i = 0; i < t->count; i++)
		add_context(&l, &t->nodes[i]);
	put_lines(&l);
	lookup_free(&l.by_key);
	free(l.known);
	free(l.list);
}
