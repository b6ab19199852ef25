/* SPDX-License-Identifier: MIT */
/*
 * lineage.h - a thread's tree, and the threads that come after it.
 *
 * Thread-local storage dies with its thread; the tree, its hash and the record in the profile do
 * not: they belong to a lineage. When a thread has ended (the kernel does not know its id any more,
 * or gave it to another thread) and another begins with the same first zone, the new one goes on
 * with the tree. So ten thousand short threads need only as much memory as those that were alive at
 * once. And no hook into thread exit is needed, which would be noticed by programs that run out of
 * pthread keys or replace pthread_create.
 *
 * A lineage is of one recording. A thread that goes on in a later one has another there
 * (crossing.h).
 */
#ifndef ZPROF_LINEAGE_H
#define ZPROF_LINEAGE_H

#include "preload/sample/notes.h"
#include "preload/track/track.h"

struct lineage {
	struct lineage *next;
	uint32_t tid; /* owner; changed by compare-and-swap. 0: it is in a later recording */
	const struct zprof_recording *recording; /* NULL: recordings found no room */
	const struct zprof_recording *missed;    /* the latest that there was no room to go on in */
	uint64_t first_zone;
	struct zprof_thread *record;
	struct tree tree;
	struct stack *on, *home; /* the stack it runs on; its own. NULL: bounds are not known */
	uintptr_t thread_pointer;
	struct notes notes;
	struct track saved;                 /* what a successor begins with */
	struct track *levels[ZPROF_LEVELS]; /* [0] unused: it is track_self */
};

/*
 * Makes track_self ready for the calling thread, whose first event this is. False: nothing is
 * recorded, or there is no room (counted). A signal handler that comes in between and does the same
 * is no harm: the thread's lineage is the handler's, and the one begun here is dropped, or, if it
 * was another thread's before, left for one to come.
 */
bool lineage_begin(const struct event *first);

/*
 * For crossing.c. A lineage of the latest recording for the calling thread, maybe another thread's
 * before; NULL: no room, which is counted. Then, what that other thread left open is closed; and at
 * last the thread is sampled.
 */
struct lineage *lineage_for(struct process *p, uint64_t first_zone);
void lineage_close_account(struct lineage *l);
void lineage_begin_sampler(struct track *self, struct lineage *l);

/*
 * While system calls can still be made: room in this thread's tree, hash and frames for what may
 * come when they cannot.
 */
void lineage_reserve(void);

/*
 * The thread at hand is sampled when system calls can no longer be made, too. Others whose ring
 * ends by itself (sample/sampling.h) will not be: they are counted.
 */
void lineages_outlast(struct process *p);

/*
 * What samples threads by means of the program's own (sample/timer.h) is taken away, for good: the
 * program forbids it, or needs them itself.
 */
void lineages_stop_timers(struct process *p);

/*
 * Whether the calling thread is not the one whose storage it runs with: a thread made by clone()
 * without CLONE_SETTLS. Both may be in a hook at once, so no more is done for it than to count the
 * loss of this event. (A child of vfork(), for which its parent waits, counts as its parent.)
 */
bool lineage_is_anothers(const struct lineage *lineage);

/* The thread's frames have moved. */
void lineage_keep_frames(const struct track *track);

/*
 * For another thread: bottom and limit of its frames, into `copy`. (While they move: the bottom one
 * alone.) The frames are valid memory for good.
 */
void lineage_look_at_frames(const struct lineage *lineage, struct track *copy);

/* Before a module is unloaded: no node of a module in doubt will be found by its address again. */
void lineages_retire(struct process *p);

#endif
