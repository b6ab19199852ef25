/* SPDX-License-Identifier: MIT */
/* gate_view.c - see gate_view.h. */
#include "report/compare/gate_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/visible.h"
#include "report/compare/compare.h"
#include "report/core/base/units.h"

#define CALLERS      3  /* callers shown of a function that broke a condition, at most */
#define LARGEST_MANY 10 /* changes below the verdict in Markdown, unless --limit says */

/* Adds a ratio as `+0.05 %`: below one per cent, with two significant digits. */
static void add_percent(double ratio, struct str *to)
{
	double percent = 100 * (ratio - 1), size = percent < 0 ? -percent : percent;
	str_add(to, size < 1 ? "%+.2g %%" : size < 100 ? "%+.1f %%" : "%+.0f %%", percent);
}

/* Adds a change as `1,000 -> 1,001 (+1, +0.1 %)`. */
static void add_change(const struct compare *c, const struct compare_table *t, size_t row,
		       size_t measure, struct str *to)
{
	struct str text = {0};
	struct compare_change d = compare_change(c, t, row, measure);
	compare_text(c, measure, d.before, false, &text);
	str_add(to, "%s -> ", text.text);
	compare_text(c, measure, d.after, false, &text);
	str_add(to, "%s (", text.text);
	compare_text(c, measure, d.change, true, &text);
	str_add(to, "%s", text.text);
	if (d.bar > 0) {
		compare_text(c, measure, d.bar, false, &text);
		str_add(to, " +- %s", text.text);
	}
	str_add(to, ", ");
	if (d.ratio > 0)
		add_percent(d.ratio, to);
	else
		str_add(to, "new");
	str_add(to, ")");
	str_free(&text);
}

/* Adds a line for a breach, `work calls 1,000 -> 1,001 (...)`, and behind INDENT a line for each
 * caller that caused it. */
static void add_breach(const struct gate *g, const struct compare *c, const struct gate_breach *b,
		       const char *indent, struct str *to)
{
	size_t measure = g->conditions[b->condition].measure, count;
	size_t *callers = gate_callers(g, c, b, CALLERS, &count);
	struct str name = {0};
	compare_row_name(c, b->table, b->row, &name);
	str_add(to, "%s%s: %s ", indent, str_text(&name), compare_measure_name(c, measure));
	add_change(c, b->table, b->row, measure, to);
	str_add(to, "\n");
	for (size_t i = 0; i < count; i++) {
		uint32_t caller = c->arcs.rows[callers[i]].caller;
		str_add(to, "%s    called by %s: ", indent,
			caller ? view_zone_name(c->v, c->match.rows[caller].zone)
			       : "<spontaneous>");
		add_change(c, &c->arcs, callers[i], measure, to);
		str_add(to, "\n");
	}
	free(callers);
	str_free(&name);
}

static void put_lines(FILE *to, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = memory_text(text, n);
		visible_print(to, line);
		fputs("\n", to);
		free(line);
		text += n + (text[n] == '\n');
	}
}

void gate_view_print(const struct gate *g, const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	fputs("\n", to);
	for (size_t i = 0; i < g->count; i++) {
		struct str lines = {0};
		const struct gate_condition *condition = &g->conditions[i];
		str_add(&lines, "%s %s\n", condition->breaches ? "FAILED" : "passed",
			condition->text);
		for (size_t k = 0; k < g->breach_count; k++)
			if (g->breaches[k].condition == i)
				add_breach(g, c, &g->breaches[k], "    ", &lines);
		put_lines(to, str_text(&lines));
		str_free(&lines);
	}
}

static json_t *breach_json(const struct gate *g, const struct compare *c,
			   const struct gate_breach *b)
{
	size_t measure = g->conditions[b->condition].measure, count;
	struct compare_change d = compare_change(c, b->table, b->row, measure);
	size_t *callers = gate_callers(g, c, b, CALLERS, &count);
	json_t *o = json_object(), *all = json_array();
	struct str name = {0};
	compare_row_name(c, b->table, b->row, &name);
	json_object_set_new(o, "name", view_json_text(str_text(&name)));
	json_object_set_new(o, "before", json_real(d.before));
	json_object_set_new(o, "after", json_real(d.after));
	json_object_set_new(o, "change_error", json_real(d.bar));
	for (size_t i = 0; i < count; i++) {
		uint32_t caller = c->arcs.rows[callers[i]].caller;
		struct compare_change arc = compare_change(c, &c->arcs, callers[i], measure);
		const char *text = c->v->load.zones.list[c->match.rows[caller].zone].name;
		json_array_append_new(all, json_pack("{s:o,s:f,s:f}", "name",
						     caller ? view_json_text(text) : json_null(),
						     "before", arc.before, "after", arc.after));
	}
	json_object_set_new(o, "callers", all);
	free(callers);
	str_free(&name);
	return o;
}

void gate_view_json(const struct gate *g, const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	bool first = true;
	view_json_array(to, "gate");
	for (size_t i = 0; i < g->count; i++) {
		json_t *o = json_object(), *all = json_array();
		for (size_t k = 0; k < g->breach_count; k++)
			if (g->breaches[k].condition == i)
				json_array_append_new(all, breach_json(g, c, &g->breaches[k]));
		json_object_set_new(o, "condition", view_json_text(g->conditions[i].text));
		json_object_set_new(o, "failed", json_boolean(g->conditions[i].breaches));
		json_object_set_new(o, "by", all);
		view_json_item(to, &first, o);
	}
	view_json_array_end(to);
}

/* ---- Markdown */

/* Puts text as code into a table's cell: without bars, backticks and line ends. */
static void put_code(FILE *to, const char *text)
{
	struct str plain = {0};
	visible_add(&plain, text);
	fputc('`', to);
	for (const char *at = str_text(&plain); *at; at++)
		fputs(*at == '|' ? "\\|" : *at == '`' ? "'" : (const char[]){*at, 0}, to);
	fputc('`', to);
	str_free(&plain);
}

static void put_callers(const struct gate *g, const struct compare *c, const struct gate_breach *b)
{
	FILE *to = c->v->terminal.out;
	size_t measure = g->conditions[b->condition].measure, count;
	size_t *callers = gate_callers(g, c, b, CALLERS, &count);
	for (size_t i = 0; i < count; i++) {
		struct str change = {0};
		uint32_t caller = c->arcs.rows[callers[i]].caller;
		fputs(i ? "<br>" : "", to);
		put_code(to, caller ? view_zone_name(c->v, c->match.rows[caller].zone)
				    : "<spontaneous>");
		add_change(c, &c->arcs, callers[i], measure, &change);
		fprintf(to, " %s", change.text);
		str_free(&change);
	}
	free(callers);
}

static void put_change_row(const struct compare *c, const struct compare_table *t, size_t row,
			   size_t measure)
{
	FILE *to = c->v->terminal.out;
	struct str text = {0};
	compare_row_name(c, t, row, &text);
	fputs("| ", to);
	put_code(to, str_text(&text));
	str_clear(&text);
	add_change(c, t, row, measure, &text);
	fputs(" | ", to);
	put_code(to, compare_measure_name(c, measure));
	fprintf(to, " | %s |", text.text);
	str_free(&text);
}

static void put_largest(const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	char text[UNITS_TEXT];
	size_t count, limit = c->v->options->filters.limit;
	size_t *order = compare_order(c, &c->functions, true, &count);
	limit = limit ? limit : LARGEST_MANY;
	if (count) {
		fprintf(to, "\nFunctions that changed beyond their error: %s",
			units_count(text, count));
		if (count > limit)
			fprintf(to, "; the largest %s:", units_count(text, limit));
		fputs("\n\n", to);
		fputs("| function | measure | change |\n|---|---|---|\n", to);
	} else {
		fputs("\nNo function changed beyond its error.\n", to);
	}
	for (size_t i = 0; i < count && i < limit; i++)
		for (size_t m = 0; m < c->measures; m++) {
			struct compare_change d = compare_change(c, &c->functions, order[i], m);
			if (!compare_has(c, &c->functions, m) || !compare_changed(&d))
				continue;
			put_change_row(c, &c->functions, order[i], m);
			fputs("\n", to);
		}
	free(order);
}

void gate_view_markdown(const struct gate *g, const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	size_t failed = 0;
	for (size_t i = 0; i < g->count; i++)
		failed += g->conditions[i].breaches > 0;
	if (!g->count)
		fputs("### zprof: what changed\n", to);
	else if (failed)
		fprintf(to, "### zprof: %zu of %s failed\n", failed,
			units_of((char[UNITS_TEXT]){0}, g->count, "condition"));
	else
		fputs("### zprof: passed\n", to);
	for (size_t i = 0; i < c->side_count; i++) {
		struct str origin = {0};
		compare_view_origin(c, i, &origin);
		fputs(i ? "- after: " : "\n- before: ", to);
		put_code(to, c->sides[i].name);
		fprintf(to, ", %s\n", origin.text);
		str_free(&origin);
	}
	if (g->count)
		fputs("\n| condition | result |\n|---|---|\n", to);
	for (size_t i = 0; i < g->count; i++) {
		fputs("| ", to);
		put_code(to, g->conditions[i].text);
		fputs(g->conditions[i].breaches ? " | **failed** |\n" : " | passed |\n", to);
	}
	if (g->breach_count)
		fputs("\n| what failed | measure | change | called by |\n|---|---|---|---|\n", to);
	for (size_t i = 0; i < g->breach_count; i++) {
		const struct gate_breach *b = &g->breaches[i];
		put_change_row(c, b->table, b->row, g->conditions[b->condition].measure);
		fputc(' ', to);
		put_callers(g, c, b);
		fputs(" |\n", to);
	}
	put_largest(c);
}

/* ---- JUnit */

static void put_xml(FILE *to, const char *text)
{
	struct str plain = {0};
	json_t *valid = view_json_text(text); /* UTF-8 */
	visible_add(&plain, json_string_value(valid));
	for (const char *at = str_text(&plain); *at; at++)
		fputs(*at == '<'   ? "&lt;"
		      : *at == '>' ? "&gt;"
		      : *at == '&' ? "&amp;"
		      : *at == '"' ? "&quot;"
				   : (const char[]){*at, 0},
		      to);
	json_decref(valid);
	str_free(&plain);
}

static void put_case(const struct gate *g, const struct compare *c, size_t number)
{
	FILE *to = c->v->terminal.out;
	const struct gate_condition *condition = &g->conditions[number];
	fputs("    <testcase classname=\"zprof\" name=\"", to);
	put_xml(to, condition->text);
	if (!condition->breaches) {
		fputs("\"/>\n", to);
		return;
	}
	fprintf(to, "\">\n      <failure message=\"%s broke the condition\">\n",
		units_count((char[UNITS_TEXT]){0}, condition->breaches));
	for (size_t k = 0; k < g->breach_count; k++) {
		struct str lines = {0};
		if (g->breaches[k].condition != number)
			continue;
		add_breach(g, c, &g->breaches[k], "", &lines);
		for (const char *at = str_text(&lines); *at;) {
			size_t n = strcspn(at, "\n");
			char *line = memory_text(at, n);
			put_xml(to, line);
			fputs("\n", to);
			free(line);
			at += n + (at[n] == '\n');
		}
		str_free(&lines);
	}
	fputs("      </failure>\n    </testcase>\n", to);
}

void gate_view_junit(const struct gate *g, const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	size_t failed = 0;
	for (size_t i = 0; i < g->count; i++)
		failed += g->conditions[i].breaches > 0;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
	fprintf(to,
		"<testsuites>\n  <testsuite name=\"zprof diff\" tests=\"%zu\" failures=\"%zu\">\n",
		g->count, failed);
	for (size_t i = 0; i < g->count; i++)
		put_case(g, c, i);
	fputs("  </testsuite>\n</testsuites>\n", to);
}

/* ---- Bencher */

static json_t *metric(const struct mean *v)
{
	if (v->bar > 0)
		return json_pack("{s:f,s:f,s:f}", "value", v->value, "lower_value",
				 v->value - v->bar, "upper_value", v->value + v->bar);
	return json_pack("{s:f}", "value", v->value);
}

/* Makes a name that no earlier function has, since two static functions may have one name. */
static void unique_name(const struct compare *c, size_t row, const json_t *taken, struct str *name)
{
	struct str place = {0};
	const struct match_row *r = &c->match.rows[c->functions.rows[row].callee];
	const struct zone *z = &c->v->load.zones.list[r->zone];
	json_t *valid = view_json_text(z->name);
	str_clear(name);
	str_add(name, "%s", json_string_value(valid));
	json_decref(valid);
	if (json_object_get(taken, name->text)) {
		view_place(z, &place);
		valid = view_json_text(str_text(&place));
		str_add(name, " %s", json_string_value(valid));
		json_decref(valid);
	}
	for (int i = 2; json_object_get(taken, name->text); i++)
		str_add(name, " #%d", i);
	str_free(&place);
}

void gate_view_bencher(const struct compare *c)
{
	FILE *to = c->v->terminal.out;
	size_t count, limit = c->v->options->filters.limit, last = c->side_count - 1;
	size_t *order = compare_order(c, &c->functions, false, &count);
	json_t *all = json_object();
	struct str name = {0};
	for (size_t i = 0; i < count && (!limit || i < limit); i++) {
		json_t *one = json_object();
		if (!(c->functions.rows[order[i]].sides >> last & 1)) {
			json_decref(one);
			continue;
		}
		unique_name(c, order[i], all, &name);
		for (size_t m = 0; m < c->measures; m++)
			if (compare_has(c, &c->functions, m) && !compare_lacks(c, last, m)) {
				json_t *label = view_json_text(compare_measure_name(c, m));
				json_object_set_new(
				    one, json_string_value(label),
				    metric(compare_at(c, &c->functions, order[i], last, m)));
				json_decref(label);
			}
		json_object_set_new(all, name.text, one);
	}
	view_json_write(to, all);
	fputs("\n", to);
	str_free(&name);
	free(order);
}
