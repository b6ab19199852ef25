/* SPDX-License-Identifier: MIT */
/*
 * find_files.h - which files a command reads: the files that are named, those in named folders, or
 * the newest run in the current folder.
 */
#ifndef REPORT_FIND_FILES_H
#define REPORT_FIND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/str.h"

struct find_files {
	char **paths;
	size_t count, room;
	/* A newer file that find_files_newest() skipped because it is another user's; or NULL. */
	char *passed_over;
};

/*
 * Takes files as they are, and folders as the profiles in them (recognised by their first bytes, in
 * order of name). Each file is taken once, however often it is named.
 */
bool find_files_in(struct find_files *f, char *const *paths, size_t count, struct str *err);

/*
 * All files `zprof.out*` in FOLDER that belong to the run of the process started last. Runs of
 * other users are skipped, unless ANYONE is set or there is no other run.
 */
bool find_files_newest(struct find_files *f, const char *folder, bool anyone, struct str *err);

/* All files of the run RUN_ID in FOLDER whose names begin with PREFIX; it is no error if none is
 * there. */
void find_files_of_run(struct find_files *f, const char *folder, const char *prefix,
		       const uint8_t run_id[16]);

/* Adds, for each file of F, the other files of its run in its folder. */
void find_files_whole_runs(struct find_files *f);

void find_files_free(struct find_files *f);

#endif
