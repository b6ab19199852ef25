/* SPDX-License-Identifier: MIT */
/*
 * forth-cells: how often each cell of the Forth's threads was run, and the cycles from there to the
 * next NEXT, and the decompiled listing that shows it.
 */
#ifndef VM_6502_FORTH_CELLS_H
#define VM_6502_FORTH_CELLS_H

#include "vm-6502/guest/forth-names.h"
#include "vm-6502/native/forth-sums.h"
#include "vm-6502/profile/contexts.h"

struct forth_cells {
	struct forth_cell_count at[0x10000];
	long last;      /* the cell that is running; -1: none yet */
	uint64_t since; /* cycles are charged up to here */
};

/* The cell at ip is next; at: the cycle. */
static inline M6502_HOT void forth_cells_run(struct forth_cells *c, uint16_t ip, uint64_t cycle)
{
	if (c->last >= 0)
		c->at[c->last].cycles += cycle - c->since;
	c->at[ip].runs++;
	c->last = ip;
	c->since = cycle;
}

/* What was counted elsewhere. */
static inline void forth_cells_add(struct forth_cells *c, size_t at,
				   const struct forth_cell_count *more)
{
	c->at[at].runs += more->runs;
	c->at[at].cycles += more->cycles;
}

/*
 * All words that ran, in the order of their addresses, with those of their cells that did not, as
 * places (places.h). What no cell took is the thread's own. False, with a message in err.
 */
bool forth_cells_list(const struct forth_cells *c, const struct m6502 *m,
		      const struct forth_image *image, const struct forth_names *names,
		      struct contexts *zones, const char *path, char *err, size_t size);

#endif
