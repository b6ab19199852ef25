/* SPDX-License-Identifier: MIT */
/* page_times.c - see page_times.h. */
#include "report/html/page_times.h"

#include <inttypes.h>

void page_ns(const struct page *p, double ns)
{
	fprintf(p->to, ",%.*f", ns != (double)(int64_t)ns, ns);
}

void page_side(const struct page *p, enum time_measure m, const struct cost *self,
	       const struct cost *total)
{
	struct cost below = *total, own = view_measured(p->v, m, self),
		    all = view_measured(p->v, m, total);
	cost_subtract(&below, self);
	below = view_measured(p->v, m, &below);
	page_ns(p, own.ns);
	page_ns(p, cost_self_bar(&own));
	page_ns(p, all.ns);
	page_ns(p, cost_total_bar(&all));
	page_ns(p, cost_total_bar(&below));
}

struct other {
	enum time_measure measure;
	bool like_own; /* what is not listed is as in the page's own measure; else it is zero */
	bool first;    /* the next number is the first of its array */
};

static void put_first(const struct page *p, struct other *o, uint64_t number)
{
	fprintf(p->to, "%s%" PRIu64, o->first ? "" : ",", number);
	o->first = false;
}

static double own_ns(const struct page *p, const struct other *o, const struct cost *c)
{
	return o->like_own ? view_shown(p->v, c).ns : 0;
}

static bool differs(const struct page *p, const struct other *o, const struct cost *c)
{
	double shown = measure_cost(o->measure, c).ns - own_ns(p, o, c);
	return shown >= 0.05 || shown <= -0.05;
}

static void put_self(const struct page *p, const struct other *o, const struct cost *c)
{
	struct cost shown = view_measured(p->v, o->measure, c);
	page_ns(p, shown.ns);
	page_ns(p, cost_self_bar(&shown));
}

static void put_total(const struct page *p, const struct other *o, const struct cost *c)
{
	struct cost shown = view_measured(p->v, o->measure, c);
	page_ns(p, shown.ns);
	page_ns(p, cost_total_bar(&shown));
}

static void put_functions(const struct page *p, struct other *o, const struct derived *d)
{
	o->first = true;
	fputs("\"functions\":[", p->to);
	for (uint32_t zone = 1; zone < d->function_count; zone++) {
		const struct function *f = &d->functions[zone];
		if (!p->l->index[zone] || (!differs(p, o, &f->self) && !differs(p, o, &f->total)))
			continue;
		put_first(p, o, p->l->index[zone]);
		put_self(p, o, &f->self);
		put_total(p, o, &f->total);
	}
	fputs("]", p->to);
}

static void put_arcs(const struct page *p, struct other *o, const struct derived *d)
{
	o->first = true;
	fputs(",\"arcs\":[", p->to);
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		if (!differs(p, o, &a->parent_total) && !differs(p, o, &a->child_total))
			continue;
		put_first(p, o, i);
		page_side(p, o->measure, &a->parent_self, &a->parent_total);
		page_side(p, o->measure, &a->child_self, &a->child_total);
	}
	fputs("]", p->to);
}

/* A context is named by its row, as in the page's own array. */
static void put_contexts(const struct page *p, struct other *o)
{
	const struct tree *t = p->v->tree;
	uint32_t row = 0;
	o->first = true;
	fputs(",\"contexts\":[", p->to);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		if (n->parent == i)
			continue;
		if (differs(p, o, &n->self)) {
			put_first(p, o, row);
			fprintf(p->to, ",%.0f", measure_cost(o->measure, &n->self).ns);
		}
		row++;
	}
	fputs("]", p->to);
}

static bool is_known(const struct view *v, enum time_measure m)
{
	return m != v->measure && !v->fake && !v->counts_only && !load_unknown_measure(&v->load, m);
}

void page_times(const struct page *p, const struct derived *d, bool whole)
{
	static const enum time_measure all[] = {TIME_CPU, TIME_WAIT, TIME_WALL};
	bool first = true;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		bool apart = all[i] == TIME_WAIT || p->v->measure == TIME_WAIT;
		struct other o = {.measure = all[i], .like_own = !apart};
		if (!is_known(p->v, all[i]))
			continue;
		fprintf(p->to, "%s\"%s\":{\"like_own\":%s,\"whole\":%.1f,\n",
			first ? ",\n\"times\":{" : ",\n", measure_name(all[i]),
			apart ? "false" : "true", measure_cost(all[i], &d->whole).ns);
		first = false;
		put_functions(p, &o, d);
		put_arcs(p, &o, d);
		if (whole)
			put_contexts(p, &o);
		fputs("}", p->to);
	}
	if (!first)
		fputs("}", p->to);
}
