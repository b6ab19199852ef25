/* SPDX-License-Identifier: MIT */
/* record_only.c - see record_only.h. */
#include "report/record/record_only.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/names/name_forms.h"
#include "report/core/read/profile_read.h"
#include "report/record/record_elf.h"
#include "symbolize/plan/plans.h"
#include "symbolize/symbolize.h"

static const char *const refusal_sentences[] = {
#define PLAN_REFUSAL(name, word, sentence) sentence,
#include "preload/displace/plan.def"
};

struct search {
	const struct pattern *pattern;
	struct near near;
	const char *shown; /* the name that is being compared */
	bool found, unknown;
	bool any;                      /* functions without hooks were recorded, too */
	const struct plans_held *plan; /* of the module searched, if it refuses functions */
	struct str refused;            /* the first function that matches and is refused, and why */
	size_t others;                 /* further ones */
};

static bool try_form(const char *form, void *context)
{
	struct search *s = context;
	near_try(&s->near, form, s->shown);
	return false;
}

/* Whether the pattern matches. */
static bool look_at(struct search *s, const char *name, const char *linkage)
{
	struct pattern_subject subject = {name, linkage, "", "", 0};
	bool matches = pattern_matches(s->pattern, &subject);
	s->found |= matches;
	if (s->found || s->pattern->is_regex)
		return matches;
	char *bare = name_without_parameters(name);
	s->shown = bare;
	name_forms(name, linkage, try_form, s);
	free(bare);
	return false;
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
			refusal_sentences[plan->codes[n].refusal]);
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

void record_only(const struct find_files *files, const struct patterns *only, bool any)
{
	struct profile *profiles = memory_zeroed(files->count, sizeof *profiles);
	struct symbolizer *symbolizer = symbolize_new();
	struct str err = {0};
	size_t count = 0;
	for (size_t i = 0; i < files->count && only->count; i++)
		count += profile_load(&profiles[count], files->paths[i], true, &err);
	for (size_t i = 0; i < only->count && count; i++) {
		struct search s = {.pattern = &only->list[i], .any = any};
		if (s.pattern->of != PATTERN_FUNC)
			continue;
		near_init(&s.near, s.pattern->text);
		for (size_t k = 0; k < count && !s.found; k++)
			search_profile(&s, symbolizer, &profiles[k]);
		if (s.others)
			str_add(&s.refused,
				" ('%s' matches %s more that are left alone; 'zprof info "
				"--refused' lists them)",
				s.pattern->text, units_count((char[UNITS_TEXT]){0}, s.others));
		if (s.refused.used)
			say("--only: %s", s.refused.text);
		str_free(&s.refused);
		str_fail(&err, "--only: no function%s matches '%s'", any ? "" : " with hooks",
			 s.pattern->text);
		near_add(&s.near, &err);
		if (!s.found && !s.unknown)
			say("%s", err.text);
	}
	for (size_t i = 0; i < count; i++)
		profile_free(&profiles[i]);
	free(profiles);
	symbolize_free(symbolizer);
	str_free(&err);
}
