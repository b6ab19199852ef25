/* SPDX-License-Identifier: MIT */
/*
 * m6502-inside: functions that only the files of the processor's cores use.
 *
 * A core runs until cycles >= limit or something stops it, and returns with all registers in the
 * struct and `why` set. m6502.c decides which core runs.
 */
#ifndef VM_6502_M6502_INSIDE_H
#define VM_6502_M6502_INSIDE_H

#include "vm-6502/cpu/m6502.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void m6502_fast_nmos(struct m6502 *m);
void m6502_fast_cmos(struct m6502 *m);

/* Fast cores that also report transfers to m->observer. */
void m6502_told_nmos(struct m6502 *m);
void m6502_told_cmos(struct m6502 *m);

/* Run one instruction, without polling interrupts or calling hooks. */
void m6502_exact_nmos(struct m6502 *m);
void m6502_exact_cmos(struct m6502 *m);

/* Runs one instruction or interrupt, with hooks, polling and observer. */
void m6502_exact_step(struct m6502 *m);

/* The vector that an interrupt or BRK ends at, where pushing is done in bus cycle m->cycles - 1:
 * NMI's if its edge came early enough, and then it is taken. */
uint16_t m6502_vector(struct m6502 *m);

/* Call the hook of an address that is read or written in bus cycle `cycle`. */
uint8_t m6502_hook_read(struct m6502 *m, uint16_t at, uint64_t cycle);
void m6502_hook_write(struct m6502 *m, uint16_t at, uint8_t value, uint64_t cycle);

#endif
