/* SPDX-License-Identifier: MIT */
/* displacing.h - what the library says of displaced functions when the program ends. */
#ifndef ZPROF_DISPLACING_H
#define ZPROF_DISPLACING_H

struct process;

/*
 * If entries were displaced as the program started, notes how many libraries are loaded now that were
 * loaded later: their functions are not recorded, but for those with hooks. The modules of the process
 * have been read.
 */
void displacing_finish(struct process *p);

#endif
