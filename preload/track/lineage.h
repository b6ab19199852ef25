/* SPDX-License-Identifier: MIT */
/*
 * lineage.h - a tree that several threads count in, one after another.
 *
 * Thread-local storage dies with its thread. The tree, its hash and the thread's record in the
 * profile do not: they belong to a lineage. When a thread has ended (the kernel does not know its
 * id any more, or gave the id to another thread) and a new thread begins with the same first zone,
 * the new thread goes on with the tree. So ten thousand short threads need only as much memory as
 * the largest number of them that were alive at once. And the library need not be called as a
 * thread ends: programs that run out of pthread keys or replace pthread_create would notice such a
 * call.
 *
 * A lineage is of one recording. A thread that goes on in a later recording gets another lineage
 * there (crossing.h).
 */
#ifndef ZPROF_LINEAGE_H
#define ZPROF_LINEAGE_H

#include "preload/sample/notes.h"
#include "preload/track/thread_record.h"
#include "preload/track/track.h"

struct lineage {
	struct lineage *next;
	uint32_t tid; /* owner; changed by compare-and-swap. 0: the owner is in a later recording */
	const struct zprof_recording *recording; /* NULL: no room for the profile's recordings */
	const struct zprof_recording *missed;    /* the latest one with no room for this thread */
	uint64_t first_zone;
	struct zprof_thread *record;
	char named[THREAD_RECORD_NAME]; /* the kernel's name of the thread, as far as it is known */
	struct tree tree;
	struct stack *on;   /* the stack that the thread runs on; NULL: its bounds are unknown */
	struct stack *home; /* the stack that the thread began on; NULL: likewise */
	uint32_t
	    taken; /* its current node when another thread took its zones on `on`; 0: none has */
	uintptr_t thread_pointer;
	struct notes notes;
	struct walks *walks; /* walks that are remembered (entries/entries.c); NULL: none */
	struct track saved;  /* copied into the track of the next thread */
	struct track *levels[ZPROF_LEVELS]; /* [0] unused: it is track_self */
};

/*
 * Whether the calling thread uses the thread-local storage of another thread: it was made by
 * clone() without CLONE_SETTLS. Both threads may be in a hook at once, so the caller's event is not
 * recorded, but counted as lost. (A child of vfork(), for which its parent waits, counts as its
 * parent.)
 */
bool lineage_is_anothers(const struct lineage *lineage);

/*
 * Whether the lineage's thread has ended. And whether the thread whose id was `tid` has; `me` is
 * the id of the calling thread, which may have got the ended thread's id.
 */
bool lineage_has_ended(const struct lineage *lineage);
bool lineage_thread_has_ended(uint32_t tid, uint32_t me);

/*
 * Whether a later recording than the lineage's has begun. If so, the track's hooks no longer go the
 * usual way.
 */
bool lineage_has_passed(struct track *track);

/* Publishes the new place of the thread's frames, which have moved, for other threads. */
void lineage_keep_frames(const struct track *track);

/*
 * Called by another thread: stores bottom and limit of the lineage's frames in `copy`. If the
 * frames are moving just now, `copy` has the bottom frame alone. Old frames are never freed, so
 * `copy` always points to valid memory.
 */
void lineage_look_at_frames(const struct lineage *lineage, struct track *copy);

#endif
