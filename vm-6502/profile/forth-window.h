/* SPDX-License-Identifier: MIT */
/*
 * forth-window: the guest's own profiler words, served by the host (forth-profiler.h). Between
 * profiler-start and profiler-end the guest's active metric has a window: what is charged to
 * classes meanwhile belongs to it, and is brought into the guest's tables when the guest takes a
 * stamp, so that profiler-report prints what the host counted. Or the guest counts for itself, and
 * the host beside it.
 *
 * Of another Forth's profiler only its running times are known: in them the windows of all metrics
 * are open at once.
 */
#ifndef VM_6502_FORTH_WINDOW_H
#define VM_6502_FORTH_WINDOW_H

#include "vm-6502/profile/forth-buckets.h"

struct forth_window {
	struct forth_buckets *buckets;
	bool as_next;    /* the guest's tables get ticks as a guest measures them */
	bool guest;      /* the guest counts for itself: its tables are not touched */
	bool open;       /* it has started and not ended */
	bool all;        /* it is a window of all metrics */
	bool first;      /* no NEXT has been seen since the start */
	uint16_t tables; /* address of the guest's tables */
	uint32_t metric; /* number of the active one */
};

/* An operation of forth-profiler.h. nexts and cycles: of the whole run, up to here. The ior. */
int forth_window_operate(struct forth_window *w, int operation, uint16_t address, uint64_t nexts,
			 uint64_t cycles);

/* Another Forth's profiler has begun to run, or has ended; and it takes a stamp. */
void forth_window_patched(struct forth_window *w, bool running, uint64_t nexts, uint64_t cycles);
void forth_window_stamp(struct forth_window *w, uint64_t nexts, uint64_t cycles);

#endif
