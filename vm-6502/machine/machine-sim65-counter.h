/* SPDX-License-Identifier: MIT */
/*
 * machine-sim65-counter: the counter of sim65, which programs of cc65's see as
 * `peripherals.counter`. A write to `latch` takes all values at one moment; `select` says which of
 * them `value` shows.
 *
 *	ffc0  latch    a write takes the values
 *	ffc1  select   00 cycles   80 the time of day in ns   81 its seconds, and ns in the low half
 *	ffc2  value    eight bytes, the lowest first
 *
 * Instructions (01) are not counted and read 0. Interrupts (02, 03) do not exist, and read 0.
 *
 * Programs of cc65 2.19 and before have their C stack at these addresses. Such a program is known
 * by a stack pointer above `latch`, or by a write to `value`, which can only be read. From then on
 * the addresses are RAM.
 */
#ifndef VM_6502_MACHINE_SIM65_COUNTER_H
#define VM_6502_MACHINE_SIM65_COUNTER_H

#include "vm-6502/cpu/m6502.h"

struct sim65_counter {
	struct m6502_hook hook;
	uint64_t cycles, seconds, ns; /* as they were at the last write to `latch` */
};

/* Sets its hooks. c lives as long as m. */
void sim65_counter_init(struct sim65_counter *c, struct m6502 *m);

/* The C stack's pointer, at the moment of a call: shows whether the counter is the stack's. */
void sim65_counter_stack(struct m6502 *m, uint16_t pointer);

#endif
