/* SPDX-License-Identifier: MIT */
/*
 * Names the stubs of a module's procedure linkage tables, which have no symbols. A stub jumps
 * through a slot of the global offset table, and the relocation of that slot names the function:
 *
 *	.plt.sec:  endbr64; jmp *slot(%rip)     ->  .rela.plt: slot, R_X86_64_JUMP_SLOT, puts
 *	.plt:      push $n; jmp .plt            ->  the n-th relocation of .rela.plt
 *
 * Decoding the stub rather than counting stubs serves .plt, .plt.sec, .plt.got and .iplt of every
 * linker alike. For x86-64 only.
 */
#ifndef SYMBOLIZE_ELFPLT_H
#define SYMBOLIZE_ELFPLT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbolize/image.h"

struct elfplt_stub {
	/* The function it leads to, without `@plt`; NULL for the stub that calls the linker. */
	const char *target;
	uint64_t resolver; /* where TARGET is NULL: the resolver of the indirect function, or 0 */
	uint64_t start;
	uint64_t size; /* bytes */
};

/* The slot of the global offset table that the linker fills with the address of NAME, for code that
 * calls through it without a stub (-fno-plt); 0: there is none. */
uint64_t elfplt_slot(const struct image *image, const char *name);

/* Whether ADDRESS is in a procedure linkage table; STUB says what is there. */
bool elfplt_find(const struct image *image, uint64_t address, struct elfplt_stub *stub);

#endif
