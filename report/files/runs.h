/* SPDX-License-Identifier: MIT */
/*
 * runs.h - which runs the profiles of a folder belong to. Only headers and texts are read. A process
 * that several files hold counts once.
 */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/format.h"
#include "report/core/base/str.h"
#include "report/core/disk/find_files.h"

/* The processes with one run id; or a merged profile, which may be of several runs. */
struct run {
	uint8_t id[16];
	char *command, *path; /* of its first process */
	bool of_copy;         /* PATH is a copy's */
	uint32_t pid;         /* of its first process */
	uint64_t start_ns;    /* since 1970 */
	uint64_t elapsed_ns;  /* to the end of its last process; if merged, the sum over its runs */
	uint64_t bytes;
	uint32_t processes, merged_runs; /* merged_runs: 0 if it is not a merged profile */
	uint32_t running;                /* processes that still run, on this machine... */
	uint32_t unrecorded;             /* ... and of these, are not being recorded now */
	uint32_t copies;                 /* files of processes that other files hold, too */
	size_t *files;                   /* indices into the paths */
	size_t file_count, file_room;
};

struct runs {
	struct run *list; /* the oldest first */
	size_t count, room;
	char **paths; /* belongs to struct find_files */
	size_t path_count;
};

/* Finds the runs. A file that cannot be read is left out, with a line in WARNINGS. */
void runs_make(struct runs *r, const struct find_files *files, bool anyone, struct str *warnings);
void runs_free(struct runs *r);

#endif
