/* SPDX-License-Identifier: MIT */
/* record_only.c - see record_only.h. */
#include "report/record/record_only.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "report/core/base/say.h"
#include "report/core/names/name_forms.h"
#include "report/core/read/profile_read.h"
#include "report/record/record_elf.h"
#include "symbolize/symbolize.h"

struct search {
	const struct pattern *pattern;
	struct near near;
	const char *shown; /* the name that is being compared */
	bool found, unknown;
	bool any; /* functions without hooks were recorded, too */
};

static bool try_form(const char *form, void *context)
{
	struct search *s = context;
	near_try(&s->near, form, s->shown);
	return false;
}

static void look_at(struct search *s, const char *name, const char *linkage)
{
	struct pattern_subject subject = {name, linkage, "", "", 0};
	s->found = s->found || pattern_matches(s->pattern, &subject);
	if (s->found || s->pattern->is_regex)
		return;
	char *bare = name_without_parameters(name);
	s->shown = bare;
	name_forms(name, linkage, try_form, s);
	free(bare);
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
