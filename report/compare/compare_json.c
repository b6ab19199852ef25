/* SPDX-License-Identifier: MIT */
/* compare_json.c - a comparison as JSON: see compare.h, and schema.md. */
#include <stdlib.h>

#include "report/compare/compare.h"

static json_t *side(const struct compare *c, size_t i)
{
	const struct compare_side *s = &c->sides[i];
	uint64_t losses[ZPROF_COUNTERS_MAX];
	json_t *o = json_object(), *paths = json_array();
	for (size_t k = s->set->first; !s->set->name && k < s->set->end; k++)
		json_array_append_new(paths, view_json_text(c->v->load.processes[k].path));
	json_object_set_new(o, "name", view_json_text(s->name));
	const struct process *first = &c->v->load.processes[s->set->first];
	json_object_set_new(o, "command", view_json_text(first->command));
	json_object_set_new(o, "started_ns",
			    json_integer((json_int_t)first->header.start_realtime_ns));
	json_object_set_new(o, "build_id", view_json_text(first->build_id));
	json_object_set_new(o, "runs", json_integer((json_int_t)s->runs));
	json_object_set_new(o, "elapsed_ns", json_real(s->elapsed_ns));
	json_object_set_new(o, "files", paths);
	compare_losses_sum(c, i, losses);
	json_object_set_new(o, "losses", view_json_losses(losses));
	return o;
}

/* A JSON number. Counts that are whole are integers. */
static json_t *number(double value, bool time)
{
	if (!time && value == (double)(json_int_t)value)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *measure(const struct compare *c, const struct compare_table *t, size_t row, size_t m)
{
	struct compare_change d = compare_change(c, t, row, m);
	bool time = m == COMPARE_SELF || m == COMPARE_TOTAL;
	json_t *o = json_object(), *values = json_array(), *errors = json_array();
	for (size_t i = 0; i < c->side_count; i++) {
		const struct mean *on = compare_at(c, t, row, i, m);
		bool lacks = compare_lacks(c, i, m);
		json_array_append_new(values, lacks ? json_null() : number(on->value, time));
		json_array_append_new(errors, lacks ? json_null() : json_real(on->bar));
	}
	json_object_set_new(o, "values", values);
	json_object_set_new(o, "errors", errors);
	json_object_set_new(o, "change", d.known ? number(d.change, time) : json_null());
	json_object_set_new(o, "change_error", d.known ? json_real(d.bar) : json_null());
	json_object_set_new(o, "ratio", d.known && d.before > 0 ? json_real(d.ratio) : json_null());
	return o;
}

static void put_measures(json_t *o, const struct compare *c, const struct compare_table *t,
			 size_t row)
{
	static const char *const names[] = {"calls", "self_ns", "total_ns"};
	for (size_t m = 0; m < COMPARE_COUNTERS; m++)
		if (compare_has(c, t, m))
			json_object_set_new(o, names[m], measure(c, t, row, m));
	if (c->measures == COMPARE_COUNTERS)
		return;
	json_t *all = json_array();
	for (size_t m = COMPARE_COUNTERS; m < c->measures; m++) {
		json_t *one = measure(c, t, row, m);
		json_object_set_new(one, "name", view_json_text(compare_measure_name(c, m)));
		json_array_append_new(all, one);
	}
	json_object_set_new(o, "counters", all);
}

static void put_name(json_t *o, const char *key, const char *old_key, const struct compare *c,
		     uint32_t row)
{
	const struct match_row *m = &c->match.rows[row];
	const struct zone *z = &c->v->load.zones.list[m->zone];
	json_object_set_new(o, key, row ? view_json_text(z->name) : json_null());
	if (m->earlier)
		json_object_set_new(o, old_key,
				    view_json_text(c->v->load.zones.list[m->earlier].name));
}

static json_t *presence(const struct compare *c, uint64_t sides)
{
	json_t *on = json_array();
	for (size_t i = 0; i < c->side_count; i++)
		json_array_append_new(on, json_boolean(sides >> i & 1));
	return on;
}

static json_t *function(const struct compare *c, size_t row)
{
	const struct compare_row *r = &c->functions.rows[row];
	const struct zone *z = &c->v->load.zones.list[c->match.rows[r->callee].zone];
	json_t *o = json_object();
	put_name(o, "name", "earlier_name", c, r->callee);
	json_object_set_new(o, "file", *z->file ? view_json_text(z->file) : json_null());
	json_object_set_new(o, "line", z->line ? json_integer(z->line) : json_null());
	json_object_set_new(o, "on", presence(c, r->sides));
	put_measures(o, c, &c->functions, row);
	return o;
}

static json_t *arc(const struct compare *c, size_t row)
{
	const struct compare_row *r = &c->arcs.rows[row];
	json_t *o = json_object();
	put_name(o, "caller", "earlier_caller", c, r->caller);
	put_name(o, "callee", "earlier_callee", c, r->callee);
	json_object_set_new(o, "on", presence(c, r->sides));
	put_measures(o, c, &c->arcs, row);
	return o;
}

static json_t *group(const struct compare *c, size_t row)
{
	struct str name = {0};
	json_t *o = json_object();
	compare_row_name(c, &c->groups, row, &name);
	json_object_set_new(o, "name", view_json_text(str_text(&name)));
	put_measures(o, c, &c->groups, row);
	str_free(&name);
	return o;
}

static void put_table(const struct compare *c, const struct compare_table *t, const char *name,
		      json_t *(*item)(const struct compare *, size_t))
{
	FILE *to = c->v->terminal.out;
	bool first = true;
	size_t count, limit = c->v->options->filters.limit;
	size_t *order = compare_order(c, t, false, &count);
	view_json_array(to, name);
	for (size_t i = 0; i < count && (!limit || i < limit); i++)
		view_json_item(to, &first, item(c, order[i]));
	view_json_array_end(to);
	free(order);
}

void compare_view_json(const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	bool first = true;
	view_json_begin(c->v, &c->all);
	view_json_array(to, "sides");
	for (size_t i = 0; i < c->side_count; i++)
		view_json_item(to, &first, side(c, i));
	view_json_array_end(to);
	put_table(c, &c->groups, "groups", group);
	put_table(c, &c->functions, "functions", function);
	put_table(c, &c->arcs, "arcs", arc);
}
