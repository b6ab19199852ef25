/* SPDX-License-Identifier: MIT */
/* filters.c - see filters.h: what patterns and rows are concerned with. Changing the tree is
 * filters_tree.c. */
#include "report/filters.h"

#include <stdlib.h>

#include "report/memory.h"

/* What a pattern begins with that is about something else than functions' names. */
static const char *const prefixes[] = {[PATTERN_FUNC] = "",
				       [PATTERN_FILE] = "file:",
				       [PATTERN_MODULE] = "module:",
				       [PATTERN_ADDR] = "addr:",
				       [PATTERN_GROUP] = "group:"};

void filters_free(struct filters *f)
{
	patterns_free(&f->thread);
	patterns_free(&f->under);
	patterns_free(&f->not_in);
	patterns_free(&f->only);
	patterns_free(&f->func);
	patterns_free(&f->group);
	patterns_free(&f->module);
	patterns_free(&f->file);
}

static bool check_groups(const struct patterns *p, const struct groups *g, struct str *err)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->list[i].of != PATTERN_GROUP || groups_find(g, p->list[i].text) != GROUP_NONE)
			continue;
		str_fail(err, "no group '%s'", p->list[i].text);
		for (size_t k = 0; k < g->count; k++)
			str_add(err, "%s'%s'", k ? ", " : "; there are: ", g->list[k].name);
		if (!g->count)
			str_add(err,
				"; groups are read from 'zprof.groups' here, or --groups FILE");
		return false;
	}
	return true;
}

bool filters_check(const struct filters *f, const struct groups *g, struct str *err)
{
	return check_groups(&f->under, g, err) && check_groups(&f->not_in, g, err) &&
	       check_groups(&f->only, g, err) && check_groups(&f->func, g, err) &&
	       check_groups(&f->group, g, err);
}

static bool one_matches(const struct pattern *p, const struct zones *zones, uint32_t zone,
			const struct groups *g)
{
	struct pattern_subject s = zones_subject(zones, zone);
	return p->of == PATTERN_GROUP
		   ? groups_contains(g, groups_find(g, p->text), &s, zones->list[zone].group)
		   : pattern_matches(p, &s);
}

static bool zone_matches(const struct patterns *p, const struct zones *zones, uint32_t zone,
			 const struct groups *g)
{
	for (size_t i = 0; i < p->count; i++)
		if (one_matches(&p->list[i], zones, zone, g))
			return true;
	return false;
}

static void warn_of(const struct patterns *p, const char *option, const struct zones *zones,
		    const struct groups *g, struct str *warnings)
{
	for (size_t i = 0; i < p->count; i++) {
		uint32_t zone = 1;
		while (zone < zones->count && !one_matches(&p->list[i], zones, zone, g))
			zone++;
		if (zone == zones->count)
			str_add(warnings, "zprof: %s: no function in the profile matches '%s%s'\n",
				option, prefixes[p->list[i].of], p->list[i].text);
	}
}

void filters_warn(const struct filters *f, const struct zones *zones, const struct groups *g,
		  struct str *warnings)
{
	warn_of(&f->under, "--under", zones, g, warnings);
	warn_of(&f->not_in, "--not", zones, g, warnings);
	warn_of(&f->only, "--only", zones, g, warnings);
}

bool *filters_zones(const struct patterns *p, const struct zones *zones, const struct groups *g)
{
	bool *match = memory_zeroed(zones->count, sizeof *match);
	for (size_t i = 1; i < zones->count; i++)
		match[i] = zone_matches(p, zones, (uint32_t)i, g);
	return match;
}

bool *filters_select(const struct filters *f, const struct derived *d, const struct zones *zones,
		     const struct groups *g)
{
	const struct patterns *kinds[] = {&f->func, &f->group, &f->module, &f->file};
	bool *shown = memory_zeroed(d->function_count, sizeof *shown);
	bool by_calls = !d->whole.ticks && d->whole.ns <= 0;
	double whole = by_calls ? (double)d->calls : d->whole.ns;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct function *one = &d->functions[i];
		double share = by_calls ? (double)one->calls : one->total.ns;
		bool yes = derive_used(one) && (!f->depth || one->min_depth <= f->depth);
		yes = yes && (f->min_percent <= 0 || share >= whole * f->min_percent / 100);
		for (size_t k = 0; yes && k < sizeof kinds / sizeof *kinds; k++)
			yes = !kinds[k]->count || zone_matches(kinds[k], zones, (uint32_t)i, g);
		shown[i] = yes;
	}
	return shown;
}

static void describe(struct str *text, const struct patterns *p, const char *what)
{
	for (size_t i = 0; i < p->count; i++)
		str_add(text, "%s%s%s", i ? ", " : what, prefixes[p->list[i].of], p->list[i].text);
	if (p->count)
		str_add(text, ".  ");
}

void filters_describe(const struct filters *f, struct str *text)
{
	describe(text, &f->thread, "Restricted to threads ");
	describe(text, &f->under, "Restricted to what runs under ");
	describe(text, &f->not_in, "As if never instrumented: ");
	describe(text, &f->only, "As if nothing were instrumented but ");
	while (text->used && text->text[text->used - 1] == ' ')
		text->text[--text->used] = 0;
}
