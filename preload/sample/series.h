/* SPDX-License-Identifier: MIT */
/*
 * series.h - the rings of a thread, one after the other.
 *
 *     first     quick: samples come often, so that a short program has some (sampling.h)
 *     then      at the period that is right for a long run
 *     at last   none: the thread has ended
 *
 * A ring is spent when it is time for another period, or when most of the samples for which it was
 * opened have come. The look that finds this replaces the ring, at the same address. A ring is
 * opened by system calls. So before a program forbids system calls, a ring without end must be
 * opened (notes_outlast()).
 */
#ifndef ZPROF_SERIES_H
#define ZPROF_SERIES_H

#include "preload/sample/notes.h"

/* Opens the calling thread's first ring. False: that is not possible. */
bool series_begin(struct notes *n);

/*
 * Replaces the ring; the current node is `node`. If no other ring can be opened, the loss is
 * counted.
 */
void series_go_on(struct notes *n, struct process *p, struct zprof_node *node);

/* Replaces the ring if it is spent and the thread can open another. */
void series_go_on_if_spent(struct notes *n, struct process *p, struct zprof_node *node);

/* Closes the ring. */
void series_end(struct notes *n);

#endif
