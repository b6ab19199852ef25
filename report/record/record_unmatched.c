/* SPDX-License-Identifier: MIT */
/* record_unmatched.c - see record_unmatched.h. */
#include "report/record/record_unmatched.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/base/option_text.h"
#include "report/core/base/say.h"
#include "report/core/names/name_forms.h"
#include "report/core/read/profile_read.h"
#include "report/record/record_elf.h"
#include "report/record/record_patterns.h"
#include "symbolize/symbolize.h"

struct search {
	const struct pattern *pattern;
	struct near near;
	bool found, unknown;
	bool any; /* functions without hooks were recorded, too */
};

static void look_at(struct search *s, const char *name, const char *linkage)
{
	struct pattern_subject subject = {name, linkage, "", "", 0};
	s->found = s->found || pattern_matches(s->pattern, &subject);
	if (!s->found && !s->pattern->is_regex)
		name_forms_near(&s->near, name, linkage);
}

static bool on_function(void *context, const struct symbolize_function *f)
{
	struct search *s = context;
	look_at(s, f->name, f->linkage);
	return !s->found;
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
	for (size_t i = 0; i < p->module_count && !s->found; i++) {
		const struct profile_module *m = &p->modules[i];
		if (!s->any && !calls_hooks(m->path))
			continue;
		if (!symbolize_functions(symbolize_add(symbolizer, m->path, m->fixed.build_id,
						       m->fixed.build_id_bytes, SYMBOLIZE_FILE),
					 false, on_function, s))
			s->unknown = !s->any;
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

static void say_unmatched(struct run *r, const char *option, const struct pattern *pattern)
{
	struct search s = {.pattern = pattern, .any = r->any};
	struct str text = {0};
	if (!r->profiles)
		load(r);
	near_init(&s.near, pattern->text);
	for (size_t k = 0; k < r->count && !s.found; k++)
		search_profile(&s, r->symbolizer, &r->profiles[k]);
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
