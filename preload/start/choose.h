/* SPDX-License-Identifier: MIT */
/* choose.h - functions chosen while the program runs: all that follows from a choice. */
#ifndef ZPROF_CHOOSE_H
#define ZPROF_CHOOSE_H

#include "preload/format.h"

struct process;

/*
 * From the return on, functions that match are recorded, or not. Returns how many match; -1, after
 * a message: the choice could not be made. *switched: how many calls of hooks were switched on or
 * off for it.
 */
long choose_functions(struct process *p, enum zprof_choice_what what, const char *patterns,
		      uint32_t *switched);

#endif
