/* SPDX-License-Identifier: MIT */
/* sources.c - see sources.h. */
#define _GNU_SOURCE
#include "report/html/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/names/facts.h"
#include "report/core/source/source_text.h"
#include "report/html/page_text.h"

#define FILE_MOST   (512 << 10) /* bytes of one file */
#define ALL_MOST    (1 << 20)   /* bytes of all files */
#define WHOLE_MOST  (512 << 10) /* bytes of all files that are in the page as a whole */
#define LEAST_SHARE 0.001       /* of the whole: functions below it need no source */
#define ABOVE       4  /* lines above a function's first line, for its comment and result */
#define UNKNOWN     60 /* lines of a function whose last line is unknown */

/* Lines FIRST to LAST of a text, BYTES from AT on. */
struct stretch {
	uint32_t first, last;
	const char *at;
	size_t bytes;
};

struct sources {
	FILE *to;
	const struct view *v;
	const struct derived *d;
	const struct function **order; /* those that need a source, the largest first */
	size_t count;
	size_t bytes; /* of the texts written */
	struct str missing;
	size_t written, missed;
};

/* The text of a source file: as archived in the profile, or else as the file is now. */
static char *read_source(const struct view *v, const struct zone *z)
{
	char *plain = places_plain_path(z->file);
	struct source_place place = {.path = plain,
				     .folder = facts_folder(&v->load.zones, z->module, z->address),
				     .told = &v->load.zones.told,
				     .search = v->options->source_paths,
				     .search_count = v->options->source_path_count};
	char *text = source_text_search(&place);
	int why = errno;
	free(plain);
	errno = why;
	return text;
}

static int by_weight(const void *left, const void *right, void *view)
{
	const struct function *a = *(const struct function *const *)left,
			      *b = *(const struct function *const *)right;
	struct cost p = view_shown(view, &a->self), q = view_shown(view, &b->self);
	double x = cost_self_weight(&p), y = cost_self_weight(&q);
	return (x < y) - (x > y);
}

bool sources_need(const struct view *v, const struct derived *d, const struct function *f)
{
	for (int i = 0; i < TIME_MEASURES; i++) {
		enum time_measure m = (enum time_measure)i;
		struct cost total = measure_cost(m, &f->total), whole = measure_cost(m, &d->whole);
		if ((m == v->measure ||
		     (i && whole.ns > 0 && !load_unknown_measure(&v->load, m))) &&
		    cost_total_weight(&total) >= LEAST_SHARE * whole.ns)
			return derive_used(f);
	}
	return false;
}

static struct stretch lines_of(const struct sources *s, uint32_t zone)
{
	const struct zone *z = &s->v->load.zones.list[zone];
	uint32_t last = facts_last_line(&s->v->load.zones, z);
	struct stretch lines = {.first = z->line > ABOVE ? z->line - ABOVE : 1,
				.last = last >= z->line ? last + 1 : z->line + UNKNOWN};
	return lines;
}

/* Finds the lines in TEXT. False if the text does not have the first one. */
static bool locate(struct stretch *lines, const char *text)
{
	for (uint32_t line = 1; line < lines->first; line++) {
		text = strchr(text, '\n');
		if (!text)
			return false;
		text++;
	}
	const char *end = text;
	for (uint32_t line = lines->first; line <= lines->last && *end; line++) {
		const char *next = strchr(end, '\n');
		end = next ? next + 1 : end + strlen(end);
	}
	lines->at = text;
	lines->bytes = (size_t)(end - text);
	return lines->bytes;
}

static int by_first(const void *left, const void *right)
{
	const struct stretch *a = left, *b = right;
	return (a->first > b->first) - (a->first < b->first);
}

/* Joins stretches that touch. Returns how many are left. */
static size_t join(struct stretch *list, size_t count, const char *text)
{
	size_t kept = 0;
	qsort(list, count, sizeof *list, by_first);
	for (size_t i = 0; i < count; i++) {
		struct stretch *before = kept ? &list[kept - 1] : NULL;
		if (before && list[i].first <= before->last + 1) {
			if (list[i].last > before->last)
				before->last = list[i].last;
			locate(before, text);
		} else {
			list[kept++] = list[i];
		}
	}
	return kept;
}

static void put_path(struct sources *s, const char *path)
{
	fputs(s->written++ ? ",\n" : "\n", s->to);
	page_text(s->to, path);
	fputc(':', s->to);
}

/* Writes the lines of the functions of one file, of those that need a source and fit. */
static bool put_stretches(struct sources *s, const char *path, const char *text)
{
	struct stretch *list = memory_resize(NULL, s->count, sizeof *list);
	size_t count = 0, bytes = 0;
	for (size_t i = 0; i < s->count; i++) {
		uint32_t zone = s->order[i]->zone;
		if (strcmp(s->v->load.zones.list[zone].file, path))
			continue;
		struct stretch lines = lines_of(s, zone);
		if (!locate(&lines, text) || s->bytes + bytes + lines.bytes > ALL_MOST)
			continue;
		bytes += lines.bytes;
		list[count++] = lines;
	}
	count = join(list, count, text);
	if (count)
		put_path(s, path);
	for (size_t i = 0; i < count; i++) {
		char *part = strndup(list[i].at, list[i].bytes);
		if (!part)
			memory_exhausted(list[i].bytes);
		fprintf(s->to, "%s%u,", i ? "," : "[", list[i].first);
		page_text(s->to, part);
		s->bytes += list[i].bytes;
		free(part);
	}
	if (count)
		fputc(']', s->to);
	free(list);
	return count;
}

static bool put_whole(struct sources *s, const char *path, const char *text)
{
	size_t bytes = strlen(text);
	if (bytes >= FILE_MOST || s->bytes + bytes > WHOLE_MOST)
		return false;
	put_path(s, path);
	page_text(s->to, text);
	s->bytes += bytes;
	return true;
}

/* FOLDER: where the file was compiled, if its path begins there; NULL: unknown. */
static void note_missing(struct sources *s, const char *path, const char *why, const char *folder)
{
	const char *const texts[] = {path, why, folder ? folder : ""};
	static const char *const before[] = {"", ":[", ","};
	char *text = NULL;
	size_t bytes;
	FILE *memory = open_memstream(&text, &bytes);
	if (!memory)
		memory_exhausted(0);
	for (int i = 0; i < 3; i++) {
		fputs(before[i], memory);
		page_text(memory, texts[i]);
	}
	if (fclose(memory))
		memory_exhausted(0);
	str_add(&s->missing, "%s%s]", s->missed++ ? ",\n" : "\n", text);
	free(text);
}

static void put_file(struct sources *s, const struct zone *z)
{
	char *text = read_source(s->v, z);
	if (!text)
		note_missing(s, z->file, errno == EINVAL ? "it is not text" : strerror(errno),
			     *z->file == '/'
				 ? NULL
				 : facts_folder(&s->v->load.zones, z->module, z->address));
	else if (!put_whole(s, z->file, text) && !put_stretches(s, z->file, text))
		note_missing(s, z->file, "", NULL);
	free(text);
}

static bool seen(char *const *paths, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(paths[i], path))
			return true;
	return false;
}

void sources_put(FILE *to, const struct view *v, const struct derived *d)
{
	struct sources s = {.to = to, .v = v, .d = d};
	s.order = memory_resize(NULL, d->function_count, sizeof *s.order);
	char **paths = memory_zeroed(d->function_count, sizeof *paths);
	size_t path_count = 0;
	for (size_t i = 1; i < d->function_count; i++)
		if (source_text_is_source(v->load.zones.list[i].file) &&
		    sources_need(v, d, &d->functions[i]))
			s.order[s.count++] = &d->functions[i];
	qsort_r(s.order, s.count, sizeof *s.order, by_weight, (void *)v);
	fputs(",\n\"sources\":{", to);
	for (size_t i = 0; i < s.count; i++) {
		const struct zone *z = &v->load.zones.list[s.order[i]->zone];
		if (seen(paths, path_count, z->file))
			continue;
		paths[path_count++] = z->file;
		put_file(&s, z);
	}
	fprintf(to, "},\n\"missing\":{%s}", str_text(&s.missing));
	str_free(&s.missing);
	free(s.order);
	free(paths);
}
