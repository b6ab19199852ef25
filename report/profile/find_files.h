/* SPDX-License-Identifier: MIT */
/* find_files.h - which files a command means: those named, those in a folder named, or the newest
 * run here. */
#ifndef REPORT_FIND_FILES_H
#define REPORT_FIND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/str.h"

struct find_files {
	char **paths;
	size_t count, room;
	char *passed_over; /* by find_files_newest(): a newer file that is another user's; NULL */
};

/* Files as they are, folders as the profiles in them (known by their first bytes, in order of
 * name); each once, however often it is named. */
bool find_files_in(struct find_files *f, char *const *paths, size_t count, struct str *err);

/*
 * All files `zprof.out*` in FOLDER that are of the same run as the one that was started last. A run
 * of other users' is passed over, unless ANYONE's will do or there is no other.
 */
bool find_files_newest(struct find_files *f, const char *folder, bool anyone, struct str *err);

/* All files in FOLDER whose names begin with PREFIX and that are of the run RUN_ID; none is no
 * error. */
void find_files_of_run(struct find_files *f, const char *folder, const char *prefix,
		       const uint8_t run_id[16]);

/* Adds, for each file of F, all others of its run that are in its folder. */
void find_files_whole_runs(struct find_files *f);

void find_files_free(struct find_files *f);

#endif
