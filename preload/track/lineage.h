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
 * Whether the calling thread is not the one whose storage it runs with: a thread made by clone()
 * without CLONE_SETTLS. Both may be in a hook at once, so no more is done for it than to count the
 * loss of this event. (A child of vfork(), for which its parent waits, counts as its parent.)
 */
bool lineage_is_anothers(const struct lineage *lineage);

/*
 * Whether its thread is no more; and the same of a thread that was number TID, as thread ME sees it,
 * which may have that number now.
 */
bool lineage_has_ended(const struct lineage *lineage);
bool lineage_thread_has_ended(uint32_t tid, uint32_t me);

/* Whether the recording is one before the latest; if so, no hook goes the usual way. */
bool lineage_has_passed(struct track *track);

/* The thread's frames have moved. */
void lineage_keep_frames(const struct track *track);

/*
 * For another thread: bottom and limit of its frames, into `copy`. (While they move: the bottom one
 * alone.) The frames are valid memory for good.
 */
void lineage_look_at_frames(const struct lineage *lineage, struct track *copy);

#endif
