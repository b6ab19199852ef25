/* SPDX-License-Identifier: MIT */
/*
 * keep.h - what a written profile keeps of its programs, so that reports do not need the programs
 * any more: names of functions, places of calls, lines of statements, and source files
 * (preload/format.h, struct zprof_name). told.h reads these sections.
 *
 *     keep_find()     collects them, from the programs or from sections that profiles have already
 *     keep_bytes()    how many bytes they would add to a file
 *     keep_write()    adds them
 */
#ifndef REPORT_KEEP_H
#define REPORT_KEEP_H

#include "report/core/load/load.h"
#include "report/core/read/profile_write.h"

struct keep {
	struct load *load;
	const uint32_t *ids; /* by module of struct zones: its id in the file; 0: not in the file */
	struct profile_records names, places, statements; /* of sections, packed */
	struct profile_records sources;
	size_t name_count, source_count;
	bool *wanted; /* by number of a file in struct places */
	size_t wanted_room;
	struct lookup by_start;
	struct keep_key *keys;
	size_t key_count, key_room;
	struct profile_records rows; /* statements of the function that is being collected */
};

enum keep_sources {
	KEEP_TOLD_SOURCES, /* only sources that the profiles held already */
	KEEP_ALL_SOURCES,  /* also sources that can be read from files */
};

/* SEARCH: where sources are, as in source_text.h. */
void keep_find(struct keep *k, struct load *l, const uint32_t *ids, enum keep_sources sources,
	       const char *const *search, size_t search_count);
void keep_forget_sources(struct keep *k);
uint64_t keep_bytes(const struct keep *k);
void keep_write(const struct keep *k, struct profile_writer *to);
void keep_free(struct keep *k);

#endif
