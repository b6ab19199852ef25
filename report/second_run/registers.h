/* SPDX-License-Identifier: MIT */
/*
 * registers.h - the user's registers that a sample has for a walk of its stack, by two numberings: the
 * kernel's, by which it asks for them and in whose order it stores them (asm/perf_regs.h), and DWARF's, in
 * which the unwind tables speak of them.
 *
 * The build chooses the file of the processor that it builds for: registers_x86_64.c (x86-64 psABI, figure
 * 3.36), registers_aarch64.c (AADWARF64, table 4.1).
 */
#ifndef REPORT_SAMPLER_REGISTERS_H
#define REPORT_SAMPLER_REGISTERS_H

#include <stdint.h>

enum { REGISTERS_MOST = 33 };

extern const struct registers {
	uint64_t mask;    /* sample_regs_user */
	unsigned sampled; /* how many the mask has */
	unsigned tables;  /* how many the unwind tables have, from 0 on */
	unsigned sp, pc;  /* DWARF's numbers; pc may be no register of the tables */
	/* DWARF's number of each that is sampled, in the kernel's order. */
	unsigned char dwarf[REGISTERS_MOST];
} registers;

#endif
