/* SPDX-License-Identifier: MIT */
/*
 * ran.h - the CPU time that samples stand for, and the node that it is charged to.
 *
 * A sample stands for the CPU time since the one before, as the kernel has measured it, but never
 * for more than the thread has had: that clock also counts time taken by a machine around this one
 * (a virtual machine's host). A stretch without a hook may be longer than the ring has room for.
 * Then the next look charges to the stretch's node all the CPU time until now that no sample stands
 * for.
 *
 *     CPU time   |----|----|----|-- -- -- -- -- --|----|
 *     samples    s    s    s    s   the ring is   s    s
 *                                       full ^
 *                                              '---- the next look, at the end of the stretch
 *
 * If a sample stands for much more than a period, samples before it did not come, because the
 * thread was in the kernel, where it may not be looked at, or because the host took the processor
 * away. That time is charged to the thread, in `unseen_ns`.
 *
 * What is charged stands in a record beside the node (format.h, struct zprof_samples), which is
 * made at the node's first sample.
 */
#ifndef ZPROF_RAN_H
#define ZPROF_RAN_H

#include "preload/sample/notes.h"

/* The node's record, made if it is missing. NULL: no room; the loss is counted. */
struct zprof_samples *samples_of(struct notes *s, struct process *p, struct zprof_node *node);

/* The calling thread's CPU time since this was last called: until now it has been looked at. */
uint64_t ran_see_time(struct notes *s);

/* As a look begins: the thread's CPU time until now that no sample has stood for, in left_ns. */
void ran_count_time(struct notes *s);

/* Charges a sample to a node. */
void ran_charge(struct notes *s, struct process *p, struct zprof_node *node,
		const struct ring_note *note);

/* Charges no node with the time of a sample, or with all time that no sample has stood for. */
void ran_pass_over(struct notes *s, const struct ring_note *note);
void ran_pass_over_rest(struct notes *s);

/* The ring got full in that node; NULL: in a pause. */
void ran_ring_was_full(struct notes *s, struct process *p, struct zprof_node *node);

/*
 * At a hook, or at a sample of NODE: where the time since the sample before was spent, if samples
 * in between did not come. It was spent in NODE if both came since the last hook event, and if
 * notes were lost, in the node of the full ring. Else NULL: it is not known.
 */
struct zprof_node *ran_place_of_gap(const struct notes *s, struct zprof_node *node);

/* What no sample has come for, if it is much, was in NODE; NULL: it has not been seen. */
void ran_charge_unseen(struct notes *s, struct process *p, struct zprof_node *node);

#endif
