/* SPDX-License-Identifier: MIT */
/*
 * report.c - libFuzzer's entry: any bytes as a profile, all the way to the call graph.
 *
 * What is read must obey the tree's invariants and the sums; what is refused must come with a
 * reason. Names are looked up in symbolize_none.c, so that no path out of a fuzzed file is ever
 * opened.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/derive.h"
#include "report/model/filters.h"
#include "report/model/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void hold(bool condition)
{
	if (!condition)
		abort();
}

static void check_tree(const struct tree *t, size_t zones)
{
	struct derived d;
	const char *wrong;
	hold(tree_check(t));
	derive(&d, t, zones);
	hold(derive_check(&d, t, &wrong));
	derive_free(&d);
}

/* What lies between every two zones, in words. */
static void name_ways(const struct load *l)
{
	struct str text = {0};
	for (size_t i = 0; i < l->vias.count; i++) {
		const struct via_way *way = &l->vias.ways[i];
		struct via_names names;
		hold(vias_names(&l->vias, &l->zones, way->caller, way->callee, &names));
		hold(names.count > 0);
		via_text(&text, &names, !way->caller, false);
		via_names_free(&names);
	}
	str_free(&text);
}

static void use(const struct profile *p)
{
	struct load l;
	struct tree spread;
	struct groups groups = {0};
	struct filters f = {.spread = true};
	load_init(&l, false);
	load_profile(&l, p);
	check_tree(&l.tree, l.zones.count);
	groups_add_lent(&groups, &l.zones);
	name_ways(&l);
	filters_tree(&spread, &l.tree, &f, &l.zones, &groups);
	check_tree(&spread, l.zones.count);
	tree_free(&spread);
	groups_free(&groups);
	load_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct profile p;
	struct str err = {0};
	if (profile_parse(&p, "fuzzed", bytes, n, &err)) {
		use(&p);
		profile_free(&p);
	} else {
		hold(strstr(str_text(&err), "'fuzzed'") != NULL);
	}
	str_free(&err);
	return 0;
}
