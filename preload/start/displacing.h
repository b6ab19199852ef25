/* SPDX-License-Identifier: MIT */
/* displacing.h - plans of the program, and what the library says of displaced functions when it ends. */
#ifndef ZPROF_DISPLACING_H
#define ZPROF_DISPLACING_H

#include <stdbool.h>

struct process;

/* Whether a folder has a plan of the program or of one of its libraries. */
bool displacing_has_plan(char *folder);

/*
 * If entries were displaced as the program started, notes how many libraries are loaded now that were
 * loaded later: their functions are not recorded, but for those with hooks. The modules of the process
 * have been read.
 */
void displacing_finish(struct process *p);

#endif
