/* SPDX-License-Identifier: MIT */
/* filters.c - see filters.h: patterns and rows. filters_tree.c changes the tree. */
#include "report/core/select/filters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/recordings.h"
#include "report/core/names/name_forms.h"
#include "report/core/base/near.h"
#include "report/core/select/inlined.h"

/* The prefix of a pattern, by what it matches. */
static const char *const prefixes[] = {[PATTERN_FUNC] = "",
				       [PATTERN_FILE] = "file:",
				       [PATTERN_MODULE] = "module:",
				       [PATTERN_ADDR] = "addr:",
				       [PATTERN_GROUP] = "group:"};

void filters_free(struct filters *f)
{
	pattern_list_free(&f->thread);
	pattern_list_free(&f->pid);
	pattern_list_free(&f->under);
	pattern_list_free(&f->not_in);
	pattern_list_free(&f->only);
	pattern_list_free(&f->func);
	pattern_list_free(&f->group);
	pattern_list_free(&f->module);
	pattern_list_free(&f->file);
}

static bool zone_matches(const struct patterns *p, const struct zones *zones, uint32_t zone,
			 const struct groups *g)
{
	struct pattern_subject s = groups_subject(zones, zone);
	return groups_match_any(g, p, &s, zones->list[zone].group);
}

bool filters_thread_matches(const struct pattern *p, const struct tree_thread *t)
{
	char number[16];
	snprintf(number, sizeof number, "%u", t->tid);
	struct pattern_subject by_name = {t->name, "", "", "", 0},
			       by_number = {number, "", "", "", 0};
	return pattern_matches(p, &by_name) || pattern_matches(p, &by_number);
}

bool filters_pid_matches(const struct pattern *p, const struct tree_thread *t)
{
	char number[16];
	snprintf(number, sizeof number, "%u", t->pid);
	struct pattern_subject by_number = {number, "", "", "", 0};
	return pattern_matches(p, &by_number);
}

static void try_path(struct near *near, const char *path)
{
	if (*path)
		near_try(near, zones_base_name(path), zones_base_name(path));
}

/* Remembers ZONE, as one that the user may have meant by a pattern. */
static void try_zone(struct near *near, enum pattern_of of, const struct pattern_subject *zone)
{
	if (of == PATTERN_FILE)
		try_path(near, zone->file);
	else if (of == PATTERN_MODULE)
		try_path(near, zone->module);
	else if (of == PATTERN_FUNC)
		name_forms_near(near, zone->name, zone->linkage);
}

static bool nothing_matches(const struct pattern *p, const char *option, const struct zones *zones,
			    struct str *err)
{
	struct near near;
	struct str inlined = {0};
	if (inlined_describe(p, zones, &inlined)) {
		str_fail(err, "%s: '%s' %s", option, p->text, inlined.text);
		str_free(&inlined);
		return false;
	}
	str_fail(err, "%s: no function in the profile matches '%s%s'", option, prefixes[p->of],
		 p->text);
	near_init(&near, p->is_regex ? "" : p->text);
	for (size_t i = 1; i < zones->count; i++) {
		struct pattern_subject subject = groups_subject(zones, (uint32_t)i);
		try_zone(&near, p->of, &subject);
	}
	near_add(&near, err);
	return false;
}

static bool check_one(const struct pattern *p, const char *option, const struct zones *zones,
		      const struct groups *g, struct str *err)
{
	if (!groups_require(g, p, err))
		return false;
	for (size_t i = 1; i < zones->count; i++) {
		struct pattern_subject s = groups_subject(zones, (uint32_t)i);
		if (groups_match(g, p, &s, zones->list[i].group))
			return true;
	}
	return nothing_matches(p, option, zones, err);
}

static bool check_thread(const struct pattern *p, const struct tree *t, struct str *err)
{
	struct near near;
	for (size_t i = 0; i < t->thread_count; i++)
		if (filters_thread_matches(p, &t->threads[i]))
			return true;
	str_fail(err, "--thread: no thread in the profile matches '%s'", p->text);
	near_init(&near, p->is_regex ? "" : p->text);
	for (size_t i = 0; i < t->thread_count; i++)
		near_try(&near, t->threads[i].name, t->threads[i].name);
	near_add(&near, err);
	return false;
}

static bool check_pid(const struct pattern *p, const struct tree *t, struct str *err)
{
	for (size_t i = 0; i < t->thread_count; i++)
		if (filters_pid_matches(p, &t->threads[i]))
			return true;
	return str_fail(err,
			"--pid: no process in the profile has the number '%s'; 'zprof info' "
			"lists them",
			p->text);
}

bool filters_check(const struct filters *f, const struct zones *zones, const struct tree *t,
		   const struct groups *g, struct str *err)
{
	const struct {
		const struct patterns *patterns;
		const char *option;
	} all[] = {{&f->func, "--func"}, {&f->group, "--group"}, {&f->module, "--module"},
		   {&f->file, "--file"}, {&f->under, "--under"}, {&f->not_in, "--not"},
		   {&f->only, "--only"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t k = 0; k < all[i].patterns->count; k++)
			if (!check_one(&all[i].patterns->list[k], all[i].option, zones, g, err))
				return false;
	for (size_t i = 0; i < f->pid.count; i++)
		if (!check_pid(&f->pid.list[i], t, err))
			return false;
	for (size_t i = 0; i < f->thread.count; i++)
		if (!check_thread(&f->thread.list[i], t, err))
			return false;
	return true;
}

bool *filters_zones(const struct patterns *p, const struct zones *zones, const struct groups *g)
{
	bool *match = memory_zeroed(zones->count, sizeof *match);
	for (size_t i = 1; i < zones->count; i++)
		match[i] = zone_matches(p, zones, (uint32_t)i, g);
	return match;
}

bool *filters_select(const struct filters *f, const struct derived *d, const struct zones *zones,
		     const struct groups *g, enum time_measure m)
{
	const struct patterns *kinds[] = {&f->func, &f->group, &f->module, &f->file};
	bool *shown = memory_zeroed(d->function_count, sizeof *shown);
	bool by_calls = !d->whole.ticks && d->whole.ns <= 0;
	double whole = by_calls ? (double)d->calls : measure_cost(m, &d->whole).ns;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct function *one = &d->functions[i];
		struct cost total = measure_cost(m, &one->total);
		double share = by_calls ? (double)one->calls : cost_total_weight(&total);
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
	if (f->recording == RECORDINGS_LAST)
		str_add(text, "Restricted to the last recording.  ");
	else if (f->recording)
		str_add(text, "Restricted to recording %u.  ", f->recording);
	describe(text, &f->pid, "Restricted to processes ");
	describe(text, &f->thread, "Restricted to threads ");
	describe(text, &f->under, "Restricted to what runs under ");
	describe(text, &f->not_in, "As if never instrumented: ");
	describe(text, &f->only, "As if only these were instrumented: ");
	if (f->fold_library)
		str_add(text, "The C++ library's internal functions count as their callers.  ");
	while (text->used && text->text[text->used - 1] == ' ')
		text->text[--text->used] = 0;
}
