/* SPDX-License-Identifier: MIT */
/* recordings.c - see recordings.h. */
#include "report/core/read/recordings.h"

#include <stdlib.h>
#include <string.h>

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

/* Leaves the records of nodes that are of that recording. */
static void keep_records(struct profile *p, const struct record_kind *k, const uint32_t *of,
			 uint32_t number)
{
	char *list = record_kind_list(p, k);
	size_t kept = 0, count = record_kind_records(p, k);
	for (size_t i = 0; i < count; i++) {
		char *record = list + i * k->bytes;
		if (of[*(uint32_t *)(record + k->node)] == number)
			memmove(list + kept++ * k->bytes, record, k->bytes);
	}
	record_kind_set(p, k, kept);
}

void recordings_keep(struct profile *p, uint32_t number)
{
	uint32_t *of = recordings_of_nodes(p);
	size_t threads = 0;
	if (number == RECORDINGS_LAST)
		number = recordings_of(p);
	for (size_t i = 0; i < p->thread_count; i++)
		if (recording_of(p, &p->threads[i]) == number) {
			p->threads[threads] = p->threads[i];
			p->threads[threads++].continued = 0;
		}
	p->thread_count = threads;
	for (size_t i = 0; i < p->node_count; i++)
		if (of[i] != number)
			p->nodes[i].calls = p->nodes[i].self_ticks = 0;
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count; k++)
		if (k->is_counted && k->of_node)
			keep_records(p, k, of, number);
	p->recording = number;
	free(of);
}
