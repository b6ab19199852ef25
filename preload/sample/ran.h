/* SPDX-License-Identifier: MIT */
/*
 * ran.h - how long a thread ran: the CPU time that its samples stand for, and whose that is.
 *
 * A sample stands for the CPU time since the one before, as the kernel has measured it, but never
 * for more than the thread has had: the clock of samples also counts time taken by a machine around
 * this one (a virtual machine's host). A stretch without a hook may be longer than the ring has
 * room for. Then the next look charges all the CPU time that no sample stands for to the stretch's
 * node.
 *
 *     CPU time   |----|----|----|-- -- -- -- -- --|----|
 *     samples    s    s    s    s   the ring is   s    s
 *                                       full ^
 *                                              '---- the next look, at the end of the stretch
 *
 * If a sample stands for much more than a period, there is a gap before it: samples did not come,
 * because the thread was in the kernel, where it may not be looked at, or because the host took the
 * processor away. A gap is charged to a node where it lies in one for certain, and else to the
 * thread alone, as time that has not been seen (`unseen_ns`).
 *
 * Invariant, of the thread's record, but for time whose node found no room for a record of its own:
 *
 *     sampled_ns == user_ns + kernel_ns + hook_ns, over all nodes of the thread, + unseen_ns
 */
#ifndef ZPROF_RAN_H
#define ZPROF_RAN_H

#include "preload/sample/notes.h"

/* Counts the calling thread's CPU time until now as looked at. Returns how much of it is new. */
uint64_t ran_see_time(struct notes *n);

/* A look begins: no sample has stood yet for the CPU time since the look before. */
void ran_count_time(struct notes *n);

/* Takes a sample, and charges NODE with the time that it stands for; NULL: charges no node. */
void ran_sample(struct notes *n, struct process *p, struct zprof_node *node,
		const struct ring_note *note);

/* The ring was full, or over, in NODE: samples were not noted. NULL: in a pause. */
void ran_in_silence(struct notes *n, struct process *p, struct zprof_node *node);

/* Charges no node with the time that no sample has stood for. */
void ran_pass_over(struct notes *n);

/*
 * Where the gap before a sample in NODE, or before the end of a look in NODE, lies; NULL: not in
 * one node for certain. A gap lies in NODE if the look's sample before was there, too; and in the
 * node of the full ring, if notes have been lost.
 */
struct zprof_node *ran_place_of_gap(const struct notes *n, struct zprof_node *node);

/* Time that no sample has stood for, if it is much, is NODE's; NULL: it has not been seen. */
void ran_charge_unseen(struct notes *n, struct process *p, struct zprof_node *node);

/* A look ends: gaps in it that lie in no node for certain have not been seen. */
void ran_end_look(struct notes *n, struct process *p);

/* A ring begins, whose clock begins at 0. */
void ran_begin_ring(struct notes *n);

#endif
