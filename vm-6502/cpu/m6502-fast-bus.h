/* SPDX-License-Identifier: MIT */
/*
 * m6502-fast-bus: the bus operations of m6502-modes.h, for the fast core and for the one that
 * reports transfers.
 */
#ifndef VM_6502_M6502_FAST_BUS_H
#define VM_6502_M6502_FAST_BUS_H

#include "vm-6502/cpu/m6502-decimal.h"
#include "vm-6502/cpu/m6502-inside.h"
#include "vm-6502/cpu/m6502-modes.h"
#include "vm-6502/cpu/m6502-ops.h"

#define SAVE()                                                                                     \
	(m->pc = pc & 0xffff, m->a = a, m->x = x, m->y = y, m->s = s, m->nz = nz, m->c = c,        \
	 m->v = vf, m->cycles = cycles)
#define LOAD()                                                                                     \
	(pc = m->pc, a = m->a, x = m->x, y = m->y, s = m->s, nz = m->nz, c = m->c, vf = m->v,      \
	 cycles = m->cycles)

#define COUNT(n)         (cycles += (n))
#define ONE_MORE()       (cycles++)
#define CROSSED(yes, at) ((void)(cycles += (yes)))
#define DUMMY(at)        ((void)0)
#define FETCH()          ((size_t)m->mem[pc++])

#define RD0(at) ((size_t)m->mem[at])
#define RD(at, left)                                                                               \
	({                                                                                         \
		size_t at_ = (at), byte_ = m->mem[at_];                                            \
		if (UNLIKELY(byte_ == M6502_SENTINEL) && m->hook[at_] && m->hook[at_]->read)       \
			byte_ = m6502_hook_read(m, at_, cycles - 1 - (left));                      \
		byte_;                                                                             \
	})

#define STORE(at, value, left, then)                                                               \
	({                                                                                         \
		size_t at_ = (at);                                                                 \
		uint8_t value_ = (value);                                                          \
		if (UNLIKELY(m->op[at_] == M6502_RESERVED(CMOS)) && m->hook[at_]) {                \
			m6502_hook_write(m, at_, value_, cycles - 1 - (left));                     \
			then;                                                                      \
		} else {                                                                           \
			m->op[at_] = m->mem[at_] = value_;                                         \
		}                                                                                  \
	})

/* Not when only the budget has ended: a hook must not decide where runs end. */
#define LEAVE_IF_ASKED                                                                             \
	if (!m->limit)                                                                             \
	goto leave

#define WR(at, value)  STORE(at, value, 0, LEAVE_IF_ASKED)
#define WR0(at, value) STORE(at, value, 0, (void)0)

/* The 65C02 reads twice instead. Either way only a device can tell. */
#define WR_BACK(at, old)                                                                           \
	do {                                                                                       \
		if (!CMOS && UNLIKELY(m->op[at] == M6502_RESERVED(CMOS)) && m->hook[at])           \
			m6502_hook_write(m, at, old, cycles - 2);                                  \
	} while (0)

#define I_AT_ONCE() ((void)0)
#define NEXT        goto *GO[m->op[pc++]]
#define BRANCHED    JUMP
#define ENTERED     TRANSFERRED(M6502_BRK)
#define JUMP                                                                                       \
	do {                                                                                       \
		if (UNLIKELY(cycles >= m->limit))                                                  \
			goto leave;                                                                \
		NEXT;                                                                              \
	} while (0)

/* Back to before the instruction. */
#define STOP_AT(start, reason)                                                                     \
	do {                                                                                       \
		pc = (start), cycles -= BASE_CYCLES;                                               \
		m->why = (reason);                                                                 \
		goto leave;                                                                        \
	} while (0)

#define SELF_JUMP(length)                                                                          \
	do {                                                                                       \
		if (m->stop_on_loop)                                                               \
			STOP_AT(pc - (length), M6502_LOOP);                                        \
	} while (0)

#define JAMMED   STOP_AT(pc - 1, M6502_JAM)
#define WAIT     goto leave /* the exact core waits */
#define VECTOR() 0xfffe

#define HANDLER(opcode) op_##opcode:

#endif
