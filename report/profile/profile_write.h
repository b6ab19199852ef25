/* SPDX-License-Identifier: MIT */
/*
 * profile_write.h - writes a profile file, section by section, in one pass; its bytes are those of
 * preload/format.h.
 *
 * The file gets its name when it is complete. Until then it has another, in the same folder, and a
 * command that fails leaves nothing behind. Sections can also be added to a profile where it is:
 * its header, which says how far the file goes, is written last, so it is a profile at any moment.
 */
#ifndef REPORT_PROFILE_WRITE_H
#define REPORT_PROFILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "preload/format.h"
#include "report/base/str.h"

struct profile_writer {
	FILE *to;
	/* The file's name; and its name until it is complete, NULL if sections are added. */
	char *path, *hidden;
	uint64_t at; /* offset */
	bool failed;
};

/* Records of a section on their way: variable-length ones, or any. */
struct profile_records {
	char *bytes;
	size_t used, room;
};

bool profile_write_begin(struct profile_writer *w, const char *path, struct str *err);

/* Adds sections to the profile at PATH, from offset AT on; what was behind it is cut off. */
bool profile_write_append(struct profile_writer *w, const char *path, uint64_t at, struct str *err);

/*
 * Copies the first N bytes of the file at PATH behind the header, which profile_write_end() writes.
 */
bool profile_write_copy(struct profile_writer *w, const char *path, uint64_t n, struct str *err);

/* The reference of the first node of a section of nodes that is written next. */
uint64_t profile_write_reference(const struct profile_writer *w);

void profile_write_section(struct profile_writer *w, uint32_t type, const void *records,
			   size_t bytes);

/* Writes the header and gives the file its name. On failure, too, W needs nothing more. */
bool profile_write_end(struct profile_writer *w, struct zprof_header *header, struct str *err);

/* Removes what was written. */
void profile_write_cancel(struct profile_writer *w);

/*
 * Adds a record of FIXED bytes with TEXTS behind, all COUNT of them without their ends, and fills
 * it up to a multiple of 8. A record begins with its length, which is stored here.
 */
void profile_records_add(struct profile_records *r, const void *fixed, size_t fixed_bytes,
			 const char *const *texts, size_t count);
/* Adds bytes as they are. */
void profile_records_put(struct profile_records *r, const void *bytes, size_t n);
void profile_records_free(struct profile_records *r);

#endif
