/* SPDX-License-Identifier: MIT */
/*
 * find_files.h - which files a command is about: the files that the user names, those in named
 * folders, or the newest run in the current folder.
 *
 * Several of these files may hold one process (a copy, a snapshot, a merged profile). A command
 * that adds files up then calls count_once(); a command that works on each file by itself does not.
 */
#ifndef REPORT_FIND_FILES_H
#define REPORT_FIND_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* A file that is not read, because another file (READ) holds as much of its process, or more. */
struct left_out {
	char *path, *read;
	uint32_t pid;
};

struct find_files {
	char **paths;
	size_t count, room;
	struct left_out *left_out; /* by count_once() */
	size_t left_out_count, left_out_room;
	/* A newer file that find_files_asked() skipped because it is another user's; or NULL. */
	char *passed_over;
};

/* Takes files as they are. From a folder, takes the profiles in it, recognised by their first
 * bytes, in order of name. Each file is taken once, however often it is named. */
bool find_files_in(struct find_files *f, char *const *paths, size_t count, struct str *err);

/* Adds a path as it is. */
void find_files_add(struct find_files *f, const char *path);

/* Adds all profiles in FOLDER whose names begin with PREFIX, snapshots too. */
bool find_files_all(struct find_files *f, const char *folder, const char *prefix, struct str *err);

/* Keeps the first path to each file, and paths that lead nowhere. */
void find_files_once(struct find_files *f);

/*
 * The files that a command is asked for: the PATHS, as find_files_in() takes them. Without PATHS, all
 * files `zprof.out*` in this folder that belong to the run of the process started last. Runs of other
 * users are skipped, unless ANYONE is set or there is no other run. WHOLE_RUNS adds, for each file,
 * the other files of its run in its folder, as find_files_of_run() does.
 */
bool find_files_asked(struct find_files *f, char *const *paths, size_t count, bool anyone,
		      bool whole_runs, struct str *err);

/* All files of the processes of run RUN_ID in FOLDER whose names begin with PREFIX, without
 * snapshots, merged profiles and files put aside; it is no error if there is none. */
void find_files_of_run(struct find_files *f, const char *folder, const char *prefix,
		       const uint8_t run_id[16]);

/* The files in FOLDER that were put aside (record_replace.h) and whose names begin with PREFIX. */
void find_files_aside(struct find_files *f, const char *folder, const char *prefix);

/* Takes the path out of the list and frees it. */
void find_files_drop(struct find_files *f, size_t index);

/* The folder of a path: `.` if it names none. free() it. */
char *find_files_folder(const char *path);

void find_files_free(struct find_files *f);

#endif
