/* SPDX-License-Identifier: MIT */
/* page_lines.c - see page_lines.h. */
#include "report/html/page_lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/core/base/memory.h"

struct line_calls {
	uint32_t caller, callee, line;
	uint64_t calls;
};

struct all_lines {
	struct line_calls *list;
	size_t count, room;
	struct lookup by_key;
};

static bool same_line(const void *context, uint32_t item, const void *key)
{
	const struct line_calls *a = &((const struct all_lines *)context)->list[item], *b = key;
	return a->caller == b->caller && a->callee == b->callee && a->line == b->line;
}

static void add(struct all_lines *l, const struct line_calls *calls)
{
	uint64_t hash = lookup_hash((uint64_t)calls->caller << 32 | calls->callee, calls->line);
	uint32_t item = lookup_find(&l->by_key, hash, same_line, l, calls);
	if (item == LOOKUP_NONE) {
		item = (uint32_t)l->count;
		*memory_next(l->list, l->count, l->room) = *calls;
		lookup_add(&l->by_key, hash, item);
	} else {
		l->list[item].calls += calls->calls;
	}
}

/* Adds the calls of a context that its caller made in its own file. */
static void add_context(struct all_lines *l, const struct page *p, const struct node *n)
{
	struct load *load = &p->v->load;
	const struct tree *t = p->v->tree;
	uint32_t caller = t->nodes[n->parent].zone;
	for (uint32_t at = caller ? n->first_call : 0; at; at = t->calls[at].next) {
		const struct code_place *place = &load->places.list[t->calls[at].place];
		if (!t->calls[at].sampled && place->line &&
		    place->file == places_file(&load->places, load->zones.list[caller].file))
			add(l,
			    &(struct line_calls){caller, n->zone, place->line, t->calls[at].calls});
	}
}

void page_lines(const struct page *p)
{
	const struct tree *t = p->v->tree;
	struct all_lines l = {0};
	places_find(&p->v->load.places, &p->v->load.zones);
	for (size_t i = 0; i < t->count; i++)
		add_context(&l, p, &t->nodes[i]);
	fputs(",\n\"lines\":[", p->to);
	for (size_t i = 0; i < l.count; i++)
		fprintf(p->to, "%s%u,%u,%u,%" PRIu64, i ? "," : "", p->l->index[l.list[i].caller],
			p->l->index[l.list[i].callee], l.list[i].line, l.list[i].calls);
	fputs("]", p->to);
	lookup_free(&l.by_key);
	free(l.list);
}
