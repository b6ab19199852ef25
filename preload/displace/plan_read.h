/* SPDX-License-Identifier: MIT */
/*
 * plan_read.h - reads the plan of a module (plan.h) that is mapped in this process.
 *
 * A wrong plan makes the program crash. So a plan that does not agree with itself in all points, or is
 * of another file, is not used at all; and a function is left alone whose bytes in memory are not those
 * that the plan was made for (a text relocation, a breakpoint).
 */
#ifndef ZPROF_PLAN_READ_H
#define ZPROF_PLAN_READ_H

#include "preload/displace/plan.h"
#include "preload/displace/trampoline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module;

struct plan_read {
	const struct plan_header *header;
	const struct plan_code *codes;
	const struct plan_window *windows;
	const struct plan_instruction *instructions;
	uintptr_t base; /* the address of offset 0 */
	char *memory;
	size_t mapped;
};

/* Whether the `bytes` bytes at `header` are a plan, each field of which is as plan.h says. */
bool plan_check(const struct plan_header *header, size_t bytes);

/* Whether a folder has a file FOLDER/BUILD-ID.plan. */
bool plan_is_there(const char *folder, const unsigned char *build_id, uint32_t bytes);

/* Opens the plan of a module in a folder. False: there is none. */
bool plan_open(struct plan_read *plan, const char *folder, const struct module *module);
void plan_close(struct plan_read *plan);

/* The function of a window. False: other bytes are in memory. */
bool plan_function(const struct plan_read *plan, uint32_t window, struct displaced *d);

#endif
