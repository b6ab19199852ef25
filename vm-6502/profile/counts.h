/* SPDX-License-Identifier: MIT */
/*
 * counts: how often each instruction of a program ran, its cycles, and a listing that shows both.
 */
#ifndef VM_6502_COUNTS_H
#define VM_6502_COUNTS_H

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/symbols.h"
#include "vm-6502/profile/contexts.h"

/* The counts of the instruction at one address. */
struct count {
	uint64_t runs, cycles, taken; /* taken: how often a branch was taken */
};

struct counts {
	struct count at[0x10000];
	uint64_t interrupts; /* cycles of entering them */
};

/*
 * Writes a disassembly of all instructions that ran, with how often each branch was taken, as
 * places (places.h). symbols may be NULL. False, with a message in err.
 */
bool counts_list(const struct counts *c, const struct m6502 *m, const struct symbols *symbols,
		 struct contexts *zones, const char *path, char *err, size_t size);

#endif
