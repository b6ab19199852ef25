/* SPDX-License-Identifier: MIT */
/*
 * plan_read.h - reads a plan (plan.h) that may be damaged, or made by somebody else. The library
 * and the command use it, so nothing here depends on either, or on libc.
 *
 * plan_check() comes first. After it, every number in the plan that is used as an index, a length or
 * an offset is within its bounds, each moved instruction agrees with the original bytes of its
 * window, and no two windows overlap. What cannot be checked here is whether these original bytes
 * are those in memory, and whether no branch leads into a window: the first has to be compared
 * before anything is written, the second is the planner's word.
 */
#ifndef ZPROF_PLAN_READ_H
#define ZPROF_PLAN_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/displace/plan.h"

/* A plan in memory: pointers into one block, which must be aligned to 8 bytes. */
struct plan {
	const struct plan_header *header;
	const struct plan_code *codes;
	const struct plan_window *windows;
	const struct plan_instruction *instructions;
};

/* Checks the SIZE bytes at BYTES, and stores where the tables are. False: no field may be used. */
bool plan_check(const void *bytes, size_t size, struct plan *plan);

/*
 * A sum over all bytes of a plan, in which the header's `sum` counts as 0. It tells a file that was
 * damaged on disk, and no more: who means to deceive can compute it, too.
 */
uint32_t plan_sum(const void *bytes, size_t size);

/* Whether a checked plan is that of the module with this build-id, which has at least one byte. */
bool plan_is_of(const struct plan *plan, const void *build_id, size_t build_id_bytes);

/* The number of the code that contains OFFSET; PLAN_NOBODY: none does. */
uint32_t plan_find(const struct plan *plan, uint32_t offset);

/* The number of the function that OFFSET belongs to, by way of its parts, too; or PLAN_NOBODY. */
uint32_t plan_function_at(const struct plan *plan, uint32_t offset);

#endif
