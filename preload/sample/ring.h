/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the memory in which notes of a thread stand, from the moment that the kernel, or a
 * timer's handler, writes them until a hook of the thread reads them.
 *
 * The kernel can note where a thread is, each time it has used so many nanoseconds of CPU time, and
 * when it leaves the processor and comes back (perf_event_open(2)). Its notes go into memory that
 * it shares with us, and one number tells how far they go:
 *
 *     head ------------------------------.      the kernel's: advanced after each note
 *     [ sample | sample | left | back | sample |        ]      and from the start again
 *     tail ----^                                ours: read up to here
 *
 * No signal is sent and nothing is interrupted: the thread looks at `head` when it passes by. The
 * notes go on after the descriptor is closed, as long as the memory is mapped, so no descriptor is
 * held. A forked child does not have the mapping: code that looks at `head` must be sure to run in
 * the process that made the ring.
 *
 * A ring has room for some 80 notes, or for as many more as is asked. When it is full, the kernel
 * counts the notes that find no room, and says how many with the next one that does (RING_LOST).
 *
 * Where the kernel may not be asked for notes, a timer of ours writes samples, and nothing else
 * (timer.h).
 */
#ifndef ZPROF_RING_H
#define ZPROF_RING_H

#include "preload/sample/notes.h"

#include <errno.h>

#define RING_ROOM 4096u

/*
 * A ring for the calling thread, with a sample at every `period_ns` of its CPU time. After `most`
 * samples (0: without end) the kernel writes nothing more into it; a timer goes on. Returns 0, or
 * -errno: of event_map() or timer_create(2), or -ENOMEM.
 */
long ring_open(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by);

/* Whether RESULT, of ring_open(), says that this thread may not be looked at in this way. */
static inline bool ring_is_refused(long result)
{
	return result == -EACCES || result == -EPERM;
}

/*
 * The kernel's ring of the calling thread begins anew, with another period, at the same address: at
 * no moment does `head` point nowhere. Where the kernel refuses, -errno: the ring stays silent
 * then.
 */
long ring_reopen(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by);

/* By any thread of the process. */
void ring_close(struct ring *ring);

/* In a child that does not have the ring. */
void ring_forget(struct ring *ring);

/* Reads the next note, and leaves it in the ring. */
void ring_read(struct ring *ring, struct ring_note *note);

/* Takes that note out of the ring: its room may be written again. */
void ring_done(struct ring *ring, const struct ring_note *note);

/* Whether there may have been no room for a note. */
bool ring_is_full(const struct ring *ring);

/* Whether a timer writes the notes: samples, and no absences. */
static inline bool ring_is_timers(const struct ring *ring)
{
	return ring->by == ZPROF_SAMPLER_TIMER;
}

/* So many samples, but no more than the ring still has to bring. */
static inline uint32_t ring_at_most(const struct ring *ring, uint64_t samples)
{
	uint32_t left = ring->most - ring->taken;

	return (uint32_t)(ring->most && samples > left ? left : samples);
}

/* Whether all samples have been taken that the ring is for: since then the kernel notes nothing. */
static inline bool ring_is_over(const struct ring *ring)
{
	return ring->most && ring->taken == ring->most;
}

/* Whether the ring may be over once the notes that stand in it have been read. */
bool ring_may_be_over(const struct ring *ring);

/* A head that never moves, for threads without a ring. */
extern const volatile uint64_t ring_silence __attribute__((visibility("hidden")));

#endif
