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

struct source_file {
	const struct zone *zone; /* the function that takes most, of those in this file */
	char *text;              /* NULL: it cannot be read */
	int why;                 /* errno */
	bool whole;
	struct stretch *list; /* of a file that is cut down */
	size_t count, room;
};

struct sources {
	FILE *to;
	const struct view *v;
	const struct function **order; /* those that need a source, the largest first */
	size_t count;
	struct source_file *files;
	size_t file_count, file_room;
	size_t bytes; /* of the texts to be written */
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

/* The lines of a function, and some above for its comment and result. */
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

/* The file of a function. It is in the page as a whole if there is room. */
static struct source_file *file_of(struct sources *s, const struct zone *z)
{
	for (size_t i = 0; i < s->file_count; i++)
		if (!strcmp(s->files[i].zone->file, z->file))
			return &s->files[i];
	struct source_file *f = memory_next(s->files, s->file_count, s->file_room);
	*f = (struct source_file){.zone = z, .text = read_source(s->v, z)};
	f->why = f->text ? 0 : errno;
	size_t bytes = f->text ? strlen(f->text) : 0;
	f->whole = f->text && bytes < FILE_MOST && s->bytes + bytes <= WHOLE_MOST;
	if (f->whole)
		s->bytes += bytes;
	return f;
}

/* Whether the lines are chosen already: functions made of one template have the same. */
static bool is_chosen(const struct source_file *f, const struct stretch *lines)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].first <= lines->first && f->list[i].last >= lines->last)
			return true;
	return false;
}

/* Chooses what is in the page. The functions that take most come first, whichever file they are in. */
static void choose(struct sources *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct source_file *f = file_of(s, &s->v->load.zones.list[s->order[i]->zone]);
		if (f->whole || !f->text)
			continue;
		struct stretch lines = lines_of(s, s->order[i]->zone);
		if (is_chosen(f, &lines) || !locate(&lines, f->text) ||
		    s->bytes + lines.bytes > ALL_MOST)
			continue;
		s->bytes += lines.bytes;
		*memory_next(f->list, f->count, f->room) = lines;
	}
}

static void put_stretches(const struct sources *s, struct source_file *f)
{
	f->count = join(f->list, f->count, f->text);
	for (size_t i = 0; i < f->count; i++) {
		char *part = memory_text(f->list[i].at, f->list[i].bytes);
		fprintf(s->to, "%s%u,", i ? "," : "[", f->list[i].first);
		page_text(s->to, part);
		free(part);
	}
	fputc(']', s->to);
}

static void put_sources(const struct sources *s)
{
	size_t written = 0;
	fputs(",\n\"sources\":{", s->to);
	for (size_t i = 0; i < s->file_count; i++) {
		struct source_file *f = &s->files[i];
		if (!f->whole && !f->count)
			continue;
		fputs(written++ ? ",\n" : "\n", s->to);
		page_text(s->to, f->zone->file);
		fputc(':', s->to);
		if (f->whole)
			page_text(s->to, f->text);
		else
			put_stretches(s, f);
	}
	fputs("}", s->to);
}

/* Says why files are missing: as the system says, or with an empty text because of their size. */
static void put_missing(const struct sources *s)
{
	size_t written = 0;
	fputs(",\n\"missing\":{", s->to);
	for (size_t i = 0; i < s->file_count; i++) {
		const struct source_file *f = &s->files[i];
		const struct zone *z = f->zone;
		/* Only a path that does not begin with / is relative to that folder. */
		const char *folder =
		    *z->file == '/' ? NULL : facts_folder(&s->v->load.zones, z->module, z->address);
		if (f->whole || f->count)
			continue;
		fputs(written++ ? ",\n" : "\n", s->to);
		page_text(s->to, z->file);
		fputs(":[", s->to);
		page_text(s->to, f->text            ? ""
				 : f->why == EINVAL ? "it is not text"
						    : strerror(f->why));
		fputc(',', s->to);
		page_text(s->to, folder ? folder : "");
		fputs("]", s->to);
	}
	fputs("}", s->to);
}

void sources_put(FILE *to, const struct view *v, const struct derived *d)
{
	struct sources s = {.to = to, .v = v};
	s.order = memory_resize(NULL, d->function_count, sizeof *s.order);
	for (size_t i = 1; i < d->function_count; i++)
		if (source_text_is_source(v->load.zones.list[i].file) &&
		    sources_need(v, d, &d->functions[i]))
			s.order[s.count++] = &d->functions[i];
	qsort_r(s.order, s.count, sizeof *s.order, by_weight, (void *)v);
	choose(&s);
	put_sources(&s);
	put_missing(&s);
	for (size_t i = 0; i < s.file_count; i++) {
		free(s.files[i].text);
		free(s.files[i].list);
	}
	free(s.files);
	free(s.order);
}
