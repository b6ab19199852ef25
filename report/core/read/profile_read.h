/* SPDX-License-Identifier: MIT */
/*
 * profile_read.h - reads a profile file into memory: the records of preload/format.h, checked.
 *
 * The file may grow while it is read, may be cut short, and may not be a profile at all. Any bytes
 * give either a profile whose references are all valid, or an error that says what is wrong and at
 * which offset. Nothing is derived here and no name is looked up.
 */
#ifndef REPORT_PROFILE_READ_H
#define REPORT_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/format.h"
#include "report/core/base/str.h"

#define PROFILE_NO_NODE UINT32_MAX

/*
 * Records that differ in length: the fixed part, as in the file, and copies of the texts and lists
 * behind it (record_kinds.h). Texts end with a zero byte and are never NULL.
 */
struct profile_module {
	struct zprof_module fixed;
	char *path;
};

struct profile_zone {
	struct zprof_zone fixed;
	char *name, *group, *file;
};

struct profile_text {
	struct zprof_text fixed;
	char *text;
};

struct profile_via {
	struct zprof_via fixed;
	uint64_t *addresses;
};

struct profile_choice {
	struct zprof_choice fixed;
	char *text;
};

struct profile_part {
	struct zprof_part fixed;
	char *rank, *host, *command;
};

struct profile_name {
	struct zprof_name fixed;
	char *name, *linkage, *file, *compiler;
};

struct profile_place {
	struct zprof_place fixed;
	char *file;
};

struct profile_statements {
	struct zprof_statements fixed;
	struct zprof_statement *list;
	char *file;
};

struct profile_source {
	struct zprof_source fixed;
	char *path;
	char *packed; /* see pack.h */
};

/* A counter that is not 0. */
struct profile_count {
	uint32_t module;
	uint64_t address; /* as the program ran */
	uint64_t count;
};

/* A node section's records: references [first, first + count) are nodes[index ...]. */
struct profile_range {
	uint32_t first;
	uint32_t count;
	size_t index;
};

/*
 * Reading turns nodes[i].parent from a reference into an index into nodes (PROFILE_NO_NODE for a
 * root). Following parents always ends at a root. A node of zone 0 that is not a root is an
 * overflow table, directly above a root. threads[i].root and .current[] become indices too (unused:
 * PROFILE_NO_NODE), and so does `node` of all records. modules, zones and parts are sorted by id, each
 * id once. Recordings are numbered 1, 2, ...; a profile without such records is one recording
 * (recordings.h).
 */
struct profile {
	char *path;
	struct zprof_header header;
#define RECORD_KIND(section, type, list, count, ...)                                               \
	type *list;                                                                                \
	size_t count;
#include "report/core/read/record_kinds.def"
#undef RECORD_KIND
	struct profile_range *ranges; /* in order of `first`, not overlapping */
	size_t range_count, range_room;
	/* The next five point into the bytes of `texts`. */
	char **command;
	size_t command_count, command_room;
	char *exe, *host, *rank, *options;    /* NULL if unknown */
	char *counters[ZPROF_EXTRA_COUNTERS]; /* names of the interpreter's counters */
	size_t counter_count;
	char **notes; /* lines for the head of a view; each has memory of its own */
	size_t note_count, note_room;
	uint32_t recording;  /* the recording that the profile is of; 0: all */
	char *frame;         /* the frame that the profile is of (frames/frame_pick.h); NULL: all */
	uint64_t file_bytes; /* size of the file when it was read */
	bool texts_only;     /* profile_load_texts() read it */
	struct str damage;   /* a sentence that says what is missing; empty: nothing */
};

/*
 * Reads the file at PATH, which must be the user's own or root's unless ANYONE is set. On error *P
 * needs no freeing, and ERR is a message without newline.
 */
bool profile_load(struct profile *p, const char *path, bool anyone, struct str *err);

/* As profile_load(), but reads only texts, modules, parts, members and recordings. */
bool profile_load_texts(struct profile *p, const char *path, bool anyone, struct str *err);

/* As profile_load(), from N BYTES in memory; NAME stands for the path in messages. */
bool profile_parse(struct profile *p, const char *name, const void *bytes, size_t n,
		   struct str *err);

/* Reads and checks the header alone, which says what run the file belongs to. The file may be anyone's. */
bool profile_peek(struct zprof_header *header, const char *path, struct str *err);

void profile_free(struct profile *p);

/*
 * The arguments of P's process as a line; free() it. A program that renames itself (setproctitle)
 * fills the room of its arguments with zeros or blanks: those at the end are left out. With QUOTED,
 * arguments have quotes where a shell needs them, but not one that is alone.
 */
char *profile_command(const struct profile *p, bool quoted);

/* Adds TEXT to the notes, which free it. */
void profile_note(struct profile *p, char *text);

/* Returns false; ERR says that P is damaged at OFFSET, and how. */
static inline bool profile_bad(const struct profile *p, struct str *err, uint64_t offset,
			       const char *what)
{
	return str_fail(err, "'%s' is damaged at offset %llu: %s", p->path,
			(unsigned long long)offset, what);
}

/* The range of nodes that has the one which REF names; NULL if there is none. */
const struct profile_range *profile_range_of(const struct profile *p, uint32_t ref);

/* The module, zone or part with that id; NULL if there is none. */
const struct profile_module *profile_find_module(const struct profile *p, uint32_t id);
const struct profile_zone *profile_find_zone(const struct profile *p, uint32_t id);
const struct profile_part *profile_find_part(const struct profile *p, uint32_t id);

/*
 * The module that contains ADDRESS of the running program, or NULL. If a module was unloaded and
 * another one was loaded at the same addresses, the second.
 */
const struct profile_module *profile_module_at(const struct profile *p, uint64_t address);

/* Nanoseconds per tick: see struct zprof_header. Never 0. */
double profile_ns_per_tick(const struct zprof_header *header);

/*
 * The time from the start of the process to the latest moment that its profile knows: the end of the
 * process if it ended by exit(), else the last event or sample at which it read its clock.
 */
double profile_elapsed_ns(const struct profile *p);

#endif
