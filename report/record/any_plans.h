/* SPDX-License-Identifier: MIT */
/*
 * any_plans.h - the folder of a run of `zprof record --any` (record_plans.h): what the run uses of each file.
 *
 *     run                       the patterns of --libs; who adds to the folder holds a lock on it
 *     left                      what is to be said of files without a plan, in lines; a line that is a path:
 *                               of a file without a build-id
 *     ID.VERSION.plan           a link to the plan of a file; to `-`: the file is left as it is; to `?`: there is
 *                               no plan
 *
 * `zprof record` adds the files of its program. Files of programs that this one executes, and libraries that
 * they load, are added by `zprof plan --paths --run FOLDER`, which the library runs (preload/displace/ask.h).
 */
#ifndef REPORT_ANY_PLANS_H
#define REPORT_ANY_PLANS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"

/* A folder that is open. */
struct any_plans {
	const char *folder; /* NULL: of no run; files get plans, and nothing is added */
	char *libs;         /* patterns, separated by spaces */
	int lock;
};

/* Makes a new folder that of a run. LIBS may be NULL. False: errno says why not. */
bool any_plans_begin(const char *folder, const char *libs);

/* Opens the folder of a run; one of no run if FOLDER, which may be NULL, is none. */
void any_plans_open(struct any_plans *p, const char *folder);
void any_plans_close(struct any_plans *p);

/* Whether a pattern of --libs matches the name of the library's file. */
bool any_plans_name(const struct any_plans *p, const char *file);

/*
 * Adds a file to the folder. ANSWER becomes the path of its plan, which is made if none is kept; `-` if the
 * file is left as it is; `?` if there is no plan.
 */
void any_plans_add(const struct any_plans *p, const char *file, struct str *answer);

/* Leaves a file as it is. */
void any_plans_leave(const struct any_plans *p, const char *file);

/* What the folder has. */
struct any_sums {
	uint32_t files, functions, displaced;
};

void any_plans_count(const char *folder, struct any_sums *sums);

/* Gives lines about files without a plan to SAY, from *FROM on, which is moved on. */
void any_plans_left(const struct any_plans *p, long *from,
		    void (*say_line)(void *context, const char *line), void *context);

#endif
