/* SPDX-License-Identifier: MIT */
/* displacing.h - displaced functions, from the start of the program to its end. */
#ifndef ZPROF_DISPLACING_H
#define ZPROF_DISPLACING_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Whether a folder has a plan of the program or of one of its libraries. */
bool displacing_has_plan(char *folder);

/*
 * Before and after the program's dlopen(), which has succeeded: the functions of libraries that are new
 * are displaced, if those of the program were (displace/later.h). `known` is what the first has given.
 */
uint32_t displacing_expect(void);
void displacing_loaded(uint32_t known);

/*
 * If entries were displaced as the program started, notes how many functions of libraries were displaced
 * later, and how many libraries that were loaded later are loaded now whose functions are not recorded, but
 * for those with hooks. The modules of the process have been read.
 */
void displacing_finish(struct process *p);

#endif
