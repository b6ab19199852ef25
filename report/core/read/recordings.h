/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - the recordings of a profile (preload/format.h, struct zprof_recording), and a
 * profile of one of them alone.
 *
 * Each thread's record is of one recording, and so are the nodes below its root. A file without
 * recordings holds one, and so does each process that was not attached to again.
 */
#ifndef REPORT_RECORDINGS_H
#define REPORT_RECORDINGS_H

#include "report/core/read/profile_read.h"

#define RECORDINGS_ALL  0u
#define RECORDINGS_LAST UINT32_MAX

/* Leaves those that are complete, with the numbers 1, 2, ... in their order. */
void recordings_check(struct profile *p);

/* How many there are; 0: it is a merged profile, which does not tell them apart. */
uint32_t recordings_of(const struct profile *p);

/* Whether P has that one, or RECORDINGS_LAST. */
bool recordings_have(const struct profile *p, uint32_t number);

/* The calls of each; free() them. */
uint64_t *recordings_calls(const struct profile *p);

/* How long one lasted, as far as the file tells. */
double recordings_lasted_ns(const struct profile *p, const struct zprof_recording *r);

/*
 * P, which has that recording, becomes a profile of it alone, and says so in its `recording`. Its
 * other threads are gone, and their nodes are empty. What is of the process as a whole stays: notes
 * of losses, turns, choices of functions, counts of statements.
 */
void recordings_keep(struct profile *p, uint32_t number);

#endif
