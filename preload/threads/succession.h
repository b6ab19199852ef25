/* SPDX-License-Identifier: MIT */
/*
 * succession.h - how a new thread takes over the lineage of a thread that has ended.
 *
 * The library does not learn when a thread ends. So a thread that begins looks for lineages whose
 * threads have ended: the kernel does not know the id of such a thread any more. Asking the kernel
 * about thousands of live threads would take longer than many a thread runs. So each new thread
 * looks at some lineages only, and the next new thread goes on where it stopped. A few more
 * lineages than needed may exist for that reason, but not many.
 *
 *     lineages   a   b   c   d   e   f   g  ...        * their threads have ended
 *                    *       *           *
 *     thread 1   looks at a; b, which has another first zone; c; and d, which it takes over
 *     thread 2   begins to look at e
 */
#ifndef ZPROF_SUCCESSION_H
#define ZPROF_SUCCESSION_H

#include "preload/track/lineage.h"

/*
 * Finds a lineage of recording `of` with this first zone whose thread has ended, and gives it to
 * the calling thread, whose id is `me`. The ended thread's account has been completed. NULL: no
 * such lineage was found.
 */
struct lineage *succession_take_over(struct process *p, const struct zprof_recording *of,
				     uint64_t first_zone, uint32_t me);

/*
 * Gives back the sample rings of threads that have ended, because a user may have only some
 * thousand.
 */
void succession_give_back_rings(struct process *p, uint32_t me);

/*
 * At the process's end: completes the accounts of all threads that have ended, and gives the
 * records of the others the names that these threads have now.
 */
void succession_close(struct process *p);

#endif
