/* SPDX-License-Identifier: MIT */
/*
 * notes.h - where the time goes: samples of a thread, charged to its exact contexts.
 *
 * The hooks know of each call, and cost as much as a small function does. What the program would
 * take without them cannot be told from a clock that they read: the processor runs what comes
 * before and after a hook at the same time as the hook. A sample is taken from outside (ring.h), at
 * even steps of CPU time, and tells one thing for certain: whether the thread was in the program or
 * in a hook. And between two hook events the current node does not change. So what has arrived
 * since the last event belongs to the node that is current as the next one begins:
 *
 *     enter f          enter g                    exit g          exit f
 *     |-------- f -----|--------- g --------------|------ f ------|
 *          ^     ^         ^      ^      ^                ^            samples, by the kernel
 *                      looks: 2 for f             looks: 3 for g  1 for f
 *
 * The hooks look by comparing one number, which the kernel advances, with what it was. There is
 * news a thousand times a second; then the slow way reads it, and charges it to a record beside the
 * node (format.h, struct zprof_samples), which is made at the node's first sample.
 *
 * ran.h tells what time a sample stands for, sampling.h how many are taken, and by what.
 */
#ifndef ZPROF_NOTES_H
#define ZPROF_NOTES_H

#include "preload/format.h"
#include "preload/sample/away.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/waits.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

struct notes {
	struct ring ring;
	struct sampling *sampling;
	struct zprof_thread *record;
	struct zprof_section *section; /* of records; NULL: none yet */
	uint32_t reading; /* a hook of level `reading - 1` is reading notes; 0: none is */
	uint64_t period_ns;
	uint32_t most, taken; /* the ring's samples at most (0: without end), and so far */
	uint64_t cpu_ns;      /* of the latest sample */
	/*
	 * The thread's CPU time at the latest look, and of that, what no sample has stood for. All
	 * CPU time from the first ring's opening to that look is either charged, or in `unseen_ns`,
	 * or in left_ns, to the nanosecond, but for pauses, and for time in which a record found no
	 * room. What is left after notes_rest() is one and a half periods at most.
	 */
	uint64_t seen_ns, left_ns;
	struct away away;
	uint64_t until_ns; /* absences from then on are left for the next look; 0: not asked yet */
	struct zprof_node *before; /* charged with notes from before before_ns; NULL: none is */
	uint64_t before_ns;        /* see notes_split() */
	struct waits *waits;       /* NULL: what is waited for is not recorded (waits.h) */
	bool roomy;                /* its ring has room for many waits */
	bool lost;                 /* notes have been lost since the latest sample */
	bool after_full;           /* no sample has come since a full ring was read */
	bool gap;                  /* in this look samples have not come, it is not known where */
	/* Called with the place where each sample found the program; NULL: not wanted. */
	void (*found)(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns);
	void *whom;
	bool deaf; /* the thread blocks the timer's signal, and is counted as one without samples */
	/* The node charged with the time up to the next sample; NULL: none. */
	struct zprof_node *in_full_ring;
	/* Node of the sample before, in the same reading; NULL: there was none. */
	const struct zprof_node *within;
};

/* The calling thread, whose record that is, is sampled from here on. False: it cannot be. */
bool notes_begin(struct notes *s, struct process *p, struct zprof_thread *record);

/* No more samples are taken where our own doing is needed for that; by any thread. */
void notes_stop(struct notes *s, struct process *p);

/* What twin.samples stands for. */
static inline struct zprof_samples *samples_at(char *base, uint32_t samples)
{
	return (struct zprof_samples *)base + samples;
}

/*
 * Notes from before `until_ns` (CLOCK_MONOTONIC) that the next look finds are charged to this node,
 * whatever node is given to that look.
 */
static inline void notes_split(struct notes *s, struct zprof_node *node, uint64_t until_ns)
{
	s->before = node;
	s->before_ns = until_ns;
}

/*
 * Charges what has arrived to `node`; NULL: to no node. LEVEL is the hook's (track.h): a hook that
 * interrupts a look does not look itself; one of the same level or below has found it abandoned.
 *
 * TICKS: when `node` ended, by the clock that times are taken from; 0: now. A hook reads the clock
 * first, and others may be given the processor before it looks. The clock charges that to the next
 * node, so it is left in the ring for the next look, and is charged to the same.
 */
void notes_look(struct notes *s, struct process *p, struct zprof_node *node, uint32_t level,
		uint64_t ticks);

/* Whether the next hook must look: what the head of the ring is compared with. */
static inline uint64_t notes_known(const struct notes *s)
{
	return s->ring.tail - s->away.missing;
}

/* Others' time, where it must be asked for, until now is `node`'s, whether a sample has come or not. */
void notes_ask(struct notes *s, struct process *p, struct zprof_node *node);

/*
 * After such a look: time for which no sample has come, if it is much, counts as not seen. Others'
 * time that was not asked for in any node goes to the root, because it is not known where it was.
 */
void notes_rest(struct notes *s, struct process *p, struct zprof_node *root);

/*
 * After such a look, while system calls can still be made: where they cannot, the file does not
 * grow, and no ring can be replaced. So room is reserved, and there are no quick rings from here on
 * (sampling.h), which end by themselves.
 */
void notes_outlast(struct notes *s, struct process *p, struct zprof_node *node);

/* Whether its ring is one that ends by itself. */
static inline bool notes_will_end(const struct notes *s)
{
	return s->ring.memory && s->most;
}

/* For a thread that has ended, in `node`; AT_REST: in no zone. */
void notes_end(struct notes *s, struct process *p, struct zprof_node *node, bool at_rest);

#endif
