/* SPDX-License-Identifier: MIT */
/*
 * ran.h - how long a thread ran: for which CPU time its samples stand, and which nodes get that
 * time.
 *
 * A sample stands for the CPU time since the sample before, as the kernel has measured it. But
 * samples never stand for more than the thread's CPU time: the clock of samples also counts time
 * that a virtual machine's host has taken. In a long stretch without a hook the ring may become
 * full. The next look then charges the stretch's node with all the CPU time for which no sample
 * stands.
 *
 *     CPU time   |----|----|----|-- -- -- -- -- --|----|
 *     samples    s    s    s    s   the ring is   s    s
 *                                       full ^
 *                                              '---- the next look, at the end of the stretch
 *
 * If a sample stands for much more than a period, there is a gap before it: samples did not come,
 * because the thread was in the kernel, where it may not be looked at, or because the host took the
 * processor away. If a gap lies in one node for certain, that node is charged with it. Else the gap
 * counts for the thread alone, as time that has not been seen (`unseen_ns`).
 *
 * Invariant of the thread's record, except for time of nodes for whose records there was no room:
 *
 *     sampled_ns == user_ns + kernel_ns + hook_ns, over all nodes of the thread, + unseen_ns
 */
#ifndef ZPROF_RAN_H
#define ZPROF_RAN_H

#include "preload/sample/notes.h"

/*
 * Counts the calling thread's CPU time until now as looked at. Returns how much came since the last
 * call.
 */
uint64_t ran_see_time(struct notes *n);

/*
 * To be called as a look begins: adds the CPU time since the look before to the time for which no
 * sample has stood.
 */
void ran_count_time(struct notes *n);

/*
 * Takes a sample, and charges `node` with the time for which the sample stands; NULL: charges no
 * node.
 */
void ran_sample(struct notes *n, struct process *p, struct zprof_node *node,
		const struct ring_note *note);

/*
 * To be called when the ring was full, or had ended by itself, so that samples were not noted:
 * charges the time that they would have stood for to `node`. NULL: the program was in a pause, so no
 * node is charged.
 */
void ran_in_silence(struct notes *n, struct process *p, struct zprof_node *node);

/*
 * Where functions end without a hook: the node in which the time since the latest sample of a certain
 * place lies, or, if no such sample has come in this look, since the last event, which was in `node`.
 * *sure: for certain. Else the time may be a caller's, up to n->comes_from.
 * Where functions end with a hook, that is `node` itself.
 */
struct zprof_node *ran_place_since(const struct notes *n, struct zprof_node *node, bool *sure);

/*
 * The node that a sample or a page fault of a look at `node` belongs to (notes.h, `place`). *sure: for
 * certain.
 */
struct zprof_node *ran_place(const struct notes *n, const struct process *p,
			     struct zprof_node *node, const struct ring_note *note, bool *sure);

/*
 * Whether an instruction is a hook's, or that of a stub in the program's PLT that jumps to a hook.
 */
bool ran_is_hooks(const struct process *p, uintptr_t ip);

/* Drops the time for which no sample has stood: no node is charged with it. */
void ran_pass_over(struct notes *n);

/*
 * The node in which a gap lies that ends at a sample in `node`, or at the end of a look in `node`;
 * NULL: no node for certain. The gap lies in `node` if the sample before, in the same look, was in
 * `node` too. If notes have been lost, the gap lies in the node that filled the ring.
 */
struct zprof_node *ran_place_of_gap(const struct notes *n, struct zprof_node *node);

/* As ran_place_of_gap(), of a gap that ends as a look at `node` does. */
struct zprof_node *ran_place_of_rest(const struct notes *n, struct zprof_node *node);

/*
 * If there is much time for which no sample has stood, charges `node` with it; NULL: counts it as
 * not seen.
 */
void ran_charge_unseen(struct notes *n, struct process *p, struct zprof_node *node);

/* To be called as a look ends: gaps that lie in no node for certain count as not seen. */
void ran_end_look(struct notes *n, struct process *p);

/* To be called as a ring begins, whose clock of samples begins at 0. */
void ran_begin_ring(struct notes *n);

#endif
