/* SPDX-License-Identifier: MIT */
/* left_alone.c - see left_alone.h. */
#include "report/core/load/left_alone.h"

#include "report/core/base/units.h"
#include "report/core/load/load.h"

#define UNKNOWN_MOST 0.005 /* of the time: less of unknown place is not said */

/* A place of a sample is one byte behind the sample's address (load_calls.c). */
static bool is_refused(const struct load *l, const struct tree_call *c)
{
	const struct code_place *place = &l->places.list[c->place];
	return c->place != PLACE_UNKNOWN && place->module != ZONE_NO_MODULE &&
	       told_is_refused(&l->zones.told, place->module, place->address - 1);
}

/* Times of samples. */
struct sums {
	double all, found, divided, unknown;
};

static void add_node(const struct load *l, const struct node *n, struct sums *to)
{
	const struct tree *t = &l->tree;
	double all = 0, found = 0, placed = 0, unplaced;
	double weights = tree_sampled_weight(t, n, &unplaced);
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		const struct tree_call *c = &t->calls[at];
		if (!c->sampled)
			continue;
		all += c->self_ns;
		placed += c->place ? c->self_ns : 0;
		found += is_refused(l, c) ? c->self_ns : 0;
	}
	to->all += all;
	to->found += found;
	to->divided += weights > 0 ? found * (all / weights) : 0;
	to->unknown += unplaced > 0 ? 0 : all - placed;
}

struct left_alone left_alone_find(const struct load *l)
{
	struct left_alone a = {.functions = told_refused_functions(&l->zones.told)};
	struct sums sums = {0};
	if (!a.functions || !l->places_by_sample)
		return a;
	for (size_t i = 0; i < l->tree.count; i++)
		add_node(l, &l->tree.nodes[i], &sums);
	a.at_least = l->counters[ZPROF_LOSS_INSIDE] || sums.unknown > UNKNOWN_MOST * sums.all;
	a.ns = a.at_least ? sums.found : sums.divided;
	a.of_ns = sums.all;
	return a;
}

void left_alone_text(const struct left_alone *a, struct str *text)
{
	char count[UNITS_TEXT], share[UNITS_TEXT];
	bool one = a->functions == 1;
	str_clear(text);
	if (!a->functions)
		return;
	str_add(text, "%s %s left alone, because no jump can be placed safely: ",
		units_of(count, a->functions, "function"), one ? "was" : "were");
	if (a->ns > 0)
		str_add(text, "%s%s %% of the time, by samples, is in %s, and is shown as ",
			a->at_least ? "at least " : "", units_percent(share, a->ns, a->of_ns),
			one ? "it" : "them");
	else if (a->of_ns > 0)
		str_add(text, "no sample %s in %s; %s time is ",
			a->at_least ? "whose place is known was" : "was", one ? "it" : "them",
			one ? "its" : "their");
	else
		str_add(text, "%s time is ", one ? "its" : "their");
	str_add(text, "%s callers' (see 'zprof info --refused')", one ? "its" : "their");
}
