/* SPDX-License-Identifier: MIT */
/*
 * disassemble: instructions as text that ca65 takes back (--cpu 6502X, --cpu 65C02) and assembles
 * to the same bytes. What ca65 cannot write comes as .byte.
 */
#ifndef VM_6502_DISASSEMBLE_H
#define VM_6502_DISASSEMBLE_H

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/symbols.h"

enum { DISASSEMBLE_MOST = 160 };

/* The instruction at an address; its length in bytes. symbols may be NULL. */
int disassemble(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		char text[DISASSEMBLE_MOST]);

/* A whole line for the eye: address, bytes, instruction. The instruction's length. */
int disassemble_line(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		     char text[DISASSEMBLE_MOST]);

#endif
