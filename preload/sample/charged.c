/* SPDX-License-Identifier: MIT */
/* charged.c - see charged.h. */
#include "preload/sample/charged.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/code/location.h"
#include "preload/profile/losses.h"
#include "preload/tree/tree.h"

struct zprof_samples *charged_record(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct zprof_samples *record;
	struct twin *t;

	if (!node)
		return NULL;
	t = twin_of(node);
	if (t->samples)
		return charged_at(p->file->base, t->samples);
	record = file_record(p, &n->section, ZPROF_SECTION_SAMPLES, n->record->id, sizeof(*record));
	if (!record) {
		losses_count(p, ZPROF_LOSS_SAMPLES, 1);
		return NULL;
	}
	record->node = node_reference(p->file->base, node);
	t->samples = (uint32_t)(((char *)record - p->file->base) / sizeof(*record));
	return record;
}

void charged_hook(struct zprof_samples *record, uint64_t ns)
{
	record->hook_samples++;
	record->hook_ns += ns;
}

void charged_kernel(struct notes *n, struct zprof_samples *record, uint64_t ns)
{
	n->record->program_ns += ns;
	record->kernel_samples++;
	record->kernel_ns += ns;
}

void charged_user(struct notes *n, struct zprof_samples *record, uint64_t ns, uint32_t samples)
{
	n->record->program_ns += ns;
	record->user_samples += samples;
	record->user_ns += ns;
}

/*
 * An exit of other code may have taken the reference: then the node gets another record. A lent zone
 * uses the reference for a record of its own (track/lent.h), so the thread's root stands for it.
 */
static struct zprof_unsure *unsure_record(struct notes *n, struct process *p,
					  struct zprof_node *node)
{
	struct zprof_unsure *record;
	struct twin *t;

	if (twin_of(node)->rule & LOCATION_LENT)
		node = node_at(p->file->base, n->record->root);
	t = twin_of(node);
	if (t->exit_ret & TWIN_UNSURE)
		return (struct zprof_unsure *)(p->file->base + (t->exit_ret & ~TWIN_UNSURE));
	record = file_record(p, &n->unsure, ZPROF_SECTION_UNSURE, n->record->id, sizeof(*record));
	if (!record)
		return NULL;
	record->node = node_reference(p->file->base, node);
	t->exit_ret = (uintptr_t)((char *)record - p->file->base) | TWIN_UNSURE;
	return record;
}

/*
 * A lent zone ends by a call, so whether it has ended is known: only its carrier may have the time of
 * a callee. Returns false if there was no room.
 */
static bool note_callers(struct notes *n, struct process *p, struct zprof_node *node,
			 const struct zprof_node *outermost, uint64_t ns)
{
	struct zprof_unsure *record;

	while (node != outermost && node->parent) {
		node = node_at(p->file->base, node->parent);
		if (twin_of(node)->rule & LOCATION_LENT)
			continue;
		record = unsure_record(n, p, node);
		if (!record)
			return false;
		record->callees_ns += ns;
	}
	return true;
}

void charged_unsure(struct notes *n, struct process *p, struct zprof_node *node,
		    const struct zprof_node *outermost, uint64_t ns, uint32_t samples)
{
	struct zprof_unsure *record = unsure_record(n, p, node);

	if (record) {
		record->samples += samples;
		record->ns += ns;
	}
	if (!record || !note_callers(n, p, node, outermost, ns))
		losses_count(p, ZPROF_LOSS_SAMPLES, 1);
}

void charged_wait(struct notes *n, struct zprof_samples *record, uint64_t ns, uint64_t times)
{
	n->record->program_ns += ns;
	record->waited_ns += ns;
	record->waits += (uint32_t)times;
}

void charged_preemption(struct zprof_samples *record, uint64_t ns, uint64_t times)
{
	record->preempted_ns += ns;
	record->preemptions += (uint32_t)times;
}
