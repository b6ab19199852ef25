/* SPDX-License-Identifier: MIT */
/*
 * disassemble: turns instructions into text that ca65 (--cpu 6502X, --cpu 65C02) assembles to the
 * same bytes. Instructions that ca65 cannot assemble are written as .byte.
 */
#ifndef VM_6502_DISASSEMBLE_H
#define VM_6502_DISASSEMBLE_H

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/guest/symbols.h"

enum { DISASSEMBLE_MOST = 160 };

/* Writes the instruction at an address into `text`; returns its length in bytes. symbols may be
 * NULL. */
int disassemble(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		char text[DISASSEMBLE_MOST]);

/* Writes a whole line for people: address, bytes, instruction. Returns the instruction's length. */
int disassemble_line(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		     char text[DISASSEMBLE_MOST]);

#endif
