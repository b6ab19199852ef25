/* SPDX-License-Identifier: MIT */
/*
 * away.h - when a thread was on no processor, and why.
 *
 * The kernel notes each time that a thread leaves the processor and comes back (ring.h). So waits
 * are known to the nanosecond, whatever the program waited for and however it asked, and no
 * function of libc has to be intercepted.
 *
 * A zone that waits often and calls no hook fills the ring, and then notes are missing. But their
 * time is not lost: the kernel also counts a thread's waits and its CPU time (getrusage(2),
 * clock_gettime(2)), and between the last hook event and this one there was only one node. So what
 * the counts contain and the notes do not belongs to that node:
 *
 *     elapsed time - CPU time - time away that notes told = time away that no note told
 *
 * A timer (timer.h) notes none of that. But the kernel also counts how long a thread has been ready
 * to run while others had the processor (run_delay, in /proc/PID/schedstat; the kernel's
 * Documentation/scheduler/sched-stats). It passes while CPU time does, and so samples of CPU time
 * are samples of it, too: its increase since the look before belongs to the current node.
 */
#ifndef ZPROF_AWAY_H
#define ZPROF_AWAY_H

#include "preload/format.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

/* What the kernel counts of the calling thread. */
struct away_account {
	uint64_t elapsed_ns, cpu_ns, waits, preemptions;
};

struct away {
	uint64_t since_ns;        /* CLOCK_MONOTONIC; 0: on a processor */
	bool preempted;           /* away because another thread had the processor */
	bool missing;             /* the next look makes up for notes that could not be written */
	struct away_account now;  /* as the look at hand began; elapsed_ns is 0: unknown */
	struct away_account from; /* since the ring was opened, or lost notes were made up for */
	uint64_t told_ns;         /* what notes have told since then */
	uint64_t told_waits, told_preemptions;
	uint64_t queued_ns; /* the kernel's count of time that others had the processor */
	bool ended;         /* the thread has ended: its counts can no longer be read */
	bool at_rest;       /* ... outside all zones, so no zone lacks a wait */
};

/* The calling thread has its first ring. */
void away_begin(struct away *a);

/* A look begins. NEEDED: whether away_make_up() may follow in it. */
void away_look(struct away *a, bool needed);

/* Whether the account could be asked for as the look began. */
static inline bool away_is_known(const struct away *a)
{
	return a->now.elapsed_ns;
}

/* For some time, until the next look at the latest, nothing can be noted. */
void away_interrupted(struct away *a);

void away_left(struct away *a, uint64_t time_ns, bool preempted);

/* RECORD: of the node to charge; NULL: none. */
void away_back(struct away *a, struct zprof_samples *record, uint64_t time_ns);

/* Notes are missing: the thread may have come back unnoticed. */
void away_unknown(struct away *a);

/* All notes have been read, up to this time, and none is missing. */
void away_settle(struct away *a, uint64_t time_ns);

/*
 * All notes of the time before the look have been read, and some may be missing: charges to RECORD
 * what they would have told. Returns what of that was waited.
 */
uint64_t away_make_up(struct away *a, struct process *p, struct zprof_samples *record);

/*
 * Where notes do not tell it: charges to RECORD how long others have had the processor since the
 * last such call; NULL: charges no node. If the kernel does not say, charges nothing.
 */
void away_ask(struct away *a, struct zprof_samples *record);

#endif
