/* SPDX-License-Identifier: MIT */
/*
 * profile_read.h - a profile file, as it is: the records of preload/format.h, checked, in memory.
 *
 * The file may be written to while it is read, may have been cut short, and may be no profile at
 * all. Any bytes give either a profile whose references are all valid or an error that says what is
 * wrong and at which offset. Nothing is derived here and no name is looked up.
 */
#ifndef REPORT_PROFILE_READ_H
#define REPORT_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/format.h"
#include "report/base/str.h"

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

/* What lies between a node and its parent: via_addresses[first, first + count), the innermost
 * first.
 */
struct profile_via {
	uint32_t node; /* index into nodes */
	uint32_t first, count;
	bool whole;
};

/* A node section's records: references [first, first + count) are nodes[index ...]. */
struct profile_range {
	uint32_t first;
	uint32_t count;
	size_t index;
};

/*
 * nodes[i].parent is rewritten on reading from a reference to an index into nodes, PROFILE_NO_NODE
 * for a root; following parents ends at a root, always. A node of zone 0 that is no root stands
 * directly above one (the overflow table). threads[i].root and .current[] are
 * rewritten in the same way (unused: PROFILE_NO_NODE). modules and zones are in order of id, each
 * id once.
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
	struct zprof_turns *turns; /* their names end */
	size_t turns_count;
	struct profile_via *vias;
	size_t via_count, via_room;
	uint64_t *via_addresses;
	size_t via_address_count, via_address_room;
	char *counters[ZPROF_EXTRA_COUNTERS]; /* names of the interpreter's counters */
	size_t counter_count;
	struct zprof_thread *threads;
	size_t thread_count, thread_room;
	struct profile_module *modules;
	size_t module_count, module_room;
	struct profile_zone *zones;
	size_t zone_count, zone_room;
	char **command;
	size_t command_count, command_room;
	char *exe, *host, *rank, *options; /* NULL when not said */
	char **notes;
	size_t note_count, note_room;
	uint64_t file_bytes; /* of the file when it was read */
	struct str damage;   /* what is missing of it, a sentence; empty when nothing is */
};

/*
 * Reads the file at PATH, which must be the user's own or root's, unless ANYONE's will do. On error
 * *P needs no freeing, and ERR is a message without newline.
 */
bool profile_load(struct profile *p, const char *path, bool anyone, struct str *err);

/* The same from BYTES in memory; NAME stands for the path in messages. */
bool profile_parse(struct profile *p, const char *name, const void *bytes, size_t n,
		   struct str *err);

/* The header alone, checked, whosever the file is; for finding out which run it belongs to. */
bool profile_peek(struct zprof_header *header, const char *path, struct str *err);

void profile_free(struct profile *p);

/* For those who read parts of a profile: ERR says that P is damaged at OFFSET, and how. False. */
bool profile_bad(const struct profile *p, struct str *err, uint64_t offset, const char *what);

/* By id; NULL when there is none. */
const struct profile_module *profile_find_module(const struct profile *p, uint32_t id);
const struct profile_zone *profile_find_zone(const struct profile *p, uint32_t id);

/*
 * The module that ADDRESS of the running program lies in, NULL for none. Where one was unloaded and
 * another took its place, the one that is still there.
 */
const struct profile_module *profile_module_at(const struct profile *p, uint64_t address);

/* Nanoseconds a tick takes: see struct zprof_header. Never 0. */
double profile_ns_per_tick(const struct zprof_header *header);

#endif
