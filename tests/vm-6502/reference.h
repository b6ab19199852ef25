/* SPDX-License-Identifier: MIT */
/*
 * reference: a slow, obvious 6502 and 65C02, to compare the fast one with. It shares no line and no
 * table with it: instructions are decoded from the bits of the opcode, memory is an array, flags
 * are kept in P, cycles come from a table typed off a datasheet. No devices, no interrupts but BRK.
 */
#ifndef TESTS_VM6502_REFERENCE_H
#define TESTS_VM6502_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct reference {
	bool cmos;
	bool stopped; /* JAM, STP or WAI is at pc */
	uint16_t pc;
	uint8_t a, x, y, s, p; /* bits 4 and 5 of p are always 0 */
	uint64_t cycles;
	uint8_t mem[0x10000];
};

/* One instruction. */
void reference_step(struct reference *r);

#endif
