/* SPDX-License-Identifier: MIT */
/*
 * notes.h - the kernel's notes of a thread, and how each comes to the node that it is charged to.
 *
 * Three structs tell the story: a note; the ring that it stands in; and what is kept of the notes
 * of one thread. The prose comes after them.
 */
#ifndef ZPROF_NOTES_H
#define ZPROF_NOTES_H

#include "preload/format.h"

#include <stdbool.h>
#include <stdint.h>

struct process;
struct sampling;
struct waits;

enum ring_kind {
	RING_NOTHING, /* there is no note: all have been read */
	RING_SAMPLE,  /* the thread has used another period of CPU time, and was here */
	RING_LEFT,    /* the thread left the processor: it waits */
	RING_LOST_IT, /* the thread left the processor: another was given it */
	RING_BACK,    /* the thread is on a processor again */
	RING_LOST,    /* notes before this one found no room */
	RING_OTHER,   /* a note that nobody asked for */
};

struct ring_note {
	enum ring_kind kind;
	bool in_kernel;   /* RING_SAMPLE */
	uintptr_t ip;     /* RING_SAMPLE: of the next instruction outside of the kernel */
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;  /* RING_SAMPLE: the thread's CPU time since the ring was opened */
	uint64_t lost;    /* RING_LOST: how many notes */
	uint32_t size;    /* by which the tail moves on */
};

struct ring {
	/* Written by the kernel, or by a timer's handler, at any instruction of the thread. */
	const volatile uint64_t *head; /* how far the notes go */
	char *memory;                  /* the notes; NULL: there is no ring */

	/* Written by the thread's hooks. */
	uint64_t tail;  /* how far the notes have been read */
	uint32_t taken; /* samples that have been read, or made up for; `most` at most */

	/* Said as the ring is opened. */
	enum zprof_sampler by; /* who writes the notes */
	int timer;             /* ZPROF_SAMPLER_TIMER */
	uint32_t room;         /* for the kernel's notes, in bytes: a power of two of pages */
	uint32_t most;         /* samples; after them there are no more notes. 0: without end */
	uint64_t period_ns;    /* CPU time from one sample to the next */
};

struct notes {
	/* The kernel's side. Any thread of the process may ask whether it is there, and stop it. */
	struct ring ring;

	/* Shared with others, and given to the thread before its first ring. */
	struct sampling *sampling;     /* of the process: all its threads write there */
	struct zprof_thread *record;   /* in the profile, where a report reads at any moment */
	struct zprof_section *section; /* of nodes' records (charged.h); NULL: none yet */
	struct waits *waits;           /* NULL: what is waited for is not recorded (waits.h) */
	/* Called with the place where each sample found the program; NULL: not wanted. */
	void (*found)(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns);
	void *whom;

	/*
	 * The rest is written by the thread's hooks alone, and by one at a time. A thread that has
	 * ended has no hook any more: whoever takes over its lineage reads what it left.
	 */
	uint32_t reading; /* the hook of level `reading - 1` looks; 0: none does */
	bool roomy;       /* the ring has room for many waits (series.h) */
	bool ended;       /* the thread has ended: the kernel's counts can no longer be asked for */
	bool at_rest;     /* ... outside of all zones, so no zone lacks a wait that was not noted */

	/* While the thread was on a processor (ran.h). */
	struct ran {
		uint64_t noted_ns; /* the ring's CPU time at its latest sample; 0: there was none */
		/*
		 * The thread's CPU time at the latest look; and the part of it that no sample has
		 * stood for. (More than half of UINT64_MAX: that part is not known.)
		 */
		uint64_t seen_ns, left_ns;
		bool lost;       /* since the latest sample, notes have found no room */
		bool after_full; /* no sample has come since a full ring was read */
		struct zprof_node *in_full_ring; /* charged with the time up to the next sample */
		/* In the look at hand, or in one that a jump has abandoned. */
		const struct zprof_node *within; /* the node of the latest sample; NULL: none yet */
		bool gap;  /* samples have not come, and it is not known where */
		bool deaf; /* the timer's signal is blocked; the thread counts as not sampled */
	} ran;

	/* While the thread was on no processor (away.h). */
	struct away {
		uint64_t since_ns; /* CLOCK_MONOTONIC; 0: on a processor */
		bool preempted;    /* another thread was given the processor */
		bool missing;      /* notes of absences may be: the next look makes up for them */
		/* The kernel's counts when they and the notes last agreed ... */
		struct away_account {
			uint64_t elapsed_ns; /* 0: the account is not known */
			uint64_t cpu_ns, waits, preemptions;
		} from;
		uint64_t told_ns; /* ... and what notes have told since then */
		uint64_t told_waits, told_preemptions;
		uint64_t queued_ns; /* how long others have had the processor; 0: not asked yet */
	} away;

	/* Notes from before `until_ns` that the next look finds are `node`'s; NULL: none are. */
	struct split {
		struct zprof_node *node;
		uint64_t until_ns;
	} split;
};

/*
 * ## Why notes
 *
 * The hooks know of each call, and cost as much as a small function does. What the program would
 * take without them cannot be told from a clock that they read: the processor runs what comes
 * before and after a hook at the same time as the hook. A sample is taken from outside, at even
 * steps of CPU time, and tells one thing for certain: whether the thread was in the program or in a
 * hook.
 *
 * A signal for each sample would do, but the program notices signals. Nobody need be interrupted,
 * though, because between two hook events of a thread the current node does not change. So the
 * kernel writes its samples down, and a note can wait: all notes that have arrived since the last
 * event belong to the node that is current as the next one begins.
 *
 *     enter f          enter g                    exit g          exit f
 *     |-------- f -----|--------- g --------------|------ f ------|
 *          ^     ^         ^      ^      ^                ^            samples, by the kernel
 *                      looks: 2 for f             looks: 3 for g  1 for f
 *
 * A hook compares one number, the ring's head, with what it was (track/hot.h). A thousand times a
 * second it has moved. Then the hook goes the slow way, which looks.
 *
 * ## A look
 *
 *     notes_look()
 *       |  read     ring_read()        note after note, up to the head of when the look began
 *       |  charge   ran_sample()       the node gets the CPU time that the sample stands for;
 *       |           away_back()        the time for which the thread was on no processor
 *       |  make up  ran_in_silence()   if the ring was full: the CPU time that no sample tells of,
 *       |           away_make_up()     and the absences that no note tells of
 *       v  go on    series_...()       if the ring is spent, the next one takes its place
 *
 * So all of a thread's time is either CPU time, which samples stand for, or an absence, which two
 * notes tell of:
 *
 *     |== ran ==|..... waited .....|=== ran ===|.. preempted ..|== ran ==|      the thread
 *       s    s  left            back  s    s   lost it     back  s     s        notes
 *
 * Where notes are missing, the kernel's counts say how much those notes would have told: CPU time,
 * waits and preemptions of each thread are counted, noted or not (counted.h). The difference
 * between counts and notes belongs to the node at hand, because no hook has passed by in between.
 *
 * Invariant: from the opening of the first ring to the latest look, to the nanosecond,
 *
 *     CPU time of the thread == record->sampled_ns + ran.left_ns
 *
 * but for pauses, and for a timer's first sample (ran.c). tests/sample/notes.h checks this after each
 * of its stories. After notes_rest(), one and a half periods are left at most; by a timer, 32.
 *
 * ## What may go wrong meanwhile
 *
 *   - A handler interrupts a look, and has hooks: they find `reading` set, and leave the news to a
 *     later event. If the handler jumps out, the look is abandoned. The next hook of the same level
 *     or of one below finds that out by `reading`, and looks anew.
 *   - The hook loses the processor after it has read the clock, and before it looks. The clock
 *     charges this to the node that the hook makes current, so the notes must, too: they stay in
 *     the ring for the next look.
 *   - The kernel may not be asked for notes: then a timer's handler writes samples (timer.h), and
 *     what others had of the processor is asked for at each look (away.h).
 *   - System calls are forbidden: nothing can be asked then, so notes alone tell. Before that,
 *     notes_outlast() opens a ring that goes on without end.
 *   - The thread ends: whoever takes over its lineage looks for the last time, by notes_end().
 *
 * ## The files of this room, lowest first
 *
 *     event             memory that the kernel writes notes into
 *     signal, timer     our own writer of notes, by a signal, where the kernel writes none
 *     ring              notes as they stand, whoever wrote them: read, and taken out
 *     counted           what the kernel counts beside its notes
 *     sampling          who takes the samples of a process, what one costs, how many are taken
 *     blocked, locks    (offcpu=1) where a thread left the processor, and where its lock was made
 *     waits             ... what it waited for
 *     charged           records of nodes in the profile, and the thread's sum of them
 *     ran, away         time on a processor, time on none: how much of it is whose
 *     series            rings that follow one another
 *     notes             a thread's notes: begun, looked at, ended
 */

/*
 * Notes of the calling thread, which RECORD is of, are taken from here on. False: they cannot be.
 */
bool notes_begin(struct notes *n, struct process *p, struct zprof_thread *record);

/* No more notes are taken where our own doing is needed for that (timer.h); by any thread. */
void notes_stop(struct notes *n, struct process *p);

/*
 * Notes from before `until_ns` (CLOCK_MONOTONIC) that the next look finds are charged to this node,
 * whatever node is given to that look.
 */
static inline void notes_split(struct notes *n, struct zprof_node *node, uint64_t until_ns)
{
	n->split.node = node;
	n->split.until_ns = until_ns;
}

/*
 * Charges what has arrived to `node`; NULL: to no node. LEVEL is the hook's (track.h): a hook that
 * interrupts a look does not look itself; one of the same level or below has found it abandoned.
 *
 * TICKS: when `node` ended, by the clock that times are taken from; 0: now. Absences that began
 * later are left in the ring for the next look.
 */
void notes_look(struct notes *n, struct process *p, struct zprof_node *node, uint32_t level,
		uint64_t ticks);

/* How far the notes are known: if the ring's head is elsewhere, the next hook must look. */
static inline uint64_t notes_known(const struct notes *n)
{
	return n->ring.tail - n->away.missing;
}

/*
 * After a look, before a long silence: time for which no sample has come, if it is much, counts as
 * not seen. Others' time that was not asked for in any node goes to the root, because it is not
 * known where it was.
 */
void notes_rest(struct notes *n, struct process *p, struct zprof_node *root);

/*
 * After a look, while system calls can still be made: where they cannot, the file does not grow,
 * and no ring can be replaced. So room is reserved, and there are no quick rings from here on
 * (sampling.h), which end by themselves.
 */
void notes_outlast(struct notes *n, struct process *p, struct zprof_node *node);

/* Whether the thread's ring is one that ends by itself. */
static inline bool notes_will_end(const struct notes *n)
{
	return n->ring.memory && n->ring.most;
}

/* The thread has ended, in `node`; AT_REST: in no zone. By the thread that takes its lineage. */
void notes_end(struct notes *n, struct process *p, struct zprof_node *node, bool at_rest);

#endif
