/* SPDX-License-Identifier: MIT */
/*
 * timer6526: the two timers of a MOS 6526, alone or cascaded, as forth-machine.h describes them.
 * No work is done as time passes: the state is that of one bus cycle, and is brought up to the
 * present when a register is read or written.
 */
#ifndef VM_6502_TIMER6526_H
#define VM_6502_TIMER6526_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
	uint16_t value, latch;
	/* As written, without the strobe; bit 0 is cleared when a one-shot is over. */
	uint8_t control;
};

/* at: the bus cycle in which the counters show `value` */
struct timer6526 {
	struct counter a, b;
	uint64_t at;
	uint8_t flags, mask; /* bit 0 A, bit 1 B */
};

enum { TIMER_A = 0, TIMER_B = 2, TIMER_ICR = 9, TIMER_CRA = 10, TIMER_CRB = 11 };

void timer6526_init(struct timer6526 *t);

/* reg: TIMER_… , from the address of timer A's low byte on; others read 0. now: the bus cycle. */
uint8_t timer6526_read(struct timer6526 *t, int reg, uint64_t now);
void timer6526_write(struct timer6526 *t, int reg, uint8_t value, uint64_t now);

/* The bus cycle from which on IRQ is pulled, which may be past; UINT64_MAX: none is foreseen. */
uint64_t timer6526_irq(const struct timer6526 *t);

#endif
