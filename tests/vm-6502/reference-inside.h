/* SPDX-License-Identifier: MIT */
/*
 * reference-inside: what the files of the reference share:
 *
 *	reference.c        decoding, operands, jumps, the stack, loads and stores
 *	reference-alu.c    what is computed, and its flags
 *	reference-odd.c    the undocumented instructions of the NMOS chip
 *	reference-cmos.c   what only the 65C02 has
 */
#ifndef TESTS_VM6502_REFERENCE_INSIDE_H
#define TESTS_VM6502_REFERENCE_INSIDE_H

#include "tests/vm-6502/reference.h"

enum { C = 1, Z = 2, I = 4, D = 8, V = 64, N = 128 };

enum mode { IMPLIED, ACCU, IMM, ZP, ZPX, ZPY, ABS, ABX, ABY, IZX, IZY, IZP };

/* ---- reference.c */

/* The byte at PC; PC moves on. */
uint8_t reference_next(struct reference *r);

enum mode reference_mode(const struct reference *r, uint8_t op);

/* The operand's address; *crossed when indexing by a register has changed the upper byte of *base. */
uint16_t reference_address(struct reference *r, enum mode mode, bool *crossed, uint16_t *base);

void reference_push(struct reference *r, uint8_t value);
uint8_t reference_pull(struct reference *r);
void reference_branch(struct reference *r, bool taken);

/* ---- reference-alu.c */

void reference_flag(struct reference *r, int which, bool set);

/* Sets N and Z by a value, and gives it back. */
uint8_t reference_nz(struct reference *r, uint8_t value);

void reference_subtract(struct reference *r, uint8_t b);
void reference_compare(struct reference *r, uint8_t reg, uint8_t value);
void reference_bit(struct reference *r, uint8_t value);

/* By the upper three bits of the opcode. */
void reference_arithmetic(struct reference *r, int row, uint8_t value);
uint8_t reference_shift(struct reference *r, int row, uint8_t value);

/* ---- reference-odd.c, reference-cmos.c */

void reference_two_at_once(struct reference *r, uint8_t op, uint16_t at);
void reference_odd_immediate(struct reference *r, uint8_t op, uint8_t value);

/* False: the instruction is none of these, and nothing has happened. */
bool reference_unstable(struct reference *r, uint8_t op, uint16_t at, uint16_t base);
bool reference_cmos(struct reference *r, uint8_t op);

#endif
