/* SPDX-License-Identifier: MIT */
/*
 * counters.h - the names of interpreters' counters (zprof.h): which column of struct zprof_extra
 * each has, in this process and in its profile.
 */
#ifndef ZPROF_COUNTERS_H
#define ZPROF_COUNTERS_H

#include "preload/format.h"

struct process;

struct counters {
	char name[ZPROF_EXTRA_COUNTERS][64];
	uint32_t used;
	uint32_t written; /* names that are in the profile */
	uint32_t busy;    /* 1: a thread is looking a name up; others wait */
};

/* A forked child's profile has the names its parent had. */
void counters_begin(struct process *p, const struct process *from);

/* The column of a name, a new one if need be; ZPROF_EXTRA_COUNTERS when there is none left. */
uint32_t counters_column(struct process *p, const char *name);

#endif
