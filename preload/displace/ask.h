/* SPDX-License-Identifier: MIT */
/*
 * ask.h - asks zprof for plans of files that this process has mapped and the folder of the run does not know:
 * libraries that the program loads (later.h), and a program that exec has begun (start/followed.c).
 *
 * The question is `zprof plan --paths --run FOLDER FILE...`. Zprof answers with a line for each file, and puts
 * the answer into the folder too, if that is of a run of `zprof record --any`, which tells of files without a
 * plan as the run ends. So each file is asked about once in a run of many processes.
 */
#ifndef ZPROF_ASK_H
#define ZPROF_ASK_H

#include "preload/base/text.h"
#include "preload/code/spawn.h"

#include <stdbool.h>
#include <stdint.h>

#define ASK_MOST (SPAWN_ARGUMENTS - 4) /* the others are `plan --paths --run FOLDER` */

struct ask {
	const char *arguments[SPAWN_ARGUMENTS + 1];
	uint32_t count;    /* of files */
	char *memory;      /* their paths, each ended by a zero byte */
	struct text paths; /* in that memory */
};

/* Begins a question. False: no memory; else ask_end() is due. */
bool ask_begin(struct ask *a, const char *folder);

/* Adds a file. False: the question is full. */
bool ask_add(struct ask *a, const char *path, size_t bytes);

void ask_end(struct ask *a);

/* Whether a folder is of a run that goes on: `zprof record` has put the file `run` there. */
bool ask_may(const char *folder);

/*
 * Tells the run of a file that is not recorded. `why` is NULL: it has no build-id, and so cannot have a plan.
 */
void ask_without(const char *folder, const char *path, const char *why);

#endif
