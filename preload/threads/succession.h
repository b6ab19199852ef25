/* SPDX-License-Identifier: MIT */
/*
 * succession.h - threads that have ended, and those that go on with their lineages.
 *
 * Nothing tells us that a thread ends. So the threads that begin look for those that have ended:
 * the kernel does not know a dead thread's id any more. A thread that begins looks at some lineages
 * only, in turn with the others that begin: where thousands are alive, to ask the kernel about each
 * would take longer than many a thread. So of lineages whose threads have ended there may be some
 * more than are needed, but not many.
 *
 *     lineages   a   b   c   d   e   f   g  ...        * their threads have ended
 *                    *       *           *
 *     thread 1   looks at a, b: the first zone is another's; c, d: takes d over
 *     thread 2   begins to look at e
 */
#ifndef ZPROF_SUCCESSION_H
#define ZPROF_SUCCESSION_H

#include "preload/track/lineage.h"

/*
 * A lineage of this recording, with this first zone, whose thread has ended, is the thread `me`'s
 * from now on. What the last one left half done has been put right. NULL: none was found.
 */
struct lineage *succession_take_over(struct process *p, const struct zprof_recording *of,
				     uint64_t first_zone, uint32_t me);

/*
 * Gives back the sample rings of threads that have ended, because a user may have only some
 * thousand.
 */
void succession_give_back_rings(struct process *p, uint32_t me);

/* At the process's end: the accounts of the threads that ended before it are closed. */
void succession_close(struct process *p);

#endif
