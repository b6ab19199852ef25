/* SPDX-License-Identifier: MIT */
/* shorten.c - see shorten.h. */
#include "report/callgraph/shorten.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/base/wrap.h"

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

struct part {
	uint32_t zone;
	bool bound;    /* no more is known of the amount than that it is smaller */
	double amount; /* of time in the function itself; of cycles; of calls */
};

static struct part part_of(const struct listing *l, const struct view *v, const struct function *f)
{
	struct cost self = view_shown(v, &f->self);
	if (l->lead != LISTING_NO_LEAD)
		return (struct part){f->zone, false, (double)f->self.counter[l->lead]};
	if (v->counts_only)
		return (struct part){f->zone, false, (double)f->calls};
	double bar = cost_self_bar(&self);
	bool bound = cost_is_bound(self.ns, bar);
	return (struct part){f->zone, bound, bound ? cost_upper(self.ns, bar) : self.ns};
}

/* Bounds last. */
static int larger_part_first(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	return (a->bound - b->bound) ?: more_first(a->amount, b->amount)
					    ?: (a->zone > b->zone) - (a->zone < b->zone);
}

/* Whether an option already says which rows are wanted. */
static bool is_selected(const struct options *o)
{
	const struct filters *f = &o->filters;
	return o->all || f->limit || f->depth || f->min_percent > 0 || f->func.count ||
	       f->group.count || f->module.count || f->file.count;
}

/* How many of PARTS, which are sorted and of which KNOWN are no bounds, make up SHORTEN_SHARE of
 * what is known. */
static size_t count_large(const struct part *parts, size_t known)
{
	double whole = 0, sum = 0;
	size_t kept = 0;
	for (size_t i = 0; i < known; i++)
		whole += parts[i].amount;
	while (kept < known && kept < SHORTEN_MOST && (!kept || sum < SHORTEN_SHARE * whole))
		sum += parts[kept++].amount;
	return kept;
}

struct shorten_cut shorten_list(struct listing *l, const struct view *v, const struct derived *d)
{
	struct shorten_cut cut = {0};
	size_t before = l->shown_count, known = 0;
	if (is_selected(v->options) || before <= SHORTEN_MOST)
		return cut;
	struct part *parts = memory_resize(NULL, before, sizeof *parts);
	for (size_t i = 0; i < before; i++) {
		parts[i] = part_of(l, v, &d->functions[l->shown[i]]);
		known += !parts[i].bound;
		l->is_shown[l->shown[i]] = false;
	}
	qsort(parts, before, sizeof *parts, larger_part_first);
	size_t kept = count_large(parts, known);
	const struct part *bounds = parts + known;
	while (cut.bounds < SHORTEN_BOUNDS && cut.bounds < before - known &&
	       bounds[cut.bounds].amount > (kept ? parts[kept - 1].amount : 0))
		l->is_shown[bounds[cut.bounds++].zone] = true;
	for (size_t i = 0; i < kept; i++)
		l->is_shown[parts[i].zone] = true;
	free(parts);
	l->shown_count = 0;
	for (size_t i = 0; i < before; i++)
		if (l->is_shown[l->shown[i]])
			l->shown[l->shown_count++] = l->shown[i];
	cut.left_out = before - l->shown_count;
	return cut;
}

void shorten_print_cut(const struct view *v, struct shorten_cut cut)
{
	char text[UNITS_TEXT];
	struct str lines = {0};
	if (!cut.left_out)
		return;
	str_add(&lines, "\n%s more function%s; --all shows %s\n", units_count(text, cut.left_out),
		cut.left_out == 1 ? "" : "s", cut.left_out == 1 ? "it" : "them");
	if (cut.bounds)
		str_add(
		    &lines,
		    "'<' is an upper bound: such a time is smaller than its error. %s %s here for %s "
		    "alone.\n",
		    units_of(text, cut.bounds, "row"), cut.bounds == 1 ? "is" : "are",
		    cut.bounds == 1 ? "its bound" : "their bounds");
	wrap_print(&v->terminal, lines.text);
	str_free(&lines);
}
