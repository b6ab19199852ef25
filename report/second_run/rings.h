/* SPDX-License-Identifier: MIT */
/*
 * rings.h - samples of a process and all its threads, taken from outside at equal steps of
 * processor time, with the user's registers and the top of the stack. The kernel writes them into a
 * ring for each processor.
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
	/* where abi is not 0: the registers; then the stack's size, the stack, and how much of it
	   is filled, if the size is not 0 */
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
 * Samples begin when the process PID calls exec. Where the kernel may not be sampled, *KERNEL
 * becomes false, and they are of the program alone. NULL with a message where the system refuses.
 */
struct rings *rings_open(pid_t pid, uint64_t period_ns, bool *kernel, struct str *err);

/* The same of the calling thread alone, from now on. */
struct rings *rings_open_here(uint64_t period_ns, bool *kernel, struct str *err);

void rings_close(struct rings *r);

/* Waits until there is much to read, or so many milliseconds. */
void rings_wait(const struct rings *r, int ms);

/* Hands out what has come: to MAP all records, and to OTHER those that came before any of them. */
void rings_drain(struct rings *r, rings_take_fn *map, rings_take_fn *other, void *context);

#endif
