/* SPDX-License-Identifier: MIT */
/* page_inlined.c - see page_inlined.h. */
#include "report/html/page_inlined.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/cxx/short_name.h"
#include "report/html/page_lines.h"
#include "report/html/page_text.h"
#include "report/html/sources.h"

#define NAMED_MOST 12 /* inlined functions without a time that are named, of one host */

struct inlined {
	const char *name, *linkage; /* the symbolizer's */
	size_t places;
	bool sampled;
	struct cost self, total;
};

/* The functions inlined into one host. */
struct host {
	const struct zone *zone;
	struct inlined *list;
	size_t count, room;
};

static struct inlined *of_name(struct host *h, const char *name, const char *linkage)
{
	for (size_t i = 0; i < h->count; i++)
		if (!strcmp(h->list[i].linkage, linkage))
			return &h->list[i];
	struct inlined *in = memory_next(h->list, h->count, h->room);
	*in = (struct inlined){.name = name, .linkage = linkage};
	return in;
}

static bool count_place(void *context, const struct symbolize_inlined *call)
{
	of_name(context, call->name, call->linkage)->places++;
	return true;
}

/* Charges a sample's share of a context's processor time. A function that calls itself, inlined,
 * takes a sample once. */
static void charge(struct host *h, const struct symbolize_result *r, const struct cost *self,
		   double share)
{
	for (size_t i = page_own_frame(h->zone, r) + 1; i < r->frame_count; i++) {
		struct inlined *in = of_name(h, r->frames[i].name, r->frames[i].linkage);
		bool seen = false;
		for (size_t k = i + 1; k < r->frame_count; k++)
			seen |= !strcmp(r->frames[k].linkage, r->frames[i].linkage);
		in->sampled = true;
		if (!seen)
			cost_add_share(&in->total, self, share);
		if (i + 1 == r->frame_count)
			cost_add_share(&in->self, self, share);
	}
}

static void charge_samples(const struct page *p, struct host *h, const struct node *n)
{
	const struct load *load = &p->v->load;
	const struct tree *t = p->v->tree;
	double unplaced, weights = tree_sampled_weight(t, n, &unplaced);
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		const struct code_place *place = &load->places.list[t->calls[at].place];
		struct symbolize_result r;
		if (!t->calls[at].sampled || place->module != h->zone->module || weights <= 0)
			continue;
		/* Places are of return addresses, one behind the instruction. */
		symbolize_lookup(load->zones.modules[place->module].symbols, place->address - 1,
				 &r);
		charge(h, &r, &n->self, t->calls[at].self_ns / weights);
	}
}

static void put_time(const struct page *p, const struct inlined *in, const struct cost *c)
{
	struct cost shown = measure_cost(TIME_CPU, c);
	page_ns(p, in->sampled ? shown.ns : -1);
	page_ns(p, in->sampled ? cost_self_bar(&shown) : 0);
}

static void put_inlined(const struct page *p, uint32_t host, const struct inlined *in, bool first)
{
	struct str name = {0};
	short_name(&name, in->name);
	fprintf(p->to, "%s%u,", first ? "" : ",\n", p->l->index[host]);
	page_text(p->to, p->v->options->full_names ? in->name : str_text(&name));
	fprintf(p->to, ",%zu", in->places);
	put_time(p, in, &in->self);
	put_time(p, in, &in->total);
	str_free(&name);
}

/* The functions with hooks that a host calls. */
struct callees {
	const char **linkages;
	size_t count, room;
};

static struct callees callees_of(const struct page *p, uint32_t host)
{
	struct callees c = {0};
	for (size_t i = 0; i < p->d->arc_count; i++)
		if (p->d->arcs[i].caller == host)
			*memory_next(c.linkages, c.count, c.room) =
			    p->v->load.zones.list[p->d->arcs[i].callee].linkage;
	return c;
}

/* Whether the host calls a function with hooks of that name, which then has a row. */
static bool has_hooks(const struct callees *c, const char *linkage)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->linkages[i], linkage))
			return true;
	return false;
}

/* The longest first. Of two that are as long, the first called the second. */
static int by_time(const void *left, const void *right)
{
	const struct inlined *a = left, *b = right;
	double x = a->sampled ? a->total.cpu_ns : -1, y = b->sampled ? b->total.cpu_ns : -1;
	if (x != y)
		return (x < y) - (x > y);
	if (a->self.cpu_ns != b->self.cpu_ns)
		return (a->self.cpu_ns > b->self.cpu_ns) - (a->self.cpu_ns < b->self.cpu_ns);
	return (a->places < b->places) - (a->places > b->places);
}

/* Writes the inlined functions of a host, and returns how many more there are. */
static size_t put_host(const struct page *p, struct host *h, uint32_t host, bool *first)
{
	struct callees callees = h->count ? callees_of(p, host) : (struct callees){0};
	size_t named = 0, more = 0;
	if (h->count)
		qsort(h->list, h->count, sizeof *h->list, by_time);
	for (size_t i = 0; i < h->count; i++) {
		if (!h->list[i].sampled && has_hooks(&callees, h->list[i].linkage))
			continue;
		if (!h->list[i].sampled && named++ >= NAMED_MOST) {
			more++;
			continue;
		}
		put_inlined(p, host, &h->list[i], *first);
		*first = false;
	}
	free(callees.linkages);
	return more;
}

void page_inlined(const struct page *p)
{
	const struct zones *z = &p->v->load.zones;
	const struct tree *t = p->v->tree;
	struct host *hosts = memory_zeroed(z->count, sizeof *hosts);
	size_t *more = memory_zeroed(z->count, sizeof *more);
	bool first = true;
	for (size_t i = 0; i < p->l->shown_count; i++) {
		const struct zone *zone = &z->list[p->l->shown[i]];
		struct host *h = &hosts[p->l->shown[i]];
		if (zone->kind || zone->module == ZONE_NO_MODULE || zone->spread_of ||
		    !sources_need(p->v, p->d, &p->d->functions[p->l->shown[i]]))
			continue;
		h->zone = zone;
		symbolize_inlined(z->modules[zone->module].symbols, zone->address, count_place, h);
	}
	for (size_t i = 0; i < t->count; i++)
		if (hosts[t->nodes[i].zone].zone)
			charge_samples(p, &hosts[t->nodes[i].zone], &t->nodes[i]);
	fputs(",\n\"inlined\":[", p->to);
	for (uint32_t i = 0; i < z->count; i++)
		more[i] = put_host(p, &hosts[i], i, &first);
	fputs("],\"inlined_more\":[", p->to);
	first = true;
	for (uint32_t i = 0; i < z->count; i++) {
		if (more[i])
			fprintf(p->to, "%s%u,%zu", first ? "" : ",", p->l->index[i], more[i]);
		first &= !more[i];
		free(hosts[i].list);
	}
	fputs("]", p->to);
	free(hosts);
	free(more);
}
