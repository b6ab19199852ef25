/* SPDX-License-Identifier: MIT */
/* gate.c - see gate.h. */
#include "report/compare/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/*
 * How many standard errors are taken off the change of a time, unless the condition says. Without
 * any, a time that rose by less than its own error broke the gate, which no user can mend. Calls
 * and counters have no error.
 */
#define TIME_SIGMAS 2

/* ---- the text of a condition */

/* Parses `5%`, `20` or `1.5ms`, and perhaps `+2sigma` behind it. Times become nanoseconds. The sigmas
 * stay as they are if there are none. */
static bool parse_limit(struct gate_condition *c, const char *text, bool *is_time)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	c->limit = strtod(text, &end);
	if (end == text || !(c->limit >= 0) || isinf(c->limit))
		return false;
	if (*end == '%') {
		c->percent = true;
		end++;
	}
	size_t word = strcspn(end, "+");
	for (size_t i = 0; word && !c->percent && i < sizeof units / sizeof *units; i++)
		if (word == strlen(units[i].name) && !strncmp(end, units[i].name, word)) {
			c->limit *= units[i].factor;
			*is_time = true;
			end += word;
			break;
		}
	if (!*end)
		return true;
	if (*end != '+')
		return false;
	text = end + 1;
	c->sigmas = strtod(text, &end);
	if (end == text)
		c->sigmas = 1;
	return c->sigmas >= 0 && !isinf(c->sigmas) && !strcmp(end, "sigma");
}

/* The last `<` or `>` of a condition: the pattern before it may contain others. */
static const char *find_operator(const char *text)
{
	const char *at = text + strlen(text);
	while (at > text && *at != '<' && *at != '>')
		at--;
	return at > text ? at : NULL;
}

bool gate_add(struct gate *g, const char *text, struct str *err)
{
	struct gate_condition c = {.text = text, .sigmas = -1};
	const char *sign = find_operator(text), *word = sign, *end = sign;
	bool is_time = false;
	bool ok = sign && parse_limit(&c, sign + 1, &is_time);
	while (ok && end > text && end[-1] == ' ')
		end--;
	for (word = end; ok && word > text && word[-1] != ' ';)
		word--;
	size_t length = ok ? (size_t)(end - word) : 0;
	bool times = length && (!strncmp(word, "self", length) || !strncmp(word, "total", length));
	if (!ok || !length || (is_time && !times) ||
	    (times && !is_time && !c.percent && c.limit > 0))
		return str_fail(err,
				"--fail is [PATTERN | group:GROUP | whole] MEASURE>LIMIT, such as "
				"'calls>0%%', 'group:io self>5%%+2sigma' or 'main total>10ms', not "
				"'%s'",
				text);
	if (c.sigmas < 0) /* not given */
		c.sigmas = times ? TIME_SIGMAS : 0;
	c.falls = *sign == '<';
	c.measure_name = memory_text(word, length);
	while (word > text && word[-1] == ' ')
		word--;
	c.selector = memory_text(text, (size_t)(word - text));
	*memory_next(g->conditions, g->count, g->room) = c;
	return true;
}

void gate_free(struct gate *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free(g->conditions[i].selector);
		free(g->conditions[i].measure_name);
	}
	free(g->conditions);
	free(g->breaches);
	*g = (struct gate){0};
}

/* ---- checking */

/* How much worse a value has become, as the condition counts it; below 0: better. */
static double worse(const struct gate_condition *condition, const struct compare_change *d)
{
	return condition->falls ? -d->change : d->change;
}

static bool breaks(const struct gate_condition *condition, const struct compare_change *d)
{
	double limit = condition->limit, sigma = d->bar / MEAN_SIGMAS;
	if (condition->percent)
		limit *= fmax(d->before, 0) / 100;
	return worse(condition, d) - condition->sigmas * sigma > limit;
}

static void check_row(struct gate *g, const struct compare *c, size_t number,
		      const struct compare_table *t, size_t row)
{
	struct gate_condition *condition = &g->conditions[number];
	struct compare_change d = compare_change(c, t, row, condition->measure);
	if (!breaks(condition, &d))
		return;
	size_t at = g->breach_count;
	g->breaches = memory_room(g->breaches, at, &g->breach_room, sizeof *g->breaches);
	for (; at && g->breaches[at - 1].condition == number; at--) {
		const struct gate_breach *b = &g->breaches[at - 1];
		struct compare_change other =
		    compare_change(c, b->table, b->row, condition->measure);
		if (worse(condition, &other) >= worse(condition, &d))
			break;
		g->breaches[at] = *b;
	}
	g->breaches[at] = (struct gate_breach){number, t, row};
	g->breach_count++;
	condition->breaches++;
}

static bool check_group(struct gate *g, const struct compare *c, size_t number,
			const struct pattern *group, struct str *err)
{
	if (!groups_require(&c->v->groups, group, err))
		return false;
	for (size_t i = 0; i < c->groups.count; i++) {
		struct str name = {0};
		compare_row_name(c, &c->groups, i, &name);
		bool same = !strcmp(str_text(&name), group->text);
		str_free(&name);
		if (!same)
			continue;
		check_row(g, c, number, &c->groups, i);
		return true;
	}
	return str_fail(err, "--fail '%s': the metric in use does not list the group '%s'",
			g->conditions[number].text, group->text);
}

static bool matches(const struct compare *c, uint32_t zone, const struct pattern *p)
{
	struct pattern_subject s = groups_subject(&c->v->load.zones, zone);
	return zone && pattern_matches(p, &s);
}

static bool check_functions(struct gate *g, const struct compare *c, size_t number,
			    const struct pattern *pattern, struct str *err)
{
	bool any = !pattern;
	for (size_t i = 0; i < c->functions.count; i++) {
		const struct match_row *r = &c->match.rows[c->functions.rows[i].callee];
		uint32_t kind = c->v->load.zones.list[r->zone].kind;
		if (pattern ? !matches(c, r->zone, pattern) && !matches(c, r->earlier, pattern)
			    : kind == ZPROF_ZONE_OWN)
			continue;
		any = true;
		if (c->shown[c->functions.rows[i].callee])
			check_row(g, c, number, &c->functions, i);
	}
	return any || str_fail(err, "--fail '%s': no function in the profiles matches '%s'",
			       g->conditions[number].text, pattern->text);
}

static bool check_condition(struct gate *g, const struct compare *c, size_t number, struct str *err)
{
	struct gate_condition *condition = &g->conditions[number];
	struct patterns p = {0};
	condition->measure = compare_measure_find(c, condition->measure_name);
	if (condition->measure == COMPARE_NONE)
		return str_fail(err,
				"--fail '%s': '%s' is not a measure of these profiles: calls, "
				"self, total, or a counter",
				condition->text, condition->measure_name);
	if (!compare_has(c, &c->functions, condition->measure))
		return str_fail(err, "--fail '%s': %s", condition->text, compare_why_missing(c));
	for (size_t i = 0; i < c->side_count; i++)
		if (compare_lacks(c, i, condition->measure))
			return str_fail(err, "--fail '%s': '%s' was recorded without %s",
					condition->text, c->sides[i].name, condition->measure_name);
	if (!strcmp(condition->selector, "whole")) {
		check_row(g, c, number, &c->whole, 0);
		return true;
	}
	if (!*condition->selector)
		return check_functions(g, c, number, NULL, err);
	bool ok = pattern_list_add_prefixed(&p, condition->selector, err);
	if (ok && p.list[0].of == PATTERN_GROUP && condition->measure == COMPARE_TOTAL)
		ok = str_fail(err, "--fail '%s': a group has calls and self, not total",
			      condition->text);
	else if (ok && p.list[0].of == PATTERN_GROUP)
		ok = check_group(g, c, number, &p.list[0], err);
	else if (ok)
		ok = check_functions(g, c, number, &p.list[0], err);
	pattern_list_free(&p);
	return ok;
}

bool gate_check(struct gate *g, const struct compare *c, struct str *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < g->count; i++)
		ok = check_condition(g, c, i, err);
	return ok;
}

size_t *gate_callers(const struct gate *g, const struct compare *c, const struct gate_breach *b,
		     size_t most, size_t *count)
{
	const struct gate_condition *condition = &g->conditions[b->condition];
	size_t *list = memory_zeroed(most + 1, sizeof *list);
	*count = 0;
	if (b->table != &c->functions)
		return list;
	for (size_t i = 0; i < c->arcs.count; i++) {
		struct compare_change d = compare_change(c, &c->arcs, i, condition->measure);
		if (c->arcs.rows[i].callee != b->table->rows[b->row].callee ||
		    worse(condition, &d) <= 0)
			continue;
		size_t at = *count;
		for (; at; at--) {
			struct compare_change other =
			    compare_change(c, &c->arcs, list[at - 1], condition->measure);
			if (worse(condition, &other) >= worse(condition, &d))
				break;
			list[at] = list[at - 1];
		}
		list[at] = i;
		*count = *count < most ? *count + 1 : most;
	}
	return list;
}
