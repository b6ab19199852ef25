/* SPDX-License-Identifier: MIT */
/* choose.h - carries out a choice of functions that is made while the program runs. */
#ifndef ZPROF_CHOOSE_H
#define ZPROF_CHOOSE_H

#include "preload/format.h"

struct process;

/*
 * Makes the functions that match `patterns` recorded from now on, or not recorded, by `what`.
 * Returns how many match; -1, after a message: the choice could not be made. *switched: how many
 * calls of hooks were switched on or off.
 */
long choose_functions(struct process *p, enum zprof_choice_what what, const char *patterns,
		      uint32_t *switched);

#endif
