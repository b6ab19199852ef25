/* SPDX-License-Identifier: MIT */
/*
 * event.h - memory that the kernel writes notes of the calling thread into (perf_event_open(2)).
 *
 *     memory --> [ page: how far it has come ][ notes, which go on at the beginning ]
 *                                               `room` bytes: a power of two of pages
 *
 * The descriptor is closed at once: the mapping keeps the event. Only the files that asked for the
 * notes know what they say (ring.h, blocked.h).
 */
#ifndef ZPROF_EVENT_H
#define ZPROF_EVENT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define EVENT_PAGE 4096u

/*
 * Maps what is asked for, at *memory in the place of what is there, or anywhere if that is NULL.
 * After `most` notes of it (0: without end) there are no more. Returns 0, or -errno; -ENOBUFS if
 * the user's memory for notes is used up (kernel.perf_event_mlock_kb). The caller blocks signals: a
 * handler that jumps out would leave a descriptor.
 */
long event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory);

void event_unmap(char *memory, uint32_t room);

/* Nothing is written at `memory` from here on, and it reads as zeros. */
void event_silence(char *memory, uint32_t room);

static inline struct perf_event_mmap_page *event_page(const char *memory)
{
	return (struct perf_event_mmap_page *)memory;
}

/* Copies `bytes` of a note, whose parts are words. */
void event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes);

#endif
