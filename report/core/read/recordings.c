/* SPDX-License-Identifier: MIT */
/* recordings.c - see recordings.h. */
#include "report/core/read/recordings.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/read/record_kinds.h"

void recordings_check(struct profile *p)
{
	size_t count = 0;
	for (size_t i = 0; i < p->recording_count; i++)
		if (p->recordings[i].number == count + 1)
			p->recordings[count++] = p->recordings[i];
	p->recording_count = count;
}

uint32_t recordings_of(const struct profile *p)
{
	if (p->part_count)
		return 0;
	return p->recording_count ? (uint32_t)p->recording_count : 1;
}

bool recordings_have(const struct profile *p, uint32_t number)
{
	uint32_t count = recordings_of(p);
	return number == RECORDINGS_LAST ? count > 0 : number >= 1 && number <= count;
}

/* Which one a thread's record is of; one that does not exist is taken for the last. */
static uint32_t recording_of(const struct profile *p, const struct zprof_thread *t)
{
	uint32_t count = recordings_of(p), number = t->recording ? t->recording : 1;
	return number < count ? number : count;
}

/* Marks the nodes from NODE up that are not known yet as those of the root, or of recording 1. */
static void follow(const struct profile *p, uint32_t *of, uint32_t node)
{
	uint32_t at = node, found;
	while (!of[at] && p->nodes[at].parent != PROFILE_NO_NODE)
		at = p->nodes[at].parent;
	found = of[at] ? of[at] : 1;
	for (at = node; !of[at]; at = p->nodes[at].parent) {
		of[at] = found;
		if (p->nodes[at].parent == PROFILE_NO_NODE)
			break;
	}
}

/* The recording of each node; free() it. */
static uint32_t *recordings_of_nodes(const struct profile *p)
{
	uint32_t *of = memory_zeroed(p->node_count, sizeof *of);
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root != PROFILE_NO_NODE)
			of[p->threads[i].root] = recording_of(p, &p->threads[i]);
	for (size_t i = 0; i < p->node_count; i++)
		follow(p, of, (uint32_t)i);
	return of;
}

uint64_t *recordings_calls(const struct profile *p)
{
	uint32_t count = recordings_of(p), *of = recordings_of_nodes(p);
	uint64_t *calls = memory_zeroed(count + 1, sizeof *calls);
	for (size_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].parent != PROFILE_NO_NODE && of[i] <= count && count)
			calls[of[i] - 1] += p->nodes[i].calls;
	free(of);
	return calls;
}

double recordings_lasted_ns(const struct profile *p, const struct zprof_recording *r)
{
	uint64_t end = r->ended_ns ? r->ended_ns : p->header.now_ns;
	return r->began_ns && end > r->began_ns ? (double)(end - r->began_ns) : 0;
}

struct keeping {
	const struct profile *p;
	const uint32_t *of; /* the recording of each node */
	uint32_t number;    /* of the one that is kept */
};

static bool is_kept(void *keeping, const struct record_kind *k, void *record)
{
	const struct keeping *all = keeping;
	struct zprof_thread *t = record;
	if (k->of_node)
		return all->of[record_node(k, record)] == all->number;
	t->continued = 0;
	return recording_of(all->p, t) == all->number;
}

void recordings_keep(struct profile *p, uint32_t number)
{
	uint32_t *of = recordings_of_nodes(p);
	struct keeping all = {p, of, number == RECORDINGS_LAST ? recordings_of(p) : number};
	for (size_t i = 0; i < p->node_count; i++)
		if (of[i] != all.number)
			p->nodes[i].calls = p->nodes[i].self_ticks = 0;
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count; k++)
		if (k->section == ZPROF_SECTION_THREADS || (k->is_counted && k->of_node))
			record_kind_filter(p, k, is_kept, &all);
	p->recording = all.number;
	free(of);
}
