/* SPDX-License-Identifier: MIT */
/*
 * counters.h - the names of interpreters' counters (zprof.h): which column of struct zprof_extra
 * each has, in this process and in its profile.
 *
 * Names take their places in order, by compare-and-swap of a pointer to the whole name. So nothing
 * waits: not for another thread, and not for a call that a signal handler has interrupted, or left
 * by a jump. In the profile each column's record has a fixed place in one section. A thread that
 * looks a name up also writes the records that are missing. If several threads write a record at
 * the same time, they write equal bytes.
 */
#ifndef ZPROF_COUNTERS_H
#define ZPROF_COUNTERS_H

#include "preload/format.h"

struct process;
struct zprof_section;

struct counters {
	const char *name[ZPROF_EXTRA_COUNTERS]; /* NULL: this column, and all after it, are free */
	struct zprof_section *section;          /* the names' records; NULL: none yet */
};

/* A forked child's profile has the names its parent had. */
void counters_begin(struct process *p, const struct process *from);

/*
 * The column of a name, which may be a new one. ZPROF_EXTRA_COUNTERS: no column is left, and a loss
 * has been counted.
 */
uint32_t counters_column(struct process *p, const char *name);

#endif
