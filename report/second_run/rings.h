/* SPDX-License-Identifier: MIT */
/*
 * rings.h - takes samples of a process and all its threads from outside, at equal steps of
 * processor time, with the user's registers and the top of the stack. The kernel writes the samples
 * into one ring per processor.
 */
#ifndef REPORT_SAMPLER_RINGS_H
#define REPORT_SAMPLER_RINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/core/base/str.h"

/* PERF_RECORD_SAMPLE */
struct rings_sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time; /* all records have it: see rings_time() */
	uint64_t abi;
	/* If abi is not 0, the registers of registers.h. Then the stack's size; if that is not 0, the stack, and
	 * how many of its bytes are filled. */
	uint64_t rest[];
};

/* PERF_RECORD_MMAP, of what can be executed */
struct rings_map {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, bytes, offset;
	char path[];
};

/* PERF_RECORD_LOST */
struct rings_lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT, of a process or a thread */
struct rings_task {
	struct perf_event_header header;
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t time;
};

/* PERF_RECORD_COMM, of a thread that got a name; with PERF_RECORD_MISC_COMM_EXEC, by exec */
struct rings_name {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

struct rings;

typedef void rings_take_fn(void *context, const struct perf_event_header *record);

/*
 * Prepares sampling, which begins when the process PID calls exec. If the kernel may not be
 * sampled, *KERNEL becomes false, and samples are taken only in the program. NULL with a message if
 * the system refuses.
 */
struct rings *rings_open(pid_t pid, uint64_t period_ns, bool *kernel, struct str *err);

/* Begins at once to sample the calling thread alone. */
struct rings *rings_open_here(uint64_t period_ns, bool *kernel, struct str *err);

/*
 * Samples the thread TID from now on, and the threads and processes that the thread starts from now
 * on, into the rings R, which the first such call makes: *R is NULL then. With ON_EXEC, sampling
 * begins when the thread calls exec. STACK_BYTES: how much of the stack a sample has. Records of
 * tasks and names come, too. False with a message, and with errno as the system gave it.
 */
bool rings_add(struct rings **r, pid_t tid, bool on_exec, uint64_t period_ns, uint32_t stack_bytes,
	       bool *kernel, struct str *err);

/* When a record was made, by CLOCK_MONOTONIC. Records of rings_add() alone have it. */
uint64_t rings_time(const struct perf_event_header *record);

/*
 * Adds why the system refused samples of process PID with ERROR, and what to do about that: `process
 * 12 is another user's: ...`. PID 0: a process of one's own.
 */
void rings_why(pid_t pid, int error, struct str *to);

void rings_close(struct rings *r);

/* Waits until there is much to read, or MS milliseconds have passed. */
void rings_wait(const struct rings *r, int ms);

/* Hands out new records: mappings to MAP first, in the order of their times, and then, to OTHER, all
 * records that had come before this call. */
void rings_drain(struct rings *r, rings_take_fn *map, rings_take_fn *other, void *context);

/*
 * Hands out new records of all rings in the order of their times. Records that have just come are
 * kept until the next call, because an earlier one may still be missing. LAST: none is kept.
 */
void rings_drain_ordered(struct rings *r, bool last, rings_take_fn *take, void *context);

#endif
