/* SPDX-License-Identifier: MIT */
/*
 * told.h - what profiles tell of the programs themselves: names of functions, their statements, and
 * source files. Merged and archived profiles do (preload/format.h, struct zprof_name).
 *
 * What a profile tells takes precedence over the program's file, which may have been built again;
 * of two profiles, the first. Names that no profile tells are looked up.
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
};

/* Take over what MODULE, a number of struct zones, has of a profile; copies it. */
void told_add_name(struct told *t, uint32_t module, const struct profile_name *name);
void told_add_statements(struct told *t, uint32_t module, const struct profile_statements *s);
void told_add_source(struct told *t, const struct profile_source *source);

/* Call it when names were added, before the next question. */
void told_seal(struct told *t);
void told_free(struct told *t);

/* The function that ADDRESS, in the module's own terms, lies in; NULL: no profile told. */
const struct told_name *told_name_at(const struct told *t, uint32_t module, uint64_t address);

/* The source file of that path; NULL: no profile has it. */
const struct profile_source *told_source(const struct told *t, const char *path);

#endif
