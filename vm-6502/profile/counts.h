/* SPDX-License-Identifier: MIT */
/* counts: how often each instruction of a program ran and what it took, and the listings that show
 * it. */
#ifndef VM_6502_COUNTS_H
#define VM_6502_COUNTS_H

#include <stdio.h>

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/sources.h"
#include "vm-6502/guest/symbols.h"

/* Of the instruction at one address. */
struct count {
	uint64_t runs, cycles, taken; /* taken: of a branch */
	/* Cycles of what it called; in recursion, of the outermost call of its line. */
	uint64_t called;
};

struct counts {
	struct count at[0x10000];
	uint64_t interrupts; /* cycles of entering them */
};

/* Each instruction that ran: how often, its cycles, a bar as long as its share, how often its
 * branch was taken. symbols may be NULL. */
void counts_annotate(const struct counts *c, const struct m6502 *m, const struct symbols *symbols,
		     FILE *to);

/*
 * The source files, each line with the runs of its first instruction, the cycles of all its
 * instructions, and those cycles with callees'. Of a file that can't be read only the name is
 * shown, unless a compiler made it and did not keep it.
 */
void counts_source(const struct counts *c, const struct sources *sources, FILE *to);

#endif
