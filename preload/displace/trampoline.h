/* SPDX-License-Identifier: MIT */
/*
 * trampoline.h - writes the trampoline of one function (code/areas.h draws its beginning): the hook,
 * then the instructions that the jump at the function's entry displaces, then a jump behind them.
 *
 *     instruction                         in the trampoline
 *     ----------------------------------  -------------------------------------------------------
 *     operand relative to rip             copied, with another distance
 *     jmp, jcc of either length           the same with 32 bits, to the old target
 *     call target                         push of the original return address; jmp target
 *     call *operand                       the same push; jmp *operand
 *     any other                           copied
 *
 * A displaced call pushes the address behind the original call, and jumps. A call out of the
 * trampoline would push an address of the trampoline, which stays on the stack for as long as the
 * callee runs: an exception that passes would find no handlers there, and backtraces, debuggers and
 * the rule for callers (entries/entries.h) would not know the place. The push has its address from a
 * slot near by, because no instruction pushes 64 bits.
 */
#ifndef ZPROF_TRAMPOLINE_H
#define ZPROF_TRAMPOLINE_H

#include "preload/displace/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* A function whose entry is displaced, as the plan has it, at its addresses in this process. */
struct displaced {
	uintptr_t base; /* what offsets in the plan are distances from */
	uintptr_t function, patch;
	const struct plan_window *window;
	const struct plan_instruction *moved; /* window->instructions of them */
};

/* Room for a trampoline is this at most. */
#define TRAMPOLINE_BYTES 128

/* Where a trampoline is written: to `at`, for the address `here`. */
struct code {
	unsigned char *at;
	uintptr_t here;
	bool too_far; /* a distance does not fit in 32 bits */
};

void code_bytes(struct code *c, const void *bytes, uint32_t count);

static inline void code_byte(struct code *c, unsigned char byte)
{
	*c->at++ = byte;
	c->here++;
}

/* Four bytes: the distance of `target` from the end of the instruction, `behind` bytes after them. */
void code_distance(struct code *c, uintptr_t target, int32_t behind);

struct trampoline {
	bool off;            /* the function begins switched off */
	uintptr_t hook;      /* what the trampoline calls */
	uintptr_t slot;      /* 8 bytes near by, for a return address */
	uintptr_t slot_word; /* what is to be in the slot; 0: the slot is not used */
	/* where in the trampoline each instruction has come, and the end */
	uint32_t moved_at[PLAN_INSTRUCTIONS + 1];
	uint32_t pushed_at; /* behind the push of a return address; 0: there is none */
	uint32_t bytes;
};

/* False: a distance is too great. */
bool trampoline_write(struct code *c, const struct displaced *d, struct trampoline *t);

#endif
