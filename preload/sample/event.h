/* SPDX-License-Identifier: MIT */
/*
 * event.h - memory that the kernel writes notes of the calling thread into (perf_event_open(2)).
 *
 *     memory --> [ page: how far the notes go ][ notes, and from the start again ]
 *                                                `room` bytes: a power of two of pages (event_room())
 *
 * The descriptor is closed at once: the mapping keeps the event alive. This file does not know what
 * the notes say; ring.h and blocked.h, which ask for notes, do.
 *
 * Further events may write into the memory of a first, so that one number tells of all
 * (PERF_EVENT_IOC_SET_OUTPUT). They have no memory of their own, so they are kept alive by another
 * means (kept.h), and write nothing once the memory is unmapped.
 */
#ifndef ZPROF_EVENT_H
#define ZPROF_EVENT_H

#include "preload/base/sys.h"

#include <linux/perf_event.h>
#include <stdint.h>

struct kept;

/* The room for notes that is as large as a page at least; `room` is a power of two. */
static inline uint32_t event_room(uint32_t room)
{
	uint32_t page = sys_page_bytes();

	return room < page ? page : room;
}

/*
 * Opens an event and maps its memory: over the mapping at *memory, or anywhere if *memory is NULL.
 * After `most` notes (0: without end) the event writes no more. Returns 0, or -errno; -ENOBUFS if
 * the user's memory for notes is used up (kernel.perf_event_mlock_kb). The caller must block
 * signals, because a handler that jumps out would leave a descriptor open.
 */
long event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory);

/* A further event: like the first, but for this. */
struct event_beside {
	uint32_t type;
	uint64_t config, period, read_format;
	uint64_t id; /* of its notes, if the events ask for PERF_SAMPLE_IDENTIFIER */
	long result; /* 0, or -errno: there is no such event, and `id` is 0 */
};

#define EVENT_BESIDES 4u

struct event_besides {
	struct event_beside *each;
	uint32_t count; /* at most EVENT_BESIDES */
	uint32_t stack_bytes;
	const struct kept *kept;
	char *page; /* what keeps them, to be released (kept.h) */
};

/*
 * As event_map(), with further events; those that cannot be had are left out. Changes *attr, and
 * needs two descriptors more than there are events, for a moment.
 */
long event_map_besides(struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory,
		       struct event_besides *besides);

void event_unmap(char *memory, uint32_t room);

/*
 * Maps empty memory over an event's: the kernel writes no more notes there, and the memory reads as
 * zeros.
 */
void event_silence(char *memory, uint32_t room);

static inline struct perf_event_mmap_page *event_page(const char *memory)
{
	return (struct perf_event_mmap_page *)memory;
}

static inline char *event_notes(const char *memory)
{
	return (char *)memory + sys_page_bytes();
}

/*
 * A note has the registers of a mask in the order of the kernel's numbers (sample_regs_user): the mask of
 * one, how many a mask has, and one of those that a note has.
 */
#define EVENT_REGISTER(number) ((uint64_t)1 << (number))
#define EVENT_REGISTERS(mask)  ((unsigned)__builtin_popcountll(mask))

static inline uint64_t event_register(const uint64_t *registers, uint64_t mask, int number)
{
	return registers[EVENT_REGISTERS(mask & (EVENT_REGISTER(number) - 1))];
}

/* Copies the first `bytes` of the note at `at`; `bytes` is a multiple of 8. */
void event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes);

#endif
