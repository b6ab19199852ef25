/* SPDX-License-Identifier: MIT */
/*
 * told.h - facts about programs that profiles themselves hold: names of functions, their
 * statements, and source files. Merged and archived profiles have them (preload/format.h, struct
 * zprof_name). All profiles tell which functions were refused (struct zprof_refused).
 *
 * A fact from a profile takes precedence over the program's file, which may have been built again.
 * If two profiles have it, the first counts. Names that no profile has are looked up in the
 * program's file.
 */
#ifndef REPORT_TOLD_H
#define REPORT_TOLD_H

#include "report/core/base/lookup.h"
#include "report/core/read/profile_read.h"

struct told_name {
	uint32_t module;            /* index into modules of struct zones */
	uint64_t start, size, code; /* as in struct zprof_name */
	uint32_t line, last_line;
	char *name, *linkage, *file, *compiler;
};

/* A function's lines in one file. */
struct told_statements {
	uint32_t module;
	uint64_t start;
	char *file;
	struct zprof_statement *list;
	size_t count;
};

/* A function that was left alone, or a part of one. */
struct told_refused {
	uint32_t module;
	uint64_t start, bytes;
	bool part;
};

struct told {
	struct told_name *names;
	size_t name_count, name_room;
	struct lookup by_start; /* names */
	uint32_t *order;        /* of the names, by module and start */
	size_t ordered;
	struct told_statements *statements;
	size_t statements_count, statements_room;
	struct lookup by_function; /* statements */
	struct profile_source *sources;
	size_t source_count, source_room;
	struct told_refused *refused; /* once sealed: by module and start, each once */
	size_t refused_count, refused_room, refused_ordered;
};

/* Copy facts from a profile. MODULE is a number of struct zones. */
void told_add_name(struct told *t, uint32_t module, const struct profile_name *name);
void told_add_statements(struct told *t, uint32_t module, const struct profile_statements *s);
void told_add_source(struct told *t, const struct profile_source *source);
void told_add_refused(struct told *t, const struct told_refused *refused);

/* Must be called after names or refused functions were added, before they are asked for. */
void told_seal(struct told *t);
void told_free(struct told *t);

/* The function that contains ADDRESS, in the module's own terms; NULL: no profile has it. */
const struct told_name *told_name_at(const struct told *t, uint32_t module, uint64_t address);

/* Whether ADDRESS lies in a function that was refused. */
bool told_is_refused(const struct told *t, uint32_t module, uint64_t address);

/* How many functions were refused. */
uint64_t told_refused_functions(const struct told *t);

/* The source file with that path; NULL: no profile has it. */
const struct profile_source *told_source(const struct told *t, const char *path);

#endif
