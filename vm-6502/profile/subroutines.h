/* SPDX-License-Identifier: MIT */
/*
 * subroutines: the profile of any 6502 program: its subroutines as zones, with the lines they are
 * called from; or counts of each instruction, for which the exact core has to run.
 *
 * A subroutine is entered by JSR or BRK, and left when S has risen past what it was on entry,
 * however that came about: RTS, a return address pulled, TXS. An interrupt is a root, called by
 * nothing. RTS used as a jump (to an address that was pushed for it) to where a subroutine begins
 * replaces the subroutine that jumps. JSR is charged to the caller, RTS to the callee, an
 * interrupt's entry to its handler.
 */
#ifndef VM_6502_SUBROUTINES_H
#define VM_6502_SUBROUTINES_H

#include "vm-6502/profile/counts.h"
#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/sources.h"
#include "vm-6502/guest/symbols.h"

struct subroutines;

/* For banked memory: what is at an address now, or NULL if that never changes. The same address
 * with another text is another subroutine, and its name begins with the text. */
struct subroutines_banks {
	const char *(*bank)(void *context, uint16_t at);
	void *context;
};

/*
 * Becomes m's observer. symbols may be NULL; a function of C in them that is jumped to takes the
 * place of the one that does so. sources may be NULL. banks may be
 * NULL, and is copied. fold: helpers, which functions of C call and which are not functions of C,
 * count for the call and the function that made it. counting: instructions are counted, and
 * subroutines are no zones. NULL: out of memory.
 */
struct subroutines *subroutines_new(struct m6502 *m, const struct symbols *symbols,
				    const struct sources *sources,
				    const struct subroutines_banks *banks, bool fold,
				    bool counting);
void subroutines_free(struct subroutines *s);

/* The run is over. */
void subroutines_finish(struct subroutines *s);

/* Writes what each instruction took, if that was counted, into a listing for zprof (places.h). False,
 * with a message in err. */
bool subroutines_list(struct subroutines *s, const char *path, char *err, size_t size);

#endif
