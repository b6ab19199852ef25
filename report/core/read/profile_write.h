/* SPDX-License-Identifier: MIT */
/*
 * profile_write.h - writes a profile file, section by section, in one pass; its bytes are those of
 * preload/format.h. The file gets its name when it is complete (core/base/replace.h).
 */
#ifndef REPORT_PROFILE_WRITE_H
#define REPORT_PROFILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "preload/format.h"
#include "report/core/base/replace.h"

struct profile_writer {
	struct replacement file;
	uint64_t at; /* offset */
};

/* The bytes of a section while it is put together. */
struct profile_records {
	char *bytes;
	size_t used, room;
};

/* PATH must stay valid until the end. */
bool profile_write_begin(struct profile_writer *w, const char *path, struct str *err);

/*
 * Begins to write PATH as a copy of the first N bytes of the profile at FROM, which may be PATH itself.
 * Sections written next stand behind them. The header is not copied: profile_write_end() writes it.
 */
bool profile_write_add_to(struct profile_writer *w, const char *path, const char *from, uint64_t n,
			  struct str *err);

/* The reference of the first node of a section of nodes that is written next. */
uint64_t profile_write_reference(const struct profile_writer *w);

void profile_write_section(struct profile_writer *w, uint32_t type, const void *records,
			   size_t bytes);

/* Writes the header and gives the file its name. W needs no cancelling afterwards, even on failure. */
bool profile_write_end(struct profile_writer *w, struct zprof_header *header, struct str *err);

/* Removes the file that profile_write_begin() began. */
void profile_write_cancel(struct profile_writer *w);

/*
 * Adds a record of a section whose records differ in length: the fixed part, and behind it the pieces
 * that record_kinds.def names, filled up to a multiple of 8. The lengths of the record and of its
 * texts are stored here; those of other pieces stand in FIXED.
 */
void profile_records_add(struct profile_records *r, uint32_t section, const void *fixed,
			 const void *const *pieces);
/* Adds bytes as they are. */
void profile_records_put(struct profile_records *r, const void *bytes, size_t n);
void profile_records_free(struct profile_records *r);

#endif
