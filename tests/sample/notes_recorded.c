/* SPDX-License-Identifier: MIT */
/* notes_recorded.c - see notes_recorded.h. The rows of these rings are notes_rows_recorded.c. */
#include "tests/sample/notes_recorded.h"

#include "preload/sample/event.h"
#include "tests/sample/notes_kernel.h"
#include "tests/sample/notes_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kernel counts of the thread. */
struct counts {
	uint64_t now_ns, cpu_ns, waits, preemptions;
};

/* The ring, from its tail to its head, and the thread as sampling began and as a hook looks. */
struct recorded {
	const char *name;
	uint64_t tail, head;
	struct counts began, ended;
	uint32_t most; /* samples, after which the ring ends by itself; 0: it does not */
	const uint64_t *words;
};

#include "tests/sample/notes_rings.h"

static void set_counts(const struct counts *c)
{
	kernel.now_ns = c->now_ns;
	kernel.cpu_ns = kernel.sampled_ns = c->cpu_ns;
	kernel.waits = c->waits;
	kernel.preemptions = c->preemptions;
}

static void fill(struct ring *ring, const struct recorded *r)
{
	struct perf_event_mmap_page *page = event_page(ring->memory);
	uint64_t at;

	for (at = r->tail; at < r->head; at += 8)
		memcpy(event_notes(ring->memory) + at % ring->room, &r->words[(at - r->tail) / 8],
		       8);
	page->data_head = r->head;
	page->data_tail = ring->tail = r->tail;
}

static void replay(const struct recorded *r)
{
	set_counts(&r->began);
	thread_sample();
	thread.notes.ring.most = r->most;
	fill(&thread.notes.ring, r);
	set_counts(&r->ended);
}

void recorded_replay(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(recorded) / sizeof(*recorded); i++)
		if (!strcmp(recorded[i]->name, name)) {
			replay(recorded[i]);
			return;
		}
	fprintf(stderr, "no such ring: %s\n", name);
	exit(1);
}
