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

struct profile_module {
	uint32_t id;
	uint64_t start, end, bias;
	bool unloaded;
	uint32_t build_id_bytes;
	uint8_t build_id[32];
	char *path;
};

struct profile_zone {
	uint32_t id;
	uint32_t kind; /* enum zprof_zone_kind */
	uint32_t line;
	char *name, *group, *file; /* never NULL, "" when unknown */
};

/*
 * The callers without hooks between a node and its parent: via_addresses[first, first + count),
 * the innermost first.
 */
struct profile_via {
	uint32_t node; /* index into nodes */
	uint32_t first, count;
	bool whole;
};

/* What a merged profile was merged of. Texts are never NULL. */
struct profile_part {
	uint32_t id;
	struct zprof_part fixed;
	char *rank, *host, *command;
};

/* What a merged or archived profile holds of the programs. Texts are never NULL. */
struct profile_name {
	uint32_t module;
	uint64_t start, size, code;
	uint32_t line, last_line;
	char *name, *linkage, *file, *compiler;
};

struct profile_place {
	uint32_t module, flags; /* as in zprof_call */
	uint64_t address;
	uint32_t line, column;
	char *file;
};

struct profile_statements {
	uint32_t module;
	uint64_t start;
	char *file;
	struct zprof_statement *list;
	size_t count;
};

struct profile_source {
	char *path;
	void *packed; /* see pack.h */
	size_t packed_bytes, text_bytes;
};

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

/* Functions that were chosen while the program ran. */
struct profile_choice {
	uint32_t what; /* enum zprof_choice_what */
	uint32_t functions;
	uint64_t ns; /* CLOCK_MONOTONIC */
	char *text;
};

/*
 * Reading turns nodes[i].parent from a reference into an index into nodes (PROFILE_NO_NODE for a
 * root). Following parents always ends at a root. A node of zone 0 that is not a root is an
 * overflow table, directly above a root. threads[i].root and .current[] become indices too (unused:
 * PROFILE_NO_NODE). modules and zones are sorted by id, each id once.
 */
struct profile {
	char *path;
	struct zprof_header header;
	struct zprof_node *nodes;
	size_t node_count, node_room;
	struct profile_range *ranges; /* in order of `first`, not overlapping */
	size_t range_count, range_room;
	struct zprof_extra *extras; /* .node is an index into nodes */
	size_t extra_count;
	struct zprof_samples *samples; /* .node is an index into nodes */
	size_t sample_count;
	struct zprof_wait *waits; /* .node is an index into nodes */
	size_t wait_count;
	struct zprof_call *calls; /* .node is an index into nodes */
	size_t call_count;
	struct profile_count *counts; /* counters that are not 0 */
	size_t count_count, count_room;
	struct zprof_cost *costs; /* of a merged profile; .node is an index into nodes */
	size_t cost_count;
	struct zprof_native *natives; /* .node is an index into nodes */
	size_t native_count;
	struct profile_part *parts; /* of a merged profile, sorted by id */
	size_t part_count, part_room;
	struct zprof_member *members; /* of a merged profile */
	size_t member_count;
	/* only in merged and archived profiles: */
	struct profile_name *names;
	size_t name_count, name_room;
	struct profile_place *places;
	size_t place_count, place_room;
	struct profile_statements *statements;
	size_t statements_count, statements_room;
	struct profile_source *sources;
	size_t source_count, source_room;
	struct zprof_turns *turns; /* names are zero-terminated */
	size_t turns_count;
	struct profile_via *vias;
	size_t via_count, via_room;
	uint64_t *via_addresses;
	size_t via_address_count, via_address_room;
	char *counters[ZPROF_EXTRA_COUNTERS]; /* names of the interpreter's counters */
	size_t counter_count;
	struct zprof_thread *threads;
	size_t thread_count, thread_room;
	struct zprof_recording
	    *recordings; /* numbered 1, 2, ...; none: there is one (recordings.h) */
	size_t recording_count;
	uint32_t recording; /* the one that it shows alone; 0: all */
	struct profile_module *modules;
	size_t module_count, module_room;
	struct profile_zone *zones;
	size_t zone_count, zone_room;
	char **command;
	size_t command_count, command_room;
	char *exe, *host, *rank, *options; /* NULL if unknown */
	char *frame; /* the one frame that it shows (frames/frame_pick.h); NULL: all of it */
	char **notes;
	size_t note_count, note_room;
	struct profile_choice *choices; /* in their order */
	size_t choice_count, choice_room;
	uint64_t file_bytes; /* size of the file when it was read */
	bool texts_only;     /* no other records were read */
	struct str damage;   /* a sentence that says what is missing; empty: nothing */
};

/*
 * Reads the file at PATH, which must be the user's own or root's unless ANYONE is set. On error *P
 * needs no freeing, and ERR is a message without newline.
 */
bool profile_load(struct profile *p, const char *path, bool anyone, struct str *err);

/* The same, but of the file's records only texts, parts, members and recordings. */
bool profile_load_texts(struct profile *p, const char *path, bool anyone, struct str *err);

/* The same from BYTES in memory; NAME stands for the path in messages. */
bool profile_parse(struct profile *p, const char *name, const void *bytes, size_t n,
		   struct str *err);

/* Reads and checks the header alone, of anyone's file; it tells which run the file belongs to. */
bool profile_peek(struct zprof_header *header, const char *path, struct str *err);

void profile_free(struct profile *p);

/* Returns false; ERR says that P is damaged at OFFSET, and how. */
static inline bool profile_bad(const struct profile *p, struct str *err, uint64_t offset,
			       const char *what)
{
	return str_fail(err, "'%s' is damaged at offset %llu: %s", p->path,
			(unsigned long long)offset, what);
}

/* Find by id; NULL if there is none. */
const struct profile_module *profile_find_module(const struct profile *p, uint32_t id);
const struct profile_zone *profile_find_zone(const struct profile *p, uint32_t id);
const struct profile_part *profile_find_part(const struct profile *p, uint32_t id);

/*
 * The module that contains ADDRESS of the running program, or NULL. If one module was unloaded and
 * another took its place, the one that is still loaded.
 */
const struct profile_module *profile_module_at(const struct profile *p, uint64_t address);

/* Nanoseconds per tick: see struct zprof_header. Never 0. */
double profile_ns_per_tick(const struct zprof_header *header);

/*
 * From the start of the process to the latest moment that its profile tells of: its end, if it
 * ended by exit(). A killed process read its clock last at its last event, or with its last sample.
 */
double profile_elapsed_ns(const struct profile *p);

#endif
