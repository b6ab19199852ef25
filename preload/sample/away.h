/* SPDX-License-Identifier: MIT */
/*
 * away.h - when a thread was on no processor, and why.
 *
 * The kernel notes each time that a thread leaves the processor and comes back (ring.h). So waits
 * are known to the nanosecond, whatever the program waited for and however it asked, and no
 * function of libc has to be intercepted.
 *
 * A zone that waits often and calls no hook fills the ring, and then notes are missing. But the
 * time of these absences is not lost. The kernel also counts a thread's waits and its CPU time
 * (getrusage(2), clock_gettime(2)), and between the last hook event and this one there was only one
 * node. So the difference between counts and notes belongs to that node:
 *
 *     elapsed time - CPU time - time away that notes told = time away that no note told
 *
 * A timer (timer.h) notes no absence. But the kernel also counts how long a thread has been ready
 * to run while others had the processor (run_delay, in /proc/PID/schedstat; the kernel's
 * Documentation/scheduler/sched-stats). The processor is taken only from a thread that is using it,
 * so such absences lie where samples of CPU time come. At each look, what this count has grown by
 * since the look before is charged to the current node.
 */
#ifndef ZPROF_AWAY_H
#define ZPROF_AWAY_H

#include "preload/sample/notes.h"

/* To be called as the calling thread has its first ring: begins the account. */
void away_begin(struct notes *n);

/* ---- what notes tell */

/*
 * away_left(): the thread left the processor. away_back(): it came back, and `node` is charged with
 * the absence (NULL: no node is).
 */
void away_left(struct notes *n, const struct ring_note *note);
void away_back(struct notes *n, struct process *p, struct zprof_node *node, uint64_t time_ns);

/* Some notes found no room: the thread may have left or come back without a note. */
void away_unknown(struct notes *n);

/*
 * The kernel cannot write notes for some time, which ends at the next look at the latest: the next
 * look is to make up for missing notes.
 */
void away_interrupted(struct notes *n);

/* ---- what the kernel counts beside */

/*
 * Stores the kernel's counts of the calling thread in `now`, which stays unknown if the kernel
 * cannot be asked.
 */
void away_take_account(struct notes *n, struct away_account *now);

static inline bool away_is_known(const struct away_account *account)
{
	return account->elapsed_ns;
}

/*
 * To be called when all notes up to `time_ns` have been read and none is missing, so that counts
 * and notes agree: the account may begin anew.
 */
void away_settle(struct notes *n, uint64_t time_ns);

/*
 * To be called when all notes from before the account `now` have been read, and some may be
 * missing: charges `node` with the absences that are counted and not noted; NULL: charges no node.
 */
void away_make_up(struct notes *n, struct process *p, struct zprof_node *node,
		  const struct away_account *now);

/*
 * With a timer, and in mode `exact`: charges `node` with the time that others have had the
 * processor since the last call of this function; NULL: charges no node. If the kernel does not
 * tell that time, nothing is charged.
 */
void away_charge_queued(struct notes *n, struct process *p, struct zprof_node *node);

#endif
