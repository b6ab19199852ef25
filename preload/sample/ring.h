/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the memory in which notes of a thread stand, from the moment that the kernel, or a
 * timer's handler, writes them until a hook of the thread reads them.
 *
 * The kernel can note where a thread is, each time that the thread has used so many nanoseconds of
 * CPU time, and when the thread leaves the processor and comes back (perf_event_open(2)). The
 * kernel writes these notes into memory that it shares with the library. One number, the head,
 * tells how far the notes go:
 *
 *     head ------------------------------.      the kernel's: advanced after each note
 *     [ sample | sample | left | back | sample |        ]      and from the start again
 *     tail ----^                                ours: read up to here
 *
 * No signal is sent and no thread is interrupted: a hook looks at `head` when it is called. The
 * notes go on after the descriptor is closed, as long as the memory is mapped, so no descriptor is
 * held. A forked child does not have the mapping, so code that looks at `head` must run in the
 * process that made the ring.
 *
 * A ring has room for some 80 notes, or for as many more as is asked. When the ring is full, the
 * kernel counts the notes that find no room, and writes their number before the next note that
 * finds room (RING_LOST).
 *
 * Where the kernel may not be asked for notes, a timer's handler of this library writes samples,
 * but no absences (timer.h).
 */
#ifndef ZPROF_RING_H
#define ZPROF_RING_H

#include "preload/sample/notes.h"

#include <errno.h>

#define RING_ROOM 4096u

/* Bytes of the stack that a sample carries at most, where samples carry stacks (series.h). */
#define RING_STACK_MOST 4096u

/*
 * Opens a ring for the calling thread, with a sample at every `period_ns` of its CPU time. After
 * `most` samples (0: without end) the kernel writes no more notes into the ring; a timer goes on.
 * Returns 0, or -errno: of event_map() or timer_create(2), or -ENOMEM.
 */
long ring_open(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by);

/* Whether a result of ring_open() says that the kernel does not allow such notes of this thread. */
static inline bool ring_is_refused(long result)
{
	return result == -EACCES || result == -EPERM;
}

/*
 * Replaces the kernel's ring of the calling thread by a new one with another period, at the same
 * address, so that `head` always points to mapped memory. Returns 0, or -errno if the kernel
 * refuses: the ring then stays empty.
 */
long ring_reopen(struct ring *ring, uint64_t period_ns, uint32_t most, enum zprof_sampler by);

/* May be called by any thread of the process. */
void ring_close(struct ring *ring);

/* Closes nothing, but forgets the ring: for a forked child, which does not have its memory. */
void ring_forget(struct ring *ring);

/* Reads the next note, and leaves it in the ring. */
void ring_read(struct ring *ring, struct ring_note *note);

/*
 * Takes this note, which ring_read() has read, out of the ring, so that its room can be written
 * again.
 */
void ring_done(struct ring *ring, const struct ring_note *note);

/* Whether there may have been no room for a note. */
bool ring_is_full(const struct ring *ring);

/* Whether a timer writes the notes: samples, and no absences. */
static inline bool ring_is_timers(const struct ring *ring)
{
	return ring->by == ZPROF_SAMPLER_TIMER;
}

/* The smaller of `samples` and the number of samples that the ring has still to bring. */
static inline uint32_t ring_at_most(const struct ring *ring, uint64_t samples)
{
	uint32_t left = ring->most - ring->taken;

	return (uint32_t)(ring->most && samples > left ? left : samples);
}

/*
 * Whether all samples for which the ring was opened have been taken, so that the kernel writes no
 * more notes.
 */
static inline bool ring_is_over(const struct ring *ring)
{
	return ring->most && ring->taken == ring->most;
}

/* Whether the ring may be over once the notes that stand in it have been read. */
bool ring_may_be_over(const struct ring *ring);

/* A head that never moves, for threads without a ring. */
extern const volatile uint64_t ring_silence __attribute__((visibility("hidden")));

#endif
