/* SPDX-License-Identifier: MIT */
/*
 * threads.h - how a thread begins to be recorded, at its first event; and what is done to all threads
 * at once.
 *
 * A thread that begins gets a lineage (lineage.h): that of a thread that has ended (succession.h), or
 * one of its own.
 */
#ifndef ZPROF_THREADS_H
#define ZPROF_THREADS_H

#include "preload/track/lineage.h"

/*
 * Makes track_self ready for the calling thread, whose first event this is. False: nothing is
 * recorded, or there is no room (counted). A signal handler that comes in between and does the same
 * is no harm: the thread's lineage is the handler's, and the one begun here is dropped, or, if it
 * was another thread's before, left for one to come.
 */
bool threads_begin(const struct event *first);

/*
 * For crossing.c. A lineage of the latest recording for the calling thread, maybe another thread's
 * before; NULL: no room, which is counted. Then, what that other thread left open is closed; and at
 * last the thread is sampled.
 */
struct lineage *threads_lineage(struct process *p, uint64_t first_zone);
void threads_close_account(struct lineage *l);
void threads_begin_notes(struct track *self, struct lineage *l);

/*
 * While system calls can still be made: room in this thread's tree, hash and frames for what may
 * come when they cannot.
 */
void threads_reserve(void);

/*
 * The thread at hand is sampled when system calls can no longer be made, too. Others whose ring
 * ends by itself (sample/sampling.h) will not be: they are counted.
 */
void threads_outlast(struct process *p);

/*
 * What samples threads by means of the program's own (sample/timer.h) is taken away, for good: the
 * program forbids it, or needs them itself.
 */
void threads_stop_timers(struct process *p);

/* Before a module is unloaded: no node of a module in doubt will be found by its address again. */
void threads_retire(struct process *p);

#endif
