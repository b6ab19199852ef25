/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - the recordings of a profile (preload/format.h, struct zprof_recording), and a
 * profile of one of them alone.
 *
 * Each thread's record belongs to one recording, and so do the nodes below its root. A file without
 * records of recordings is one recording: the process was recorded from its start, or attached to
 * once.
 */
#ifndef REPORT_RECORDINGS_H
#define REPORT_RECORDINGS_H

#include "report/core/read/profile_read.h"

#define RECORDINGS_ALL  0u
#define RECORDINGS_LAST UINT32_MAX

/* Removes the records that are incomplete, and numbers the others 1, 2, ... in their order. */
void recordings_check(struct profile *p);

/* The number of recordings in P; 0: P is a merged profile, which does not tell them apart. */
uint32_t recordings_of(const struct profile *p);

/* Whether P has recording NUMBER, which may be RECORDINGS_LAST. */
bool recordings_have(const struct profile *p, uint32_t number);

/* The number of calls in each recording, in order; free() the list. */
uint64_t *recordings_calls(const struct profile *p);

/* How long a recording lasted, as far as the file knows. */
double recordings_lasted_ns(const struct profile *p, const struct zprof_recording *r);

/*
 * P becomes a profile of recording NUMBER alone, which it must have; `recording` says so afterwards.
 * The threads of other recordings are removed, and their nodes are empty. Records that belong to the
 * whole process stay: notes of losses, turns, choices of functions, counts of statements.
 */
void recordings_keep(struct profile *p, uint32_t number);

#endif
