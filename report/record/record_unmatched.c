/* SPDX-License-Identifier: MIT */
/* record_unmatched.c - see record_unmatched.h. */
#include "report/record/record_unmatched.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/base/option_text.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/names/name_forms.h"
#include "report/core/read/profile_read.h"
#include "report/record/record_elf.h"
#include "report/record/record_patterns.h"
#include "symbolize/plan/plans.h"
#include "symbolize/symbolize.h"

struct search {
	const struct pattern *pattern;
	struct near near;
	bool found, unknown;
	bool any;                      /* functions without hooks were recorded, too */
	const struct plans_held *plan; /* of the module searched, if it refuses functions */
	struct str refused;            /* the first function that matches and is refused, and why */
	size_t others;                 /* further ones */
};

/* Whether the pattern matches. */
static bool look_at(struct search *s, const char *name, const char *linkage)
{
	struct pattern_subject subject = {name, linkage, "", "", 0};
	bool matches = pattern_matches(s->pattern, &subject);
	s->found |= matches;
	if (!s->found && !s->pattern->is_regex)
		name_forms_near(&s->near, name, linkage);
	return matches;
}

/* A function that matches: notes whether its plan refuses it. */
static void look_whether_refused(struct search *s, const struct symbolize_function *f)
{
	const struct plan *plan = &s->plan->plan;
	uint32_t n = plan_find(plan, (uint32_t)(f->start - s->plan->low));
	if (n == PLAN_NOBODY || !plan->codes[n].refusal)
		return;
	if (s->refused.used)
		s->others++;
	else
		str_add(&s->refused, "'%s' is left alone, and not recorded: %s", f->name,
			plans_why_refused(plan->codes[n].refusal));
}

static bool on_function(void *context, const struct symbolize_function *f)
{
	struct search *s = context;
	if (look_at(s, f->name, f->linkage) && s->plan)
		look_whether_refused(s, f);
	return !s->found || s->plan;
}

static bool has_refused(const struct profile *p, const struct profile_module *m)
{
	for (size_t i = 0; i < p->refused_count; i++)
		if (profile_find_module(p, ZPROF_REFUSED_MODULE(&p->refused[i])) == m)
			return true;
	return false;
}

/* Gets the plan that a module was displaced by, if it refuses functions. */
static bool get_plan(struct plans_held *held, const struct profile *p,
		     const struct profile_module *m)
{
	if (!has_refused(p, m) || plans_get(held, m->path, false, NULL))
		return false;
	if (plan_is_of(&held->plan, m->fixed.build_id, m->fixed.build_id_bytes))
		return true;
	plans_free(held);
	return false;
}

/* Whether a module's functions have hooks. (The C library has hooks, too, and calls none.) */
static bool calls_hooks(const char *path)
{
	struct record_elf e;
	if (!record_elf_open(&e, path))
		return false;
	bool calls =
	    record_elf_uses(&e, "__cyg_profile_func_enter") || record_elf_uses(&e, "__fentry__");
	record_elf_close(&e);
	return calls;
}

static void search_profile(struct search *s, struct symbolizer *symbolizer, const struct profile *p)
{
	for (size_t i = 0; i < p->zone_count && !s->found; i++)
		look_at(s, p->zones[i].name, "");
	for (size_t i = 0; i < p->module_count && (!s->found || s->any); i++) {
		const struct profile_module *m = &p->modules[i];
		struct plans_held held;
		if (!s->any && !calls_hooks(m->path))
			continue;
		s->plan = s->any && get_plan(&held, p, m) ? &held : NULL;
		if (s->found && !s->plan)
			continue;
		if (!symbolize_functions(symbolize_add(symbolizer, m->path, m->fixed.build_id,
						       m->fixed.build_id_bytes, SYMBOLIZE_FILE),
					 false, on_function, s))
			s->unknown = !s->any;
		if (s->plan)
			plans_free(&held);
	}
}

/* The profiles of a run, and what names their functions. Most runs have no pattern, and load none. */
struct run {
	const struct find_files *files;
	bool any;
	struct profile *profiles; /* NULL: not loaded yet */
	size_t count;
	struct symbolizer *symbolizer;
};

static void load(struct run *r)
{
	struct str err = {0};
	r->profiles = memory_zeroed(r->files->count, sizeof *r->profiles);
	r->symbolizer = symbolize_new();
	for (size_t i = 0; i < r->files->count; i++)
		r->count += profile_load(&r->profiles[r->count], r->files->paths[i], true, &err);
	str_free(&err);
}

static void unload(struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		profile_free(&r->profiles[i]);
	if (r->profiles)
		symbolize_free(r->symbolizer);
	free(r->profiles);
}

static void say_refused(struct search *s, const char *option)
{
	if (s->others)
		str_add(&s->refused,
			" ('%s' matches %s more that are left alone; 'zprof info "
			"--refused' lists them)",
			s->pattern->text, units_count((char[UNITS_TEXT]){0}, s->others));
	if (s->refused.used)
		say("--%s: %s", option, s->refused.text);
	str_free(&s->refused);
}

static void say_unmatched(struct run *r, const char *option, const struct pattern *pattern)
{
	struct search s = {.pattern = pattern, .any = r->any};
	struct str text = {0};
	if (!r->profiles)
		load(r);
	near_init(&s.near, pattern->text);
	for (size_t k = 0; k < r->count && !s.found; k++)
		search_profile(&s, r->symbolizer, &r->profiles[k]);
	say_refused(&s, option);
	str_add(&text, "--%s: no function%s matches '%s'", option, r->any ? "" : " with hooks",
		pattern->text);
	near_add(&s.near, &text);
	if (r->count && !s.found && !s.unknown)
		say("%s", text.text);
	str_free(&text);
}

/* OPTION's patterns, by its flag or else in the environment. */
static void look_for(struct run *r, const char *option, const struct patterns *flag)
{
	struct patterns elsewhere = {0};
	struct str err = {0};
	char *value = flag->count ? NULL : option_text(getenv("ZPROF_OPTIONS"), option);
	if (value && !record_patterns(&elsewhere, option, value, &err))
		pattern_list_free(&elsewhere); /* the library has said why it cannot use them */
	const struct patterns *all = flag->count ? flag : &elsewhere;
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].of == PATTERN_FUNC)
			say_unmatched(r, option, &all->list[i]);
	pattern_list_free(&elsewhere);
	str_free(&err);
	free(value);
}

void record_unmatched(const struct find_files *files, const struct patterns *only,
		      const struct patterns *frame, const struct patterns *tails, bool any)
{
	struct run r = {.files = files, .any = any};
	look_for(&r, "only", only);
	look_for(&r, "frame", frame);
	look_for(&r, "tails", tails);
	unload(&r);
}
