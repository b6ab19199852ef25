/* SPDX-License-Identifier: MIT */
/*
 * forth-sums: how often each cell of the Forth's threads ran, and its cycles, to the next NEXT,
 * counted within the loop of forth-next.h.
 *
 * Time is that of forth-words.h: cycles << 20, less NEXTs. When a cell begins, the time since the
 * cell before began is added to the sum of that earlier cell. So a sum holds both cycles and runs
 * (NEXTs). A sum is taken apart into the two before the runs overflow their 20 bits.
 */
#ifndef VM_6502_FORTH_SUMS_H
#define VM_6502_FORTH_SUMS_H

#include "vm-6502/cpu/m6502.h"

enum { FORTH_TIME_SHIFT = 20 };

struct forth_cell_count {
	uint64_t runs, cycles;
};

struct forth_sums {
	uint64_t *now;                          /* the sum of the cell that runs */
	uint64_t since;                         /* the cell is charged up to this time */
	uint64_t none;                          /* the sum before the first cell */
	struct forth_cell_count count[0x10000]; /* runs and cycles taken out of the sums so far */
	uint64_t sum[0x10000];
};

/* NULL: out of memory. To be freed with free(). */
struct forth_sums *forth_sums_new(void);

/* NEXT begins at ip. */
void forth_sums_next(struct forth_sums *s, uint64_t time, uint16_t ip);

/* Takes all sums apart. */
void forth_sums_finish(struct forth_sums *s, uint64_t time);

static inline M6502_HOT void forth_time_take_apart(uint64_t *sum, uint64_t *cycles, uint64_t *nexts)
{
	uint64_t whole = (*sum + (1 << FORTH_TIME_SHIFT) - 1) >> FORTH_TIME_SHIFT;

	*cycles += whole;
	*nexts += (whole << FORTH_TIME_SHIFT) - *sum;
	*sum = 0;
}

#endif
