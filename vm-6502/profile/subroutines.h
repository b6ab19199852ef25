/* SPDX-License-Identifier: MIT */
/*
 * subroutines: profiles any 6502 program. Subroutines are zones, with the lines that they are
 * called from; or each instruction is counted, for which the exact core has to run.
 *
 * A subroutine is entered by JSR or BRK. It is left when S is above its value on entry, whether by
 * RTS, by pulling the return address, or by TXS. An interrupt is a root, called by nothing. If RTS
 * is used as a jump (to an address that was pushed for it) and leads to the beginning of a
 * subroutine, that subroutine replaces the one that jumps. JSR is charged to the caller, RTS to the
 * callee, an interrupt's entry to its handler.
 */
#ifndef VM_6502_SUBROUTINES_H
#define VM_6502_SUBROUTINES_H

#include "vm-6502/profile/counts.h"
#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/sources.h"
#include "vm-6502/guest/symbols.h"

struct subroutines;

/* For banked memory: `bank` returns a text for the bank at an address now, or NULL if memory is not
 * banked there. An address with another text is another subroutine, whose name begins with the
 * text. */
struct subroutines_banks {
	const char *(*bank)(void *context, uint16_t at);
	void *context;
};

/*
 * Becomes m's observer. symbols may be NULL; a jump to a function of C in them replaces the
 * function that jumps. sources may be NULL. banks may be NULL, and is copied. fold: a helper, which
 * is called by a function of C but is none itself, has no zone, and its cycles count for the
 * function and the call there. counting: instructions are counted, and subroutines are no zones.
 * NULL: out of memory.
 */
struct subroutines *subroutines_new(struct m6502 *m, const struct symbols *symbols,
				    const struct sources *sources,
				    const struct subroutines_banks *banks, bool fold,
				    bool counting);
void subroutines_free(struct subroutines *s);

/* To be called at the end of the run. */
void subroutines_finish(struct subroutines *s);

/* Writes the counts of instructions, if they were counted, into a listing for zprof (places.h).
 * False, with a message in err. */
bool subroutines_list(struct subroutines *s, const char *path, char *err, size_t size);

#endif
