/* SPDX-License-Identifier: MIT */
/*
 * source_text.h - the text of source files, line by line, for views that show it.
 *
 * Profiles name files as the compiler saw them. If the folder of the build is gone or has moved,
 * --source-path says where the files are:
 *
 *     --source-path OLD=NEW    paths that begin with OLD begin with NEW instead
 *     --source-path FOLDER     below FOLDER, by as much of the end of the path as exists there
 *
 * A path that does not begin with `/` is relative to the folder that the file was compiled in, if
 * that folder is known and has the file; otherwise to the current folder. An archived profile holds
 * texts of files (told.h). They are used unless --source-path leads to other files. The writer of a
 * profile chose its paths, so only regular files are read, and only text. A tab goes to the next
 * column that is a multiple of its width; characters are as wide as on a terminal.
 */
#ifndef REPORT_SOURCE_TEXT_H
#define REPORT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/core/base/str.h"
#include "report/core/names/told.h"

struct source_text {
	char *text;         /* NULL: it cannot be read */
	const char **lines; /* [0] is line 1; each ends with a zero byte */
	size_t count;
	struct str why; /* a sentence: why it cannot be read */
};

/* A source: its path, as the compiler saw it, and where it may be. */
struct source_place {
	const char *path;
	const char *folder; /* where it was compiled; NULL: unknown */
	const struct told *told;
	const char *const *search; /* the values of --source-path */
	size_t search_count;
};

void source_text_find(struct source_text *s, const struct source_place *place);
void source_text_free(struct source_text *s);

/* The whole text of a source; NULL, and errno says why. free() it. */
char *source_text_search(const struct source_place *place);

/* Whether a file of that name is a source. Other files must never be put where other users may read
 * them. */
bool source_text_is_source(const char *path);

/* Adds TEXT to TO, its tabs made spaces. */
void source_text_expand(struct str *to, const char *text, int tab);

/* The column of a terminal, from 0, at which byte number COLUMN of TEXT, from 1, is shown. */
int source_text_column(const char *text, unsigned column, int tab);

#endif
