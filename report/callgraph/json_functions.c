/* SPDX-License-Identifier: MIT */
/* json_functions.c - see json_functions.h. */
#include "report/callgraph/json_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static void put_text(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, *text ? view_json_text(text) : json_null());
}

static void put_count(json_t *o, const char *key, int64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
}

static void put_ns(json_t *o, const char *key, double ns)
{
	json_object_set_new(o, key, json_real(ns));
}

/* How often a zone lent by an interpreter was entered and left. */
static json_t *visits(const struct function *f)
{
	const struct visits *n = &f->visits;
	uint64_t open = n->entered + n->reentered - n->returned - n->abandoned;
	return json_pack("{s:I,s:I,s:I,s:I,s:I}", "entered", (json_int_t)n->entered, "reentered",
			 (json_int_t)n->reentered, "returned", (json_int_t)n->returned, "abandoned",
			 (json_int_t)n->abandoned, "open", (json_int_t)open);
}

static json_t *recursion(const struct function *f)
{
	json_t *levels = json_array();
	for (uint32_t i = 0; i < f->deepest && i < DERIVE_LEVELS; i++)
		json_array_append_new(levels, json_integer((json_int_t)f->calls_by_level[i]));
	return json_pack("{s:I,s:o}", "deepest", (json_int_t)f->deepest, "calls_by_level", levels);
}

static json_t *function(const struct view *v, const struct function *f, uint32_t id)
{
	const struct zone *z = &v->load.zones.list[f->zone];
	const char *module =
	    z->module == ZONE_NO_MODULE ? "" : v->load.zones.modules[z->module].path;
	json_t *o = json_object();
	put_count(o, "id", id);
	json_object_set_new(o, "name", view_json_text(z->name));
	put_text(o, "linkage", strcmp(z->linkage, z->name) ? z->linkage : "");
	put_text(o, "module", module);
	put_text(o, "file", z->file);
	json_object_set_new(o, "line", z->line ? json_integer(z->line) : json_null());
	put_text(o, "group", view_group_name(v, f->zone));
	json_object_set_new(o, "calls", view_json_calls(v, f->calls));
	json_object_set_new(o, "recursive_calls",
			    view_uncounted(v, f->calls) ? json_null()
							: json_integer((json_int_t)f->own_calls));
	put_count(o, "self_ticks", f->self.ticks);
	put_count(o, "total_ticks", f->total.ticks);
	put_ns(o, "self_ns", f->self.ns);
	put_ns(o, "total_ns", f->total.ns);
	put_ns(o, "error_ns", view_self_bar(v, &f->self));
	put_ns(o, "total_error_ns", view_total_bar(v, &f->total));
	put_count(o, "self_samples", f->self.samples);
	view_json_absences(o, v, "self", &f->self, cost_self_bar);
	view_json_absences(o, v, "total", &f->total, cost_total_bar);
	if (z->after)
		json_object_set_new(o, "after", view_json_text(z->after));
	if (f->low)
		json_object_set_new(o, "total_is_minimum", json_true());
	if (f->open)
		put_count(o, "open", f->open);
	if (view_unwatched(v, f->zone))
		put_ns(o, "unwatched_ns", view_unwatched(v, f->zone)->at_ns);
	if (f->visits.entered || f->visits.reentered)
		json_object_set_new(o, "visits", visits(f));
	view_json_counters(o, v, &f->self, &f->total);
	if (f->deepest > 1)
		json_object_set_new(o, "recursion", recursion(f));
	return o;
}

/* One end of an arc: the function's id, and its name if the function itself is not listed. */
static void put_end(json_t *o, const char *key, const char *name_key, const struct view *v,
		    const struct listing *l, uint32_t zone)
{
	json_object_set_new(o, key, zone ? json_integer(l->index[zone]) : json_null());
	if (zone && !l->is_shown[zone])
		json_object_set_new(o, name_key, view_json_text(v->load.zones.list[zone].name));
}

static void put_arc_counters(json_t *o, const struct view *v, const struct arc *a)
{
	json_t *all = json_array();
	for (size_t i = 0; i < v->load.column_count; i++) {
		json_t *one = json_object();
		json_object_set_new(one, "name", view_json_text(v->load.columns[i]));
		put_count(one, "parent_self", a->parent_self.counter[i]);
		put_count(one, "parent_total", a->parent_total.counter[i]);
		put_count(one, "child_self", a->child_self.counter[i]);
		put_count(one, "child_total", a->child_total.counter[i]);
		json_array_append_new(all, one);
	}
	json_object_set_new(o, "counters", all);
}

/* The functions without hooks between the arc's ends. */
static void put_via(json_t *o, const struct view *v, const struct arc *a)
{
	struct via_names names;
	json_t *all;
	if (!via_names_of(&v->load.vias, &v->load.zones, a->caller, a->callee, &names))
		return;
	all = json_array();
	for (size_t i = 0; i < names.count; i++)
		json_array_append_new(all, view_json_text(names.list[i].text));
	json_object_set_new(o, "via", all);
	if (names.others)
		json_object_set_new(o, "via_others", json_true());
	if (!names.whole)
		json_object_set_new(o, "via_cut", json_true());
	via_names_free(&names);
}

/* The places in the caller's source that call the callee. */
static void put_sites(json_t *o, const struct view *v, const struct arc *a)
{
	const struct sites *s = &v->load.sites;
	const struct zones *z = &v->load.zones;
	uint32_t at = sites_find(s, zones_unspread(z, a->caller), zones_unspread(z, a->callee));
	if (at == SITES_NONE)
		return;
	json_t *all = json_array();
	for (; at != SITES_NONE; at = s->list[at].next)
		json_array_append_new(all,
				      json_pack("{s:I,s:I}", "line", (json_int_t)s->list[at].line,
						"column", (json_int_t)s->list[at].column));
	json_object_set_new(o, "sites", all);
}

static json_t *arc(const struct view *v, const struct listing *l, const struct arc *a,
		   const struct function *callee)
{
	json_t *o = json_object();
	put_end(o, "caller", "caller_name", v, l, a->caller);
	put_end(o, "callee", "callee_name", v, l, a->callee);
	json_object_set_new(o, "calls", view_json_calls(v, a->calls));
	put_count(o, "parent_self_ticks", a->parent_self.ticks);
	put_count(o, "parent_total_ticks", a->parent_total.ticks);
	put_count(o, "child_self_ticks", a->child_self.ticks);
	put_count(o, "child_total_ticks", a->child_total.ticks);
	put_ns(o, "parent_self_ns", a->parent_self.ns);
	put_ns(o, "parent_total_ns", a->parent_total.ns);
	put_ns(o, "child_self_ns", a->child_self.ns);
	put_ns(o, "child_total_ns", a->child_total.ns);
	put_ns(o, "parent_total_error_ns", view_total_bar(v, &a->parent_total));
	put_ns(o, "child_total_error_ns", view_total_bar(v, &a->child_total));
	view_json_waits(o, v, "parent_self", &a->parent_self);
	view_json_waits(o, v, "parent_total", &a->parent_total);
	view_json_waits(o, v, "child_self", &a->child_self);
	view_json_waits(o, v, "child_total", &a->child_total);
	if (callee->low)
		json_object_set_new(o, "total_is_minimum", json_true());
	if (v->load.column_count)
		put_arc_counters(o, v, a);
	put_via(o, v, a);
	put_sites(o, v, a);
	return o;
}

struct arc_place {
	uint32_t caller, callee, arc;
};

static int by_place(const void *left, const void *right)
{
	const struct arc_place *a = left, *b = right;
	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return (a->caller > b->caller) - (a->caller < b->caller);
}

static void print_arcs(const struct view *v, const struct derived *d, const struct listing *l)
{
	struct arc_place *places = memory_resize(NULL, d->arc_count, sizeof *places);
	size_t count = 0;
	bool first = true;
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		if (l->is_shown[a->callee] || l->is_shown[a->caller])
			places[count++] = (struct arc_place){l->index[a->caller],
							     l->index[a->callee], (uint32_t)i};
	}
	qsort(places, count, sizeof *places, by_place);
	for (size_t i = 0; i < count; i++)
		view_json_item(v->terminal.out, &first,
			       arc(v, l, &d->arcs[places[i].arc],
				   &d->functions[d->arcs[places[i].arc].callee]));
	free(places);
}

void json_functions_members(const struct view *v, const struct derived *d, const struct listing *l)
{
	bool first = true;
	view_json_array(v->terminal.out, "functions");
	for (size_t i = 0; i < l->shown_count; i++)
		view_json_item(v->terminal.out, &first,
			       function(v, &d->functions[l->shown[i]], l->index[l->shown[i]]));
	view_json_array_end(v->terminal.out);
	view_json_array(v->terminal.out, "arcs");
	print_arcs(v, d, l);
	view_json_array_end(v->terminal.out);
}
