/* SPDX-License-Identifier: MIT */
/*
 * report_laws.c - the sums of the call graph hold to the tick, on any tree, and its lines are those
 * of the definition.
 *
 * The definition is a sentence about one tick and the path of zones it was spent under. Here it is
 * carried out literally, tick by tick and zone by zone, which is slow and shares no idea with
 * report/core/tree/derive.c; the two must agree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/tree/derive.h"
#include "report/core/select/filters.h"
#include "report/core/times/measure.h"
#include "report/callgraph/callers.h"
#include "report/callgraph/group_times.h"

#define ZONES 7 /* few, so that paths hold the same zone often */

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % n;
}

/*
 * Times of a cost of so many TICKS, whose parts on a processor, waiting and while others had the
 * processor are random. All are whole numbers, so that sums of them are exact.
 */
static void random_times(struct cost *c)
{
	int64_t cpu = c->ticks > 0 ? below((uint32_t)c->ticks) : c->ticks;
	c->ns = (double)c->ticks;
	c->cpu_ns = (double)cpu;
	c->wait_ns = (double)(c->ticks - cpu);
	c->preempted_ns = below(50);
	c->lengthened_ns = below(5);
	c->wait_error_ns = c->lengthened_ns + below(5);
	c->error_ns = c->wait_error_ns + below(20);
	c->all_error_ns = c->lengthened_ns + below(20);
	c->variance = below(9);
}

/* Adds callers whose own callers are unknown, and what they called, to a root of T. */
static void random_overflow(struct tree *t, uint32_t zones)
{
	uint32_t table = tree_child(t, t->threads[below((uint32_t)t->thread_count)].root, 0);
	for (uint32_t n = below(12); n; n--) {
		uint32_t caller = tree_child(t, table, 1 + below(zones - 1));
		uint32_t callee = tree_child(t, caller, 1 + below(zones - 1));
		t->nodes[caller].low = 1;
		t->nodes[callee].calls += below(4);
		t->nodes[callee].self.ticks += below(100);
		random_times(&t->nodes[callee].self);
	}
}

/* A tree of up to 60 nodes in 1 to 3 threads; a bias makes some of them deep, some broad; some have
 * an overflow table.
 */
static void random_tree(struct tree *t, uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
	*t = (struct tree){0};
	uint32_t threads = 1 + below(3), zones = 2 + below(ZONES - 2), deep = below(3);
	for (uint32_t i = 0; i < threads; i++) {
		struct tree_thread thread = {.name = "t", .tid = i, .count = 1};
		uint32_t at = tree_add_thread(t, &thread);
		t->nodes[t->threads[at].root].self.ticks = below(5);
	}
	for (uint32_t n = below(60); n; n--) {
		uint32_t parent =
		    deep && below(4) ? (uint32_t)t->count - 1 : below((uint32_t)t->count);
		uint32_t node = tree_child(t, parent, 1 + below(zones - 1));
		t->nodes[node].calls += below(4);
		t->nodes[node].self.ticks += (int64_t)below(100) - (below(20) ? 0 : 50);
		random_times(&t->nodes[node].self);
	}
	if (!below(3))
		random_overflow(t, zones);
}

/* ---- the definition, carried out */

struct reference {
	int64_t self[ZONES], total[ZONES];
	uint64_t calls[ZONES];
	int64_t parent_self[ZONES][ZONES], parent_total[ZONES][ZONES]; /* [caller][callee] */
	int64_t child_self[ZONES][ZONES], child_total[ZONES][ZONES];
	uint64_t arc_calls[ZONES][ZONES];
};

/* The zones from the root (0) to a node; gives how many. */
static size_t path_of(const struct tree *t, uint32_t node, uint32_t path[])
{
	size_t n = 0;
	for (;; node = t->nodes[node].parent) {
		path[n++] = t->nodes[node].zone;
		if (t->nodes[node].parent == node)
			break;
	}
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t swap = path[i];
		path[i] = path[n - 1 - i];
		path[n - 1 - i] = swap;
	}
	return n;
}

static void charge_zone(struct reference *r, const uint32_t path[], size_t n, uint32_t f,
			int64_t ticks)
{
	size_t outermost = n, innermost = 0;
	for (size_t i = 0; i < n; i++)
		if (path[i] == f) {
			outermost = outermost == n ? i : outermost;
			innermost = i;
		}
	if (outermost == n)
		return;
	bool own = innermost == n - 1;
	r->total[f] += ticks;
	r->self[f] += own ? ticks : 0;
	if (f) {
		r->parent_total[path[outermost - 1]][f] += ticks;
		r->parent_self[path[outermost - 1]][f] += own ? ticks : 0;
	}
	if (!own) {
		uint32_t callee = path[innermost + 1];
		r->child_total[f][callee] += ticks;
		r->child_self[f][callee] += path[n - 1] == callee ? ticks : 0;
	}
}

/* What the definition is carried out for: ticks, or a time of a measure, or a part of its errors. */
typedef int64_t part_of(const struct cost *c, enum time_measure m);

static int64_t ticks_of(const struct cost *c, enum time_measure m)
{
	(void)m;
	return c->ticks;
}

static int64_t ns_of(const struct cost *c, enum time_measure m)
{
	return (int64_t)measure_cost(m, c).ns;
}

static int64_t bias_of(const struct cost *c, enum time_measure m)
{
	return (int64_t)measure_cost(m, c).error_ns;
}

static int64_t all_bias_of(const struct cost *c, enum time_measure m)
{
	return (int64_t)measure_cost(m, c).all_error_ns;
}

static int64_t variance_of(const struct cost *c, enum time_measure m)
{
	return (int64_t)measure_cost(m, c).variance;
}

static void by_definition(struct reference *r, const struct tree *t, part_of *part,
			  enum time_measure m)
{
	uint32_t path[128];
	memset(r, 0, sizeof *r);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		size_t length = path_of(t, i, path);
		for (uint32_t f = 0; f < ZONES; f++)
			charge_zone(r, path, length, f, part(&n->self, m));
		if (n->parent == i)
			continue;
		r->calls[n->zone] += n->calls;
		r->arc_calls[t->nodes[n->parent].zone][n->zone] += n->calls;
	}
}

static void assert_same(const struct derived *d, const struct reference *r, part_of *part,
			enum time_measure m)
{
	bool seen[ZONES][ZONES] = {{false}};
	for (uint32_t f = 1; f < ZONES; f++) {
		assert_int_equal(part(&d->functions[f].self, m), r->self[f]);
		assert_int_equal(part(&d->functions[f].total, m), r->total[f]);
		assert_int_equal(d->functions[f].calls, r->calls[f]);
		assert_int_equal(d->functions[f].own_calls, r->arc_calls[f][f]);
	}
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		uint32_t p = a->caller, c = a->callee;
		assert_false(seen[p][c]);
		seen[p][c] = true;
		assert_int_equal(a->calls, r->arc_calls[p][c]);
		assert_int_equal(part(&a->parent_self, m), r->parent_self[p][c]);
		assert_int_equal(part(&a->parent_total, m), r->parent_total[p][c]);
		assert_int_equal(part(&a->child_self, m), r->child_self[p][c]);
		assert_int_equal(part(&a->child_total, m), r->child_total[p][c]);
	}
	for (uint32_t p = 0; p < ZONES; p++)
		for (uint32_t c = 0; c < ZONES; c++)
			if (!seen[p][c])
				assert_int_equal(r->parent_total[p][c] | r->child_total[p][c], 0);
}

static void assert_laws(const struct tree *t, size_t zones)
{
	struct derived d;
	const char *wrong;
	assert_true(tree_check(t));
	derive(&d, t, zones);
	if (!derive_check(&d, t, &wrong))
		fail_msg("%s", wrong);
	derive_free(&d);
}

/* ---- tests */

static void random_trees_obey_the_definition(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 20000; seed++) {
		struct tree t;
		struct derived d;
		struct reference r;
		random_tree(&t, seed);
		derive(&d, &t, ZONES);
		by_definition(&r, &t, ticks_of, TIME_OWN);
		assert_same(&d, &r, ticks_of, TIME_OWN);
		derive_free(&d);
		assert_laws(&t, ZONES);
		tree_free(&t);
	}
}

/* Each measure obeys the definition by itself, in its times and in what its error bars are made of. */
static void each_measure_obeys_the_definition(void **unused)
{
	static part_of *const parts[] = {ns_of, bias_of, all_bias_of, variance_of};
	(void)unused;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct tree t;
		struct derived d;
		struct reference r;
		random_tree(&t, seed);
		derive(&d, &t, ZONES);
		for (int m = 0; m < TIME_MEASURES; m++)
			for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
				by_definition(&r, &t, parts[i], (enum time_measure)m);
				assert_same(&d, &r, parts[i], (enum time_measure)m);
			}
		derive_free(&d);
		tree_free(&t);
	}
}

/* ---- chains of callers */

/* The ticks of a node and all below it. */
static int64_t ticks_below(const struct tree *t, uint32_t node)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t at = i;; at = t->nodes[at].parent) {
			sum += at == node ? t->nodes[i].self.ticks : 0;
			if (at == node || t->nodes[at].parent == at)
				break;
		}
	return sum;
}

/* Whether the path to a node ends with the chain of a row, and whether the function that the chain
 * begins with is on the path before. */
static bool ends_with(const struct callers *c, uint32_t row, uint32_t node, bool *again)
{
	uint32_t path[128], chain[128];
	size_t length = path_of(c->tree, node, path), links = 0;
	path[0] = CALLERS_OUTSIDE;
	for (uint32_t i = row;; i = c->rows[i].above) {
		chain[links++] = c->rows[i].zone;
		if (c->rows[i].above == i)
			break;
	}
	assert_int_equal(links, c->rows[row].depth + 1);
	if (links > length)
		return false;
	for (size_t i = 0; i < links; i++)
		if (chain[i] != path[length - links + i])
			return false;
	*again = false;
	for (size_t i = 1; i + 1 < length; i++)
		*again = *again || path[i] == path[length - 1];
	return true;
}

static void assert_chain(const struct callers *c, uint32_t row)
{
	const struct tree *t = c->tree;
	const struct callers_row *r = &c->rows[row];
	uint64_t calls = 0;
	int64_t self = 0, total = 0;
	bool again;
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->nodes[i].parent == i || !ends_with(c, row, i, &again))
			continue;
		calls += t->nodes[i].calls;
		self += t->nodes[i].self.ticks;
		total += again ? 0 : ticks_below(t, i);
	}
	assert_int_equal(r->calls, calls);
	assert_int_equal(r->self.ticks, self);
	assert_int_equal(r->total.ticks, total);
}

/* The callers of a row sum up to it, unless the chain goes no further. */
static void assert_callers_sum(const struct callers *c, uint32_t row)
{
	const struct callers_row *r = &c->rows[row];
	uint64_t calls = 0;
	int64_t self = 0, total = 0;
	for (uint32_t i = r->first; i != TREE_NONE; i = c->rows[i].next) {
		calls += c->rows[i].calls;
		self += c->rows[i].self.ticks;
		total += c->rows[i].total.ticks;
		assert_int_equal(c->rows[i].above, row);
	}
	assert_int_equal(r->first == TREE_NONE, r->zone == CALLERS_OUTSIDE);
	assert_true(r->first == TREE_NONE || (calls == r->calls && self == r->self.ticks));
	assert_true(r->first == TREE_NONE || total == r->total.ticks);
}

static int cheapest_first(const struct callers_row *a, const struct callers_row *b,
			  const void *context)
{
	(void)context;
	return (a->self.ticks > b->self.ticks) - (a->self.ticks < b->self.ticks);
}

static void chains_of_callers_obey_the_definition(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct tree t;
		struct callers c;
		random_tree(&t, seed);
		callers_init(&c, &t, ZONES);
		for (uint32_t i = 0; i < c.row_count; i++) {
			callers_open(&c, i);
			callers_sort(&c, i, cheapest_first, NULL);
			assert_chain(&c, i);
			assert_callers_sum(&c, i);
			for (uint32_t at = c.rows[i].first; at != TREE_NONE; at = c.rows[at].next)
				if (c.rows[at].next != TREE_NONE)
					assert_true(c.rows[at].self.ticks <=
						    c.rows[c.rows[at].next].self.ticks);
		}
		callers_free(&c);
		tree_free(&t);
	}
}

static double ns_in(const struct cost *c, enum time_measure m)
{
	return measure_cost(m, c).ns;
}

/* Processor time and waits are what is shown by `own`, and with others' time what passed. A bar of
 * waits has the doubts of waits alone, and a bar of processor time has all others. */
static void measures_are_parts_of_the_whole(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct tree t;
		random_tree(&t, seed);
		for (size_t i = 0; i < t.count; i++) {
			const struct cost *c = &t.nodes[i].self;
			double cpu = ns_in(c, TIME_CPU), wait = ns_in(c, TIME_WAIT);
			assert_true(ns_in(c, TIME_OWN) == c->ns);
			assert_true(ns_in(c, TIME_WALL) == cpu + wait + c->preempted_ns);
			struct cost on = measure_cost(TIME_CPU, c);
			struct cost off = measure_cost(TIME_WAIT, c);
			assert_true(on.error_ns + off.error_ns == c->error_ns);
			assert_true(off.error_ns == c->wait_error_ns);
			assert_true(off.all_error_ns == c->lengthened_ns);
			assert_true(on.all_error_ns + off.all_error_ns == c->all_error_ns);
			assert_true(on.variance == c->variance && off.variance == 0);
		}
		tree_free(&t);
	}
}

/* A broken law must be found: one tick too much in any part of any arc. */
static void an_extra_tick_is_found(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct tree t;
		struct derived d;
		const char *wrong;
		random_tree(&t, seed);
		derive(&d, &t, ZONES);
		for (size_t i = 0; i < d.arc_count; i++) {
			struct arc *a = &d.arcs[i];
			int64_t *parts[] = {&a->parent_self.ticks, &a->parent_total.ticks,
					    &a->child_total.ticks};
			for (int k = 0; k < 3; k++) {
				if (k == 2 && !a->caller)
					continue; /* no sum contains the outside */
				++*parts[k];
				assert_false(derive_check(&d, &t, &wrong));
				--*parts[k];
			}
			a->calls++;
			assert_false(derive_check(&d, &t, &wrong));
			a->calls--;
		}
		assert_true(derive_check(&d, &t, &wrong));
		derive_free(&d);
		tree_free(&t);
	}
}

static void name_zones(struct zones *z)
{
	zones_init(z);
	for (uint32_t i = 1; i < ZONES; i++) {
		char name[2] = {(char)('a' + i - 1), 0};
		z->list = realloc(z->list, (i + 1) * sizeof *z->list);
		z->room = z->count = i + 1;
		z->list[i] = (struct zone){.name = strdup(name),
					   .linkage = strdup(name),
					   .file = strdup(""),
					   .group = strdup(i % 3 ? "" : "thirds"),
					   .kind = 4,
					   .module = ZONE_NO_MODULE};
	}
}

static int64_t whole(const struct tree *t)
{
	int64_t sum = 0;
	for (size_t i = 0; i < t->count; i++)
		sum += t->nodes[i].self.ticks;
	return sum;
}

static void filtered_trees_obey_the_laws(void **unused)
{
	static const struct {
		const char *under, *not_in, *only;
		bool spread, conserves;
	} cases[] = {
	    {NULL, "b", NULL, false, true},
	    {NULL, NULL, "[abc]", false, true},
	    {NULL, "group:thirds", "[a-e]", false, true},
	    {"b", NULL, NULL, false, false},
	    {"c", "b", NULL, false, false},
	    {NULL, NULL, NULL, true, true},
	    {"a", "c", NULL, true, false},
	};
	(void)unused;
	for (uint64_t seed = 1; seed <= 2000; seed++)
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			struct tree t, to;
			struct zones zones;
			struct groups groups = {0};
			struct filters f = {.spread = cases[i].spread};
			struct str err = {0};
			random_tree(&t, seed);
			name_zones(&zones);
			groups_add_lent(&groups, &zones);
			if (cases[i].under)
				pattern_list_add_prefixed(&f.under, cases[i].under, &err);
			if (cases[i].not_in)
				pattern_list_add_prefixed(&f.not_in, cases[i].not_in, &err);
			if (cases[i].only)
				pattern_list_add_prefixed(&f.only, cases[i].only, &err);
			filters_tree(&to, &t, &f, &zones, &groups);
			assert_laws(&to, zones.count);
			if (cases[i].conserves)
				assert_int_equal(whole(&to), whole(&t));
			tree_free(&to);
			tree_free(&t);
			filters_free(&f);
			groups_free(&groups);
			zones_free(&zones);
		}
}

static void split_threads_sum_to_the_whole(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct tree t;
		random_tree(&t, seed);
		struct tree *parts = filters_split_threads(&t);
		int64_t sum = 0;
		for (size_t i = 0; i < t.thread_count; i++) {
			assert_laws(&parts[i], ZONES);
			sum += whole(&parts[i]);
			tree_free(&parts[i]);
		}
		assert_int_equal(sum, whole(&t));
		free(parts);
		tree_free(&t);
	}
}

/* Groups over every random tree: rows sum to the whole, cells to their rows. */
static void groups_sum_to_the_whole(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct view v = {0};
		struct group_times g;
		struct str err = {0};
		random_tree(&v.load.tree, seed);
		v.tree = &v.load.tree;
		name_zones(&v.load.zones);
		groups_add_lent(&v.groups, &v.load.zones);
		assert_true(groups_map(&v.group_map, &v.groups, NULL, &v.load.zones, &err));
		group_times_make(&g, &v);
		assert_true(group_times_check(&g));
		group_times_free(&g);
		groups_map_free(&v.group_map);
		groups_free(&v.groups);
		zones_free(&v.load.zones);
		tree_free(&v.load.tree);
	}
}

/* f calls itself, or g that calls f, a million deep: nothing here recurses. */
static void a_million_deep(void **unused)
{
	(void)unused;
	for (uint32_t period = 1; period <= 2; period++) {
		struct tree t = {0};
		struct derived d;
		const char *wrong;
		struct tree_thread thread = {.name = "t", .count = 1};
		uint32_t at = 0;
		tree_add_thread(&t, &thread);
		for (uint32_t i = 0; i < 1000000; i++) {
			at = tree_child(&t, at, 1 + i % period);
			t.nodes[at].calls = 1;
			t.nodes[at].self.ticks = 2;
		}
		derive(&d, &t, 3);
		assert_true(derive_check(&d, &t, &wrong));
		assert_int_equal(d.functions[1].total.ticks, 2000000);
		assert_int_equal(d.functions[1].deepest, 1000000 / period);
		assert_int_equal(d.functions[1].calls_by_level[0], 1);
		assert_int_equal(d.functions[1].calls_by_level[DERIVE_LEVELS - 1],
				 1000000 / period - (DERIVE_LEVELS - 1));
		derive_free(&d);
		tree_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_trees_obey_the_definition),
	    cmocka_unit_test(each_measure_obeys_the_definition),
	    cmocka_unit_test(chains_of_callers_obey_the_definition),
	    cmocka_unit_test(measures_are_parts_of_the_whole),
	    cmocka_unit_test(an_extra_tick_is_found),
	    cmocka_unit_test(filtered_trees_obey_the_laws),
	    cmocka_unit_test(split_threads_sum_to_the_whole),
	    cmocka_unit_test(groups_sum_to_the_whole),
	    cmocka_unit_test(a_million_deep),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
