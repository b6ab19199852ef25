/* SPDX-License-Identifier: MIT */
/*
 * charged.h - what a node has been charged with for notes of its thread: a record beside the node
 * (format.h, struct zprof_samples), which is made for the node's first sample or absence.
 *
 * Such records are written here and nowhere else, together with the sum in the thread's own record:
 *
 *     program_ns == user_ns + kernel_ns + waited_ns, over all nodes of the thread
 */
#ifndef ZPROF_CHARGED_H
#define ZPROF_CHARGED_H

#include "preload/sample/notes.h"

/* What twin.samples stands for. */
static inline struct zprof_samples *charged_at(char *base, uint32_t samples)
{
	return (struct zprof_samples *)base + samples;
}

/* The node's record, made if it is missing. NULL: no node, or no room; that loss is counted. */
struct zprof_samples *charged_record(struct notes *n, struct process *p, struct zprof_node *node);

/* CPU time, and how many samples tell of it: in hooks, in the kernel, in the program's own code. */
void charged_hook(struct zprof_samples *record, uint64_t ns);
void charged_kernel(struct notes *n, struct zprof_samples *record, uint64_t ns);
void charged_user(struct notes *n, struct zprof_samples *record, uint64_t ns, uint32_t samples);

/* Time on no processor, in so many absences: the thread waited, or others were given it. */
void charged_wait(struct notes *n, struct zprof_samples *record, uint64_t ns, uint64_t times);
void charged_preemption(struct zprof_samples *record, uint64_t ns, uint64_t times);

#endif
