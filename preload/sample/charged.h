/* SPDX-License-Identifier: MIT */
/*
 * charged.h - the record of what a node has been charged with for notes of its thread (format.h,
 * struct zprof_samples). A node gets such a record at its first sample or absence.
 *
 * Only this file writes such records, together with a sum in the record of the thread:
 *
 *     program_ns == user_ns + kernel_ns + waited_ns, over all nodes of the thread
 */
#ifndef ZPROF_CHARGED_H
#define ZPROF_CHARGED_H

#include "preload/sample/notes.h"

/* The record that a twin's `samples` refers to. */
static inline struct zprof_samples *charged_at(char *base, uint32_t samples)
{
	return (struct zprof_samples *)base + samples;
}

/* The node's record, made if it is missing. NULL: no node; or no room, and the loss is counted. */
struct zprof_samples *charged_record(struct notes *n, struct process *p, struct zprof_node *node);

/*
 * Add CPU time to a record, and the number of its samples: time in hooks, in the kernel, in the
 * program's own code.
 */
void charged_hook(struct zprof_samples *record, uint64_t ns);
void charged_kernel(struct notes *n, struct zprof_samples *record, uint64_t ns);
void charged_user(struct notes *n, struct zprof_samples *record, uint64_t ns, uint32_t samples);

/*
 * Notes that so much of what `node` was charged with as user or kernel time, for so many samples, may
 * belong to one of its callers instead, up to `outermost` (struct zprof_unsure). An `outermost` that
 * is no caller, and NULL, stand for the root. If there is no room for that, the loss is counted.
 */
void charged_unsure(struct notes *n, struct process *p, struct zprof_node *node,
		    const struct zprof_node *outermost, uint64_t ns, uint32_t samples);

/*
 * Add time on no processor, in so many absences: the thread waited, or other threads got the
 * processor.
 */
void charged_wait(struct notes *n, struct zprof_samples *record, uint64_t ns, uint64_t times);
void charged_preemption(struct zprof_samples *record, uint64_t ns, uint64_t times);

#endif
