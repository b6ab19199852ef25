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

/* AX BX CX DX SI DI BP SP IP, R8 to R15, as the kernel numbers them and in that order. */
#define RINGS_REGISTERS 0xff01ffu

/* PERF_RECORD_SAMPLE */
struct rings_sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t abi;
	/* If abi is not 0, the registers. Then the stack's size; if that is not 0, the stack, and
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

void rings_close(struct rings *r);

/* Waits until there is much to read, or MS milliseconds have passed. */
void rings_wait(const struct rings *r, int ms);

/* Hands out new records: all to MAP first, and then, to OTHER, those that had come before this
 * call. */
void rings_drain(struct rings *r, rings_take_fn *map, rings_take_fn *other, void *context);

#endif
