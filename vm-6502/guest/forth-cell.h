/* SPDX-License-Identifier: MIT */
/*
 * forth-cell: watches a variable of the guest, and calls the host when the variable changes. The
 * guest pays nothing, since stores look for a hook anyway (m6502.h). The host must not watch a cell
 * in the page of devices, nor change the cell.
 */
#ifndef VM_6502_FORTH_CELL_H
#define VM_6502_FORTH_CELL_H

#include "vm-6502/cpu/m6502.h"

struct forth_cell {
	struct m6502_hook hook;
	struct m6502_hook *former; /* the hook that was at the address; it is called too */
	struct m6502 *m;
	uint16_t at;
	void (*changed)(void *context);
	void *context;
};

/* `changed` is called after each store of the cell's upper byte, which the Forth stores last. `c`
 * is the caller's memory, and must not move until forth_cell_leave. */
void forth_cell_watch(struct forth_cell *c, struct m6502 *m, uint16_t at, void (*changed)(void *),
		      void *context);
void forth_cell_leave(struct forth_cell *c);

#endif
