/* SPDX-License-Identifier: MIT */
/* page_counters.c - see page_counters.h. */
#include "report/html/page_counters.h"

#include <inttypes.h>

#include "report/html/page_text.h"

void page_counter_names(const struct page *p)
{
	const struct load *l = &p->v->load;
	for (size_t i = 0; i < l->column_count; i++) {
		fputs(i ? "," : ",\n\"counters\":[", p->to);
		page_text(p->to, l->columns[i]);
	}
	if (l->column_count)
		fputs("]", p->to);
}

static bool is_zero(const struct page *p, const struct cost *c)
{
	for (size_t i = 0; i < p->v->load.column_count; i++)
		if (c->counter[i])
			return false;
	return true;
}

/* Writes all counters of a cost, each with a comma before it. */
static void put_cost(const struct page *p, const struct cost *c)
{
	for (size_t i = 0; i < p->v->load.column_count; i++)
		fprintf(p->to, ",%" PRId64, c->counter[i]);
}

static void put_number(const struct page *p, bool *first, uint64_t number)
{
	fprintf(p->to, "%s%" PRIu64, *first ? "" : ",", number);
	*first = false;
}

static void put_functions(const struct page *p, const struct derived *d)
{
	bool first = true;
	fputs("\"functions\":[", p->to);
	for (uint32_t zone = 1; zone < d->function_count; zone++) {
		const struct function *f = &d->functions[zone];
		if (!p->l->index[zone] || (is_zero(p, &f->self) && is_zero(p, &f->total)))
			continue;
		put_number(p, &first, p->l->index[zone]);
		put_cost(p, &f->self);
		put_cost(p, &f->total);
	}
	fputs("]", p->to);
}

static void put_arcs(const struct page *p, const struct derived *d)
{
	bool first = true;
	fputs(",\"arcs\":[", p->to);
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		if (is_zero(p, &a->parent_self) && is_zero(p, &a->parent_total) &&
		    is_zero(p, &a->child_self) && is_zero(p, &a->child_total))
			continue;
		put_number(p, &first, i);
		put_cost(p, &a->parent_self);
		put_cost(p, &a->parent_total);
		put_cost(p, &a->child_self);
		put_cost(p, &a->child_total);
	}
	fputs("]", p->to);
}

/* A context is named by its row, as in the page's own array. */
static void put_contexts(const struct page *p)
{
	const struct tree *t = p->v->tree;
	uint32_t row = 0;
	bool first = true;
	fputs(",\"contexts\":[", p->to);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		if (n->parent == i)
			continue;
		if (!is_zero(p, &n->self)) {
			put_number(p, &first, row);
			put_cost(p, &n->self);
		}
		row++;
	}
	fputs("]", p->to);
}

void page_counted(const struct page *p, const struct derived *d, bool whole)
{
	if (!p->v->load.column_count)
		return;
	fputs(",\n\"counted\":{", p->to);
	put_functions(p, d);
	put_arcs(p, d);
	if (whole)
		put_contexts(p);
	fputs("}", p->to);
}
