/* SPDX-License-Identifier: MIT */
/*
 * Names the stubs of a module's procedure linkage tables, which have no symbols. A stub jumps
 * through a slot of the global offset table, and the relocation of that slot names the function:
 *
 *	.plt.sec:  endbr64; jmp *slot(%rip)     ->  .rela.plt: slot, R_X86_64_JUMP_SLOT, puts
 *	.plt:      push $n; jmp .plt            ->  the n-th relocation of .rela.plt
 *	.plt:      adrp x16, page of the slot   ->  .rela.plt: slot, R_AARCH64_JUMP_SLOT, puts
 *	           ldr  x17, [x16, #slot]
 *
 * The stub's code is decoded. This works for .plt, .plt.sec, .plt.got and .iplt of every linker;
 * counting stubs would not. Code of x86-64 and arm64 is understood.
 */
#ifndef SYMBOLIZE_ELFPLT_H
#define SYMBOLIZE_ELFPLT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbolize/image.h"

struct elfplt_stub {
	/* The function that the stub leads to, without `@plt`; NULL if no name is known. */
	const char *target;
	uint64_t resolver; /* if `target` is NULL: the resolver of an indirect function, or 0 */
	uint64_t start;
	uint64_t size; /* bytes */
};

/*
 * The slot of the global offset table that the linker fills with the address of NAME. Code compiled
 * with -fno-plt calls through the slot, without a stub. 0: there is none.
 */
uint64_t elfplt_slot(const struct image *image, const char *name);

/* Whether ADDRESS is in a procedure linkage table. Fills *STUB with the stub there. */
bool elfplt_find(const struct image *image, uint64_t address, struct elfplt_stub *stub);

#endif
