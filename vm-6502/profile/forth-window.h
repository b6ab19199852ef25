/* SPDX-License-Identifier: MIT */
/*
 * forth-window: serves the guest's own profiler words by the host's counts (forth-profiler.h). The
 * guest's active metric has a *window* between profiler-start and profiler-end. Counts of classes
 * in this time are the metric's. When the guest takes a stamp, they are stored in the guest's
 * tables, so that profiler-report prints the host's counts. Or the guest counts for itself, and its
 * tables are left alone.
 *
 * Of another Forth's profiler the host knows only when it runs. In that time all metrics have a
 * window.
 */
#ifndef VM_6502_FORTH_WINDOW_H
#define VM_6502_FORTH_WINDOW_H

#include "vm-6502/profile/forth-buckets.h"

struct forth_window {
	struct forth_buckets *buckets;
	bool as_next;    /* the guest's tables get ticks as a guest measures them */
	bool guest;      /* the guest counts for itself: its tables are not touched */
	bool open;       /* the window has begun and not ended */
	bool all;        /* the window is of all metrics */
	bool first;      /* there was no NEXT since the window began */
	uint16_t tables; /* address of the guest's tables */
	uint32_t metric; /* number of the active metric */
};

/*
 * Does an operation of forth-profiler.h, and returns the ior. nexts and cycles: of the whole run.
 */
int forth_window_operate(struct forth_window *w, int operation, uint16_t address, uint64_t nexts,
			 uint64_t cycles);

/*
 * Another Forth's profiler has begun to run, or has ended. Another Forth's profiler takes a stamp.
 */
void forth_window_patched(struct forth_window *w, bool running, uint64_t nexts, uint64_t cycles);
void forth_window_stamp(struct forth_window *w, uint64_t nexts, uint64_t cycles);

#endif
