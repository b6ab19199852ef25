/* SPDX-License-Identifier: MIT */
/*
 * away.h - when a thread was on no processor, and why.
 *
 * The kernel notes each time that a thread leaves the processor and comes back (ring.h). So waits
 * are known to the nanosecond, whatever the program waited for and however it asked, and no
 * function of libc has to be intercepted.
 *
 * A zone that waits often and calls no hook fills the ring, and then notes are missing. But the
 * time that they would have told of is not lost: the kernel also counts a thread's waits and its
 * CPU time (getrusage(2), clock_gettime(2)), and between the last hook event and this one there was
 * only one node. So the difference between counts and notes belongs to that node:
 *
 *     elapsed time - CPU time - time away that notes told = time away that no note told
 *
 * A timer (timer.h) notes no absence. But the kernel also counts how long a thread has been ready
 * to run while others had the processor (run_delay, in /proc/PID/schedstat; the kernel's
 * Documentation/scheduler/sched-stats). Others take the processor from a thread that uses it, so
 * where samples of CPU time come, others' time has passed: the count's increase since the look
 * before belongs to the current node.
 */
#ifndef ZPROF_AWAY_H
#define ZPROF_AWAY_H

#include "preload/sample/notes.h"

/* The calling thread has its first ring. */
void away_begin(struct notes *n);

/* ---- what notes tell */

/* The thread left the processor; it is back, and the absence was NODE's (NULL: no node's). */
void away_left(struct notes *n, const struct ring_note *note);
void away_back(struct notes *n, struct process *p, struct zprof_node *node, uint64_t time_ns);

/* Notes found no room: the thread may have come back since it left. */
void away_unknown(struct notes *n);

/* For some time, until the next look at the latest, the kernel can note nothing. */
void away_interrupted(struct notes *n);

/* ---- what the kernel counts beside */

/* The kernel's counts of the calling thread; NOW stays unknown if they cannot be asked for. */
void away_take_account(struct notes *n, struct away_account *now);

static inline bool away_is_known(const struct away_account *account)
{
	return account->elapsed_ns;
}

/* All notes up to this time have been read, and none is missing: counts and notes agree. */
void away_settle(struct notes *n, uint64_t time_ns);

/*
 * All notes from before the account NOW have been read, and some may be missing: what they would
 * have told is charged to NODE; NULL: to no node.
 */
void away_make_up(struct notes *n, struct process *p, struct zprof_node *node,
		  const struct away_account *now);

/*
 * Under a timer, and if a clock is read: NODE is charged with the time that others have had the
 * processor since the last such call; NULL: no node is. If the kernel does not say, none is
 * charged.
 */
void away_charge_queued(struct notes *n, struct process *p, struct zprof_node *node);

#endif
