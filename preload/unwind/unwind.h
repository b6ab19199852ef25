/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - walks the real stack, from a frame to the frame that called it, by .eh_frame (cfi.h).
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

/* Words of a stack as they were at another moment: of the addresses [low, low + bytes). */
struct stack_copy {
	uintptr_t low;
	uint32_t bytes;
	const uintptr_t *words;
};

/* Where the caller of the current frame will go on: at pc, with these registers. */
struct place {
	uintptr_t pc, sp, bp;
	bool interrupted; /* a signal handler's frame lies between the walk's beginning and here */
	bool resumed;     /* the code was interrupted at pc - 1, and calls nothing there */
	bool by_bp;       /* the latest step has found the frame by rbp */
	uintptr_t link;   /* if `resumed`: the register that may have the return address */
	bool crosses;     /* the walk may go on to a stack that a signal handler has interrupted */
	uintptr_t function; /* where the function begins whose frame the latest step has left */
	/* Where the latest step has read the CFA, and the caller's rbp; 0: it did not */
	uintptr_t cfa_at, bp_at;
	const struct stack_copy *copy; /* the stack that is walked; NULL: the stack as it is now */
};

/* Whether an address is that of a word of the track's stack. */
bool unwind_on_stack(const struct track *k, uintptr_t address);

/*
 * Which part of the zone stack is of the stack that holds an address: `track->barriers` for the part
 * above all barriers, which is of the stack that the track runs on; else the number of the barrier
 * (track.h) below which the part ends. -1: none.
 */
int unwind_part(const struct track *k, uintptr_t address);

/*
 * Stores the place that the frame `cfa`, which event `e` comes from, returns to. False: the place
 * is not known.
 */
bool unwind_first(const struct track *k, const struct event *e, uintptr_t cfa, struct place *at);

/*
 * One step of the walk: stores the CFA of the frame that *at lies in, and moves *at to the place
 * that this frame returns to, with that caller's sp and rbp. False: the walk ends; *outermost: at
 * the beginning of the stack. *cfa is then 0, unless the frame is known and only the place that it
 * returns to could not be read. The frame of a signal handler has no CFA: *cfa is then the stack
 * pointer that the signal has interrupted. (Each step leads upwards on the stack, or to another stack,
 * so a walk ends even if the call frame information is wrong.)
 */
bool unwind_next(const struct track *k, struct place *at, uintptr_t *cfa, bool *outermost);

/*
 * Whether the frame `caller` called the frame `cfa`, which event `e` comes from. *where: the place
 * of the call. This is quick, because the rules of known locations are not looked up again.
 */
bool unwind_is_caller(const struct track *k, const struct event *e, uintptr_t cfa, uintptr_t caller,
		      struct location *where);

#endif
