/* SPDX-License-Identifier: MIT */
/*
 * archive.h - adds to a profile all that reports need to know of its programs (keep.h). Then
 * reports stay the same on another machine, or after the programs have been built again.
 *
 * The profile itself stays as it was: sections are added behind its own. Sections from an earlier
 * archiving are written again, with their content.
 */
#ifndef REPORT_ARCHIVE_H
#define REPORT_ARCHIVE_H

#include "report/files/keep.h"

struct archive {
	struct symbolizer *symbolizer; /* for all files, so that each program is read once */
	const char *const *search;     /* where to look for sources: see source_text.h */
	size_t search_count;
	bool anyone, no_sources;
	uint64_t most; /* bytes to add to a file: sources are left out first; 0: no limit */
	struct str warnings;
};

struct archive_result {
	uint64_t bytes;   /* added; 0: there was nothing to add, or more than `most` */
	uint64_t sources; /* bytes of sources left out because of `most` */
	size_t names, source_count;
	bool recording; /* the process still records: nothing was done */
};

void archive_init(struct archive *a);
void archive_free(struct archive *a);

/* Archives the profile at PATH in place, or with TO as a copy at TO. False with a message. */
bool archive_file(struct archive *a, const char *path, const char *to,
		  struct archive_result *result, struct str *err);

#endif
