/* SPDX-License-Identifier: MIT */
/*
 * threads.h - begins the recording of a thread, at its first event; and work on all threads at
 * once.
 *
 * A thread that begins gets a lineage (lineage.h): that of a thread that has ended (succession.h),
 * or a new one.
 */
#ifndef ZPROF_THREADS_H
#define ZPROF_THREADS_H

#include "preload/track/lineage.h"

/*
 * Makes track_self ready for the calling thread, whose first event this is. False: nothing is
 * recorded, or there is no room (counted).
 *
 * A signal handler may interrupt this, and begin the thread by its own first event. Then the thread
 * keeps the handler's lineage. The lineage found here is dropped, or, if another thread had it
 * before, left for a later thread.
 */
bool threads_begin(const struct event *first);

/*
 * Three steps of threads_begin(), which crossing.c takes one by one. The first finds or makes a
 * lineage of the latest recording for the calling thread (NULL: no room, which is counted). The
 * second closes the zones that the lineage's last thread left open. The third begins sampling.
 */
struct lineage *threads_lineage(struct process *p, uint64_t first_zone);
void threads_close_account(struct lineage *l);
void threads_begin_notes(struct track *self, struct lineage *l);

/* To be called when the calling thread has got a new name: its record gets it, too. */
void threads_renamed(void);

/*
 * To be called before system calls are forbidden. Reserves room in this thread's tree, hash and
 * frames, since no memory can be got afterwards.
 */
void threads_reserve(void);

/*
 * To be called before system calls are forbidden. Prepares the calling thread to be sampled after
 * that. Other threads whose ring ends by itself (sample/sampling.h) will no longer be sampled: they
 * are counted.
 */
void threads_outlast(struct process *p);

/*
 * Stops sampling by timers (sample/timer.h) for good, in all threads: the program needs the timers'
 * signal for itself, or forbids the system calls.
 */
void threads_stop_timers(struct process *p);

/*
 * Called before a module is unloaded. Marks the nodes of modules that are, or may be, unloaded, so
 * that no node is found by an address that may soon belong to another module.
 */
void threads_retire(struct process *p);

#endif
