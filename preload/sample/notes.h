/* SPDX-License-Identifier: MIT */
/*
 * notes.h - the kernel's notes of a thread, and how each comes to the node that it is charged to.
 *
 * Three structs tell the story: a note; the ring that notes stand in; and the state that is kept
 * for the notes of one thread. The explanation comes after the structs.
 */
#ifndef ZPROF_NOTES_H
#define ZPROF_NOTES_H

#include "preload/format.h"
#include "preload/sample/chains.h"
#include "preload/sample/inside.h"

#include <stdbool.h>
#include <stdint.h>

struct event_beside;
struct happened;
struct kept;
struct process;
struct sampling;
struct waits;

enum ring_kind {
	RING_NOTHING, /* there is no note: all have been read */
	RING_SAMPLE,  /* where the thread was when it had used another period of CPU time */
	RING_LEFT,    /* the thread left the processor: it waits */
	RING_LOST_IT, /* the thread left the processor: another was given it */
	RING_BACK,    /* the thread is on a processor again */
	RING_EVENT,   /* a page fault, or an event of the processor (happened.h) */
	RING_STOPPED, /* the kernel stops an event for a while, because it came too often */
	RING_LOST,    /* notes before this one found no room */
	RING_OTHER,   /* a note that nobody asked for */
};

struct ring_note {
	enum ring_kind kind;
	bool in_kernel; /* RING_SAMPLE */
	uintptr_t ip;   /* RING_SAMPLE, RING_EVENT: of the next instruction outside of the kernel */
	uintptr_t kernel_ip; /* RING_SAMPLE, in_kernel: of the kernel's instruction */
	uint64_t time_ns;    /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;     /* RING_SAMPLE: the thread's CPU time since the ring was opened */
	uint64_t count;  /* RING_EVENT: of these events since the ring was opened, with this one */
	uint64_t off_ns; /* ... and how long since then the processor had no counter for it */
	uint32_t beside; /* RING_EVENT, RING_STOPPED: which of the events beside */
	uint64_t lost;   /* RING_LOST: how many notes */
	uint32_t size;   /* how far the tail moves on past this note */
	uint32_t cpu;    /* in a ring with labels: the processor's number */

	/* RING_SAMPLE and RING_EVENT, in a ring that carries stacks; else sp is 0. */
	uintptr_t sp, bp; /* the program's */
	uintptr_t link; /* the register that a call stores the return address in, if there is one */
	const uintptr_t
	    *stack; /* a copy of the words from sp upwards, until the next note is read */
	uint32_t stack_bytes;
};

struct ring {
	/* Written by the kernel, or by a timer's handler, at any instruction of the thread. */
	const volatile uint64_t *head; /* how far the notes go */
	char *memory;                  /* the notes; NULL: there is no ring */

	/* Written by the thread's hooks. */
	uint64_t tail;  /* how far the notes have been read */
	uint32_t taken; /* samples that were read, or made up for; at most `most` */

	/* Set as the ring is opened. */
	enum zprof_sampler by; /* who writes the notes */
	int timer;             /* ZPROF_SAMPLER_TIMER */
	uint32_t room;         /* for the kernel's notes, in bytes: a power of two of pages */
	uint32_t most;         /* after so many samples there are no more notes; 0: without end */
	uint64_t period_ns;    /* CPU time from one sample to the next */
	uint32_t
	    stack_bytes;  /* that a sample carries of the stack; 0: and no sp and bp (series.h) */
	uintptr_t *stack; /* where the stack of the latest note is copied to */
	bool labels;      /* each note says on which processor, and by which event */
	uint32_t beside_count; /* further events that write notes (happened.h) */
	struct event_beside *beside;
	const struct kept *kept; /* for these events (kept.h) */
	char *kept_by;           /* a page that keeps these events; NULL: none does */
};

struct notes {
	/* Any thread of the process may ask whether the ring is there, and stop its notes. */
	struct ring ring;

	/* Shared with others, and given to the thread before its first ring. */
	struct sampling *sampling;     /* of the process: all its threads write in this struct */
	struct zprof_thread *record;   /* in the profile, where a report reads at any moment */
	struct zprof_section *section; /* with records of nodes (charged.h); NULL: none yet */
	struct inside inside;          /* addresses of samples, by node */
	struct chains chains;          /* ... and the functions that led there */
	struct waits *waits;           /* NULL: what is waited for is not recorded (waits.h) */
	struct happened *happened;     /* NULL: no events are wanted (happened.h) */
	/* Called with the place where each sample found the program; NULL: not wanted. */
	void (*found)(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns);
	void *whom;
	/*
	 * Called with a sample that carries a stack, by a look at `node`: the node that the sample's
	 * place belongs to. *sure: that is certain. NULL: all places belong to the look's node.
	 */
	struct zprof_node *(*place)(struct zprof_node *node, const struct ring_note *note,
				    bool *sure);
	/*
	 * Where `place` is given: the node of the code that the next look's event comes from, stored
	 * before that look. NULL: not known.
	 */
	struct zprof_node *comes_from;
	struct zprof_section *unsure; /* with records of nodes (charged.h); NULL: none yet */
	uintptr_t *stack;             /* for ring.stack; NULL: no ring has carried stacks yet */

	/*
	 * The members below are written by the thread's own hooks, one at a time. When the thread
	 * has ended, the thread that takes over its lineage reads them.
	 */
	uint32_t reading; /* the hook of level `reading - 1` looks; 0: none does */
	bool roomy;       /* the ring has extra room, for many waits (series.h) */
	bool alone;       /* samples carry stacks because functions end without a hook (series.h) */
	bool ended;       /* the thread has ended: the kernel's counts can no longer be asked for */
	bool at_rest;     /* ... outside of all zones, so a wait that was not noted is no zone's */

	/* While the thread was on a processor (ran.h). */
	struct ran {
		uint64_t noted_ns; /* the ring's CPU time at its latest sample; 0: no sample yet */
		/*
		 * `seen_ns`: the thread's CPU time at the latest look. `left_ns`: the part of this
		 * time that no sample stands for yet. If the CPU time cannot be asked for, `left_ns`
		 * starts at UINT64_MAX, so that it stays above half of that for ever (ran.c).
		 */
		uint64_t seen_ns, left_ns;
		bool lost;       /* since the latest sample, notes have found no room */
		bool after_full; /* no sample has come since a full ring was read */
		struct zprof_node *in_full_ring; /* charged with the time up to the next sample */
		struct zprof_node *full_until;   /* ... which may be a caller's, up to this one */
		/*
		 * Of the look in progress, or of one that a jump has abandoned: the node of the latest
		 * sample whose place is certain; NULL: none yet.
		 */
		struct zprof_node *within;
		bool gap;  /* samples did not come, and nobody knows in which node */
		bool deaf; /* the timer's signal is blocked; the thread counts as not sampled */
	} ran;

	/* While the thread was on no processor (away.h). */
	struct away {
		uint64_t since_ns; /* CLOCK_MONOTONIC; 0: on a processor */
		bool preempted;    /* another thread was given the processor */
		bool missing;      /* notes may be missing: the next look makes up for them */
		/*
		 * The kernel's counts at the moment when counts and notes last agreed, and below
		 * ...
		 */
		struct away_account {
			uint64_t elapsed_ns; /* 0: the account is not known */
			uint64_t cpu_ns, waits, preemptions;
		} from;
		uint64_t told_ns; /* ... the absences that have been noted since then */
		uint64_t told_waits, told_preemptions;
		uint64_t queued_ns; /* how long others have had the processor; 0: not asked yet */
	} away;

	/* The next look charges notes from before `until_ns` to `node`. NULL: to its own node. */
	struct split {
		struct zprof_node *node;
		uint64_t until_ns;
	} split;
};

/*
 * ## Why notes
 *
 * The hooks know of each call, and cost as much as a small function does. A clock that the hooks
 * read cannot tell how long the program would take without hooks, because the processor runs a hook
 * at the same time as the code before and after the hook. A sample is taken from outside, at even
 * steps of CPU time, and tells one thing for certain: whether the thread was in the program or in a
 * hook.
 *
 * A signal for each sample would do, but the program notices signals. Nor need any thread be
 * interrupted, because between two hook events of a thread the current node does not change. So the
 * kernel writes its samples down, and they can wait. All notes that have arrived since the last
 * event belong to the node that is current as the next event begins.
 *
 *     enter f          enter g                    exit g          exit f
 *     |-------- f -----|--------- g --------------|------ f ------|
 *          ^     ^         ^      ^      ^                ^            samples, by the kernel
 *                      looks: 2 for f             looks: 3 for g  1 for f
 *
 * A hook compares the ring's head with how far the notes have been read (track/hot.h). About a
 * thousand times a second the head has moved. The hook then goes the slow way, which looks.
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
 * So all of a thread's time is either CPU time, for which samples stand, or an absence, whose
 * beginning and end are noted:
 *
 *     |== ran ==|..... waited .....|=== ran ===|.. preempted ..|== ran ==|      the thread
 *       s    s  left            back  s    s   lost it     back  s     s        notes
 *
 * Where notes are missing, the kernel's counts tell how much time these notes would have told of:
 * the kernel counts CPU time, waits and preemptions of each thread in any case (counted.h). The
 * difference between counts and notes belongs to the look's node, because no hook event lies in
 * between.
 *
 * ## Where functions end without a hook
 *
 * Then the zone that is current at the look may have ended before a note came (entries/entries.h).
 * No zone has begun, so the open zones only become fewer from the last event to the look:
 *
 *     zones     main f g       main f                      main
 *               |-- g --|------- f -------|------------------|
 *               event g    sample   the ring is full    event h, called by main
 *
 * A sample carries its stack, and is charged to the zone that its place lies in (`place`). Time
 * without a sample lies between two places that are known: the event before (in `node`) or the
 * latest sample whose place is certain (ran.within), and the event now (comes_from). If both are of
 * one node, nothing but that node ran or waited in between. Else nobody knows which of the zones
 * between them it was: CPU time is then charged to the inner one, as not certain, and each caller up
 * to the outer one notes that the time may be its own (struct zprof_unsure). A wait is charged to
 * the thread's root, which is no function.
 *
 * A sample that cannot be followed to the end lies between two such places, too: it belongs to the
 * innermost zone that neither its own walk nor an earlier sample has ruled out, or to a caller of
 * that zone, up to comes_from.
 *
 * Invariant: from the opening of the first ring to the latest look, to the nanosecond,
 *
 *     CPU time of the thread == record->sampled_ns + ran.left_ns
 *
 * except for pauses, and for a timer's first sample (ran.c). tests/sample/notes.h checks this
 * invariant after each of its stories. After notes_rest(), left_ns is at most one and a half
 * periods; with a timer, 32.
 *
 * ## What may go wrong
 *
 *   - A signal handler interrupts a look, and calls hooks. These hooks find `reading` set, and
 *     leave the notes to a later event. If the handler jumps out, the look is abandoned. The next
 *     hook of the same level or of a lower one finds that out by `reading`, and looks anew.
 *   - The hook loses the processor after it has read the clock, and before it looks. The clock
 *     charges this absence to the node that the hook makes current, so the notes must, too. Notes
 *     of this absence therefore stay in the ring for the next look.
 *   - The kernel may not be asked for notes. Then a timer's handler writes samples (timer.h), and
 *     each look asks the kernel for the time that others have had the processor (away.h).
 *   - System calls are forbidden, so the kernel's counts cannot be asked for, and only notes tell.
 *     Before that, notes_outlast() opens a ring that goes on without end.
 *   - The thread ends. The thread that takes over its lineage looks for the last time, by
 *     notes_end().
 *
 * ## The files of this room, lowest first
 *
 *     kept              (events=) files that stay open without a descriptor
 *     event             memory that the kernel writes notes into
 *     signal, timer     our own writer of notes, by a signal, where the kernel writes none
 *     ring              notes as they stand, whoever wrote them: read, and taken out
 *     counted           what the kernel counts beside its notes
 *     sampling          who takes the samples of a process, what one costs, how many are taken
 *     blocked, locks    (offcpu=1) where a thread left the processor, and where its lock was made
 *     waits             ... what it waited for
 *     inside            the addresses where samples found a node
 *     chains            (inside=stack) the functions without hooks between a node and these addresses
 *     charged           records of nodes in the profile, and the thread's sum of them
 *     ran               time on a processor: how much of it is whose
 *     processor         (events=) the processor's counters
 *     happened          ... page faults, switches, migrations and these counters, by node
 *     away              time on no processor
 *     series            rings that follow one another
 *     notes             a thread's notes: begun, looked at, ended
 */

/*
 * Begins to take notes of the calling thread, whose record in the profile is `record`. False: no
 * notes can be taken.
 */
bool notes_begin(struct notes *n, struct process *p, struct zprof_thread *record);

/*
 * Stops the notes of a timer (timer.h), for which this process has to act; the kernel's go on. May
 * be called by any thread.
 */
void notes_stop(struct notes *n, struct process *p);

/*
 * The next look charges notes from before `until_ns` (CLOCK_MONOTONIC) to `node`, and only later
 * notes to the node that is given to the look.
 */
static inline void notes_split(struct notes *n, struct zprof_node *node, uint64_t until_ns)
{
	n->split.node = node;
	n->split.until_ns = until_ns;
}

/*
 * Charges the notes that have arrived to `node`; NULL: to no node. `level` is the hook's (track.h).
 * A hook that interrupts a look, and so has a higher level, does not look. If a look of this level
 * or of a higher one is marked as in progress, a jump has abandoned that look, and this one goes
 * ahead.
 *
 * `ticks`: when `node` ended, by the clock that hooks read; 0: now. Absences that began later are
 * left in the ring for the next look.
 */
void notes_look(struct notes *n, struct process *p, struct zprof_node *node, uint32_t level,
		uint64_t ticks);

/*
 * How far the notes have been read: if the ring's head is another number, the next hook must look.
 * (While notes may be missing, this function returns a number that the head never has, so the next
 * hook looks in any case.)
 */
static inline uint64_t notes_known(const struct notes *n)
{
	return n->ring.tail - n->away.missing;
}

/*
 * To be called after a look, before a long time without hooks. If much CPU time has passed for
 * which no sample has come, it counts as not seen. With a timer, time that others had the processor
 * since the latest look goes to the root, because nobody knows in which node it passed.
 */
void notes_rest(struct notes *n, struct process *p, struct zprof_node *root);

/*
 * To be called after a look, before the program forbids itself system calls: the file cannot grow
 * after that, and no ring can be replaced. So this function reserves room in the file, and sees to
 * it that from here on no ring is a quick one, which would end by itself (sampling.h).
 */
void notes_outlast(struct notes *n, struct process *p, struct zprof_node *node);

/* Whether the thread's ring ends by itself after a number of samples. */
static inline bool notes_will_end(const struct notes *n)
{
	return n->ring.memory && n->ring.most;
}

/*
 * Called by the thread that takes over the lineage of a thread that has ended, in `node`.
 * `at_rest`: that thread was in no zone.
 */
void notes_end(struct notes *n, struct process *p, struct zprof_node *node, bool at_rest);

#endif
