/* SPDX-License-Identifier: MIT */
/* sources: see the header. A debug file refers to lines further down, so it is read three times:
 * for files and segments, for spans, for lines. */
#include "vm-6502/guest/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of code: addresses [start, start + size). */
struct span {
	long start, size;
};

struct reading {
	FILE *file;
	struct sources *sources;
	long *segment; /* start addresses */
	long segments;
	struct span *span;
	long spans;
	char line[4096];
};

/* The number after `,key=` or `\tkey=` in the line; -1: there is none. */
static long field(const char *line, const char *key)
{
	size_t length = strlen(key);

	for (const char *p = line + 1; (p = strstr(p, key)); p++) { /* +1: past "line\t" */
		if ((p[-1] == ',' || p[-1] == '\t') && p[length] == '=')
			return strtol(p + length + 1, NULL, 0);
	}
	return -1;
}

static bool next_of(struct reading *r, const char *kind)
{
	while (fgets(r->line, sizeof r->line, r->file)) {
		if (strncmp(r->line, kind, strlen(kind)) == 0)
			return true;
	}
	rewind(r->file);
	return false;
}

static bool read_counts(struct reading *r)
{
	if (!next_of(r, "info\t"))
		return false;
	r->segments = field(r->line, "seg");
	r->spans = field(r->line, "span");
	r->sources->files = field(r->line, "file");
	rewind(r->file);
	if (r->segments < 0 || r->spans < 0 || r->sources->files < 0)
		return false;
	r->segment = calloc(r->segments + 1, sizeof *r->segment);
	r->span = calloc(r->spans + 1, sizeof *r->span);
	r->sources->file = calloc(r->sources->files + 1, sizeof *r->sources->file);
	return r->segment && r->span && r->sources->file;
}

static void read_tables(struct reading *r)
{
	char name[1024];
	const char *quoted;

	while (next_of(r, "file\t")) {
		long id = field(r->line, "id");
		quoted = strstr(r->line, "name=\"");
		if (id >= 0 && id < r->sources->files && !r->sources->file[id] && quoted &&
		    sscanf(quoted, "name=\"%1023[^\"]\"", name) == 1)
			r->sources->file[id] = strdup(name);
	}
	while (next_of(r, "seg\t")) {
		long id = field(r->line, "id");
		if (id >= 0 && id < r->segments)
			r->segment[id] = field(r->line, "start");
	}
	while (next_of(r, "span\t")) {
		long id = field(r->line, "id"), segment = field(r->line, "seg");
		if (id >= 0 && id < r->spans && segment >= 0 && segment < r->segments)
			r->span[id] = (struct span){r->segment[segment] + field(r->line, "start"),
						    field(r->line, "size")};
	}
}

/* Notes the source of a span; values out of range are ignored. */
static void place(struct sources *s, struct span span, struct source_place where)
{
	enum { MOST_LINES = 1 << 20 };

	if (span.start < 0 || span.size > 0x10000 || where.file < 0 || where.file >= s->files ||
	    where.line < 1 || where.line > MOST_LINES)
		return;
	for (long a = span.start; a < span.start + span.size && a < 0x10000; a++)
		s->at[a] = where;
}

/* Notes the lines of C, or those of assembly; C comes last, and replaces the assembly made of
 * it. */
static void read_lines(struct reading *r, bool of_c)
{
	enum { C = 1, MACRO = 2 };

	while (next_of(r, "line\t")) {
		const char *spans = strstr(r->line, ",span=");
		struct source_place where = {field(r->line, "file"), field(r->line, "line")};
		char *end = spans ? r->line + (spans - r->line) + 5 : NULL;
		long type = field(r->line, "type");
		if (type == MACRO || (type == C) != of_c)
			continue;
		while (end && (*end == '=' || *end == '+')) {
			long id = strtol(end + 1, &end, 10);
			if (id >= 0 && id < r->spans)
				place(r->sources, r->span[id], where);
		}
	}
}

struct sources *sources_load(const char *path, char *err, size_t size)
{
	struct reading r = {.file = fopen(path, "r"), .sources = calloc(1, sizeof *r.sources)};
	bool good = false;

	if (!r.file)
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
	else if (!r.sources || !(good = read_counts(&r)))
		snprintf(err, size, "'%s' is not debug information of ld65 --dbgfile", path);
	if (good) {
		read_tables(&r);
		read_lines(&r, false);
		read_lines(&r, true);
	}
	free(r.segment);
	free(r.span);
	if (r.file)
		fclose(r.file);
	if (good)
		return r.sources;
	sources_free(r.sources);
	return NULL;
}

void sources_free(struct sources *s)
{
	if (!s)
		return;
	for (int i = 0; s->file && i < s->files; i++)
		free(s->file[i]);
	free(s->file);
	free(s);
}
