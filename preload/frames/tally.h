/* SPDX-License-Identifier: MIT */
/*
 * tally.h - tallies, which hold what a node or a zone took in frames: made, found, and brought up
 * to date.
 */
#ifndef ZPROF_TALLY_H
#define ZPROF_TALLY_H

#include "preload/frames/frames.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"

static inline struct zprof_tally *tally_at(const struct frames *f, uint32_t reference)
{
	return (struct zprof_tally *)(f->process->file->base + (uint64_t)reference * 64);
}

static inline uint32_t tally_reference(const struct frames *f, const void *record)
{
	return (uint32_t)(((const char *)record - f->process->file->base) / 64);
}

/* The tally of a kind, for a node; NULL: there is none. */
static inline struct zprof_tally *tally_of(const struct frames *f, const struct kind *kind,
					   const struct twin *twin)
{
	uint32_t reference = twin->tally & TWIN_REFERENCE;

	while (reference) {
		struct zprof_tally *t = tally_at(f, reference);

		if (t->frames_of == kind->reference)
			return t;
		reference = t->next;
	}
	return NULL;
}

/*
 * Called before and after changes to a kind and its tallies. While the sequence is odd, a reader
 * must not take these numbers together.
 */
static inline void tally_sequence(struct zprof_frames *r)
{
	__atomic_store_n(&r->sequence, r->sequence + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/*
 * The tally of a kind, for a node, made if it is missing. NULL: there is no room, and the loss is
 * counted.
 */
struct zprof_tally *tally_make(struct frames *f, struct kind *kind, struct zprof_node *node);

/*
 * A frame ends: the tally notes the node's present calls, time and absences. Their increase becomes
 * `now` of the tally's calls and self, `waited` and `preempted`. False: no number has increased, so
 * the node did not run, and the tally stays as it was.
 */
bool tally_take(const struct frames *f, struct zprof_tally *t);

/*
 * Notes the node's present calls, time and absences; their increase since the last note is counted
 * in no frame.
 */
void tally_skip(const struct frames *f, struct zprof_tally *t);

/* The frame that ends. `left`: how much of each average is left since the frame before. */
struct ending {
	uint64_t number, begun, ended;
	uint64_t half[ZPROF_AVERAGES], left[ZPROF_AVERAGES];
	int64_t ran;        /* sum of the nodes' self times */
	int64_t longest;    /* the longest self time of a node or zone */
	uint64_t preempted; /* nanoseconds in which others had the processor */
};

/* Puts the values of the frame that ends into the tally's sums, averages and histograms. */
void tally_book(struct zprof_tally *t, const struct ending *e);

/* Adds a tally to a list. False: no memory. */
bool tally_add(struct tallies *list, uint32_t reference);

#endif
