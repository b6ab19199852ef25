/* SPDX-License-Identifier: MIT */
/*
 * arm64.h - decodes one instruction of arm64 as far as code has to be compared (codeprint.h) or split
 * into blocks (blocks.h): what it does to the flow of control, and which of its bits are a part of an
 * address. (Arm Architecture Reference Manual, "A64 instruction set encoding".)
 *
 * Each instruction is a word of 32 bits, too short for an address. So an address takes two of them: the
 * first has the page, counted from here, and the second, which may come much later, where in the page.
 *
 *     adrp  x0, 411000             ARM64_PAGE, to x0
 *     mov   w1, #3
 *     add   x0, x0, #0x28          ARM64_IN_PAGE of x0: a part of an address
 *     ldr   w2, [x0, #8]           the same by its look, but x0 is no page any more
 *
 * So a reader of code needs to know which registers an instruction changes.
 */
#ifndef SYMBOLIZE_ARM64_H
#define SYMBOLIZE_ARM64_H

#include <stdint.h>

#define ARM64_BYTES      4u    /* of an instruction */
#define ARM64_PAGE_BYTES 4096u /* that adrp counts */

enum arm64_kind {
	ARM64_OTHER,   /* goes on with the next instruction */
	ARM64_JUMP,    /* b, b.cond, cbz, cbnz, tbz, tbnz */
	ARM64_CALL,    /* bl */
	ARM64_CALL_BY, /* blr: to where a register says */
	ARM64_LEAVE,   /* br, ret, and traps: goes on nowhere that the code tells */
	ARM64_NEAR,    /* adr, and loads of a constant beside the code */
	ARM64_PAGE,    /* adrp */
	ARM64_IN_PAGE, /* adds a constant to the register `base`, or accesses memory there */
};

struct arm64_instruction {
	enum arm64_kind kind;
	uint32_t number; /* the bits that have the distance, or the constant; 0: none */
	int64_t
	    distance; /* in bytes, from the instruction; of a page, from the instruction's page */
	uint32_t constant; /* ARM64_IN_PAGE, in bytes */
	unsigned base;     /* ARM64_IN_PAGE */
	uint32_t written;  /* which of x0 to x30 get another value, by bits */
};

struct arm64_instruction arm64_decode(uint32_t code);

/* The instruction at `code`, which need not be aligned. */
uint32_t arm64_word(const uint8_t *code);

#endif
