/* SPDX-License-Identifier: MIT */
/* sources.c - see sources.h. */
#define _GNU_SOURCE
#include "report/html/sources.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/names/facts.h"
#include "report/core/source/source_text.h"
#include "report/html/page_text.h"

#define FILE_MOST   (512 << 10) /* bytes of one file */
#define ALL_MOST    (1 << 20)   /* bytes of all files */
#define LEAST_SHARE 0.001       /* of the whole: functions below it need no source */

/* The text of a source file: as archived in the profile, or else as the file is now. */
static char *read_source(const struct view *v, const struct zone *z)
{
	char *plain = places_plain_path(z->file);
	struct source_place place = {.path = plain,
				     .folder = facts_folder(&v->load.zones, z->module, z->address),
				     .told = &v->load.zones.told};
	char *text = source_text_search(&place);
	free(plain);
	if (text && strlen(text) < FILE_MOST)
		return text;
	free(text);
	return NULL;
}

static int by_weight(const void *left, const void *right, void *view)
{
	const struct function *a = *(const struct function *const *)left,
			      *b = *(const struct function *const *)right;
	struct cost p = view_shown(view, &a->self), q = view_shown(view, &b->self);
	double x = cost_self_weight(&p), y = cost_self_weight(&q);
	return (x < y) - (x > y);
}

static bool seen(char *const *paths, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(paths[i], path))
			return true;
	return false;
}

/* Whether a function takes enough for its source to be in the page. */
static bool is_large(const struct view *v, const struct derived *d, const struct function *f)
{
	struct cost total = view_shown(v, &f->total);
	return cost_total_weight(&total) >= LEAST_SHARE * view_shown(v, &d->whole).ns;
}

void sources_put(FILE *to, const struct view *v, const struct derived *d)
{
	const struct function **order = memory_resize(NULL, d->function_count, sizeof *order);
	char **paths = memory_zeroed(d->function_count, sizeof *paths);
	size_t path_count = 0, bytes = 0, written = 0;
	for (size_t i = 0; i < d->function_count; i++)
		order[i] = &d->functions[i];
	qsort_r(order, d->function_count, sizeof *order, by_weight, (void *)v);
	fputs(",\n\"sources\":{", to);
	for (size_t i = 0; i < d->function_count; i++) {
		char *path = v->load.zones.list[order[i]->zone].file;
		if (!derive_used(order[i]) || !source_text_is_source(path) ||
		    !is_large(v, d, order[i]) || seen(paths, path_count, path))
			continue;
		paths[path_count++] = path;
		char *text = read_source(v, &v->load.zones.list[order[i]->zone]);
		if (text && bytes + strlen(text) <= ALL_MOST) {
			bytes += strlen(text);
			fputs(written++ ? ",\n" : "\n", to);
			page_text(to, path);
			fputc(':', to);
			page_text(to, text);
		}
		free(text);
	}
	fputs("}", to);
	free(order);
	free(paths);
}
