/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - from a frame of the real stack to the one that called it, by .eh_frame (cfi.h).
 *
 * A walk begins at the frame that an event comes from, and stays on the stack that the track knows.
 */
#ifndef ZPROF_UNWIND_H
#define ZPROF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct location;
struct track;

/* Where the caller of the current frame stands: it goes on at pc, with these registers. */
struct place {
	uintptr_t pc, sp, bp;
	bool interrupted; /* a signal came between here and where the walk began */
};

/* Whether there is a word of the stack at an address. */
bool unwind_on_stack(const struct track *k, uintptr_t address);

/*
 * The place that the frame `cfa`, which event `e` comes from, returns to. False: it is not known.
 */
bool unwind_first(const struct track *k, const struct event *e, uintptr_t cfa, struct place *at);

/*
 * From a place to the frame it stands in: false where unwinding ends. The CFA is the caller's stack
 * pointer, its rbp is restored.
 */
bool unwind_next(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost);

/*
 * Whether the frame `caller` made the call that the frame `cfa`, which event `e` comes from, is of;
 * *where says at which place. Quick: nothing is looked up that was looked up before.
 */
bool unwind_is_caller(const struct track *k, const struct event *e, uintptr_t cfa, uintptr_t caller,
		      struct location *where);

#endif
