/* SPDX-License-Identifier: MIT */
/*
 * m6502-exact: the core that makes every bus cycle, polls interrupts in the chip's cycles, and
 * calls an observer. It runs in place of m6502-fast.c, one instruction at a time, and need not be
 * fast.
 *
 * The chip looks at its interrupt lines in the last cycle but one of an instruction, before the
 * last changes the I flag in CLI, SEI and PLP (RTI does it early); a taken branch within its page
 * looks only before its third cycle; BRK and interrupts themselves don't look.
 */
#include "vm-6502/cpu/m6502-decimal.h"
#include "vm-6502/cpu/m6502-inside.h"
#include "vm-6502/cpu/m6502-modes.h"
#include "vm-6502/cpu/m6502-ops.h"

static M6502_HOT void tell(struct m6502 *m, uint16_t at, uint8_t value, bool write)
{
	if (m->observer && m->observer->cycle)
		m->observer->cycle(m, m->observer, at, value, write);
}

static M6502_HOT size_t bus_read(struct m6502 *m, uint16_t at)
{
	uint8_t value = m->mem[at];
	if (m->hook[at] && m->hook[at]->read)
		value = m6502_hook_read(m, at, m->cycles);
	tell(m, at, value, false);
	m->cycles++;
	return value;
}

static M6502_HOT void bus_write(struct m6502 *m, uint16_t at, uint8_t value)
{
	if (m->hook[at])
		m6502_hook_write(m, at, value, m->cycles);
	else
		m->op[at] = m->mem[at] = value;
	tell(m, at, value, true);
	m->cycles++;
}

/* Looks at the lines as they were `back` bus cycles ago, with the I flag given. */
static M6502_HOT void poll(struct m6502 *m, unsigned back, uint8_t i)
{
	if (m->cycles < back)
		return;
	if (m->nmi_at <= m->cycles - back)
		m->pending = M6502_NMI;
	else if (m->irq_at <= m->cycles - back && !i)
		m->pending = M6502_IRQ;
}

M6502_HOT uint16_t m6502_vector(struct m6502 *m)
{
	if (m->nmi_at > m->cycles - 2)
		return 0xfffe;
	m->nmi_at = M6502_NEVER;
	return 0xfffa;
}

#define COUNT(n)          ((void)0)
#define ONE_MORE()        bus_read(m, ea & 0xffff)
#define CROSSED(yes, at)  ((yes) ? (void)bus_read(m, (at)&0xffff) : (void)0)
#define DUMMY(at)         ((void)bus_read(m, (at)&0xffff))
#define FETCH()           (pc = (pc + 1) & 0xffff, bus_read(m, (pc - 1) & 0xffff))
#define RD0(at)           bus_read(m, at)
#define RD(at, left)      bus_read(m, at)
#define WR(at, value)     bus_write(m, at, value)
#define WR0(at, value)    bus_write(m, at, value)
#define WR_BACK(at, old)  (CMOS ? (void)bus_read(m, at) : bus_write(m, at, old))
#define I_AT_ONCE()       (i_before = m->di & M6502_I)
#define NEXT              goto done
#define JUMP              goto done
#define TRANSFERRED(code) goto done
#define S_MOVED()         ((void)0)
#define ENTERED           goto out
#define BRANCHED                                                                                   \
	do {                                                                                       \
		poll(m, 3, i_before);                                                              \
		goto out;                                                                          \
	} while (0)

#define STOP_AT(start, reason)                                                                     \
	do {                                                                                       \
		pc = (start)&0xffff;                                                               \
		m->why = (reason);                                                                 \
		goto stop;                                                                         \
	} while (0)

#define SELF_JUMP(length)                                                                          \
	do {                                                                                       \
		if (m->stop_on_loop)                                                               \
			STOP_AT(pc - (length), M6502_LOOP);                                        \
	} while (0)

#define JAMMED   STOP_AT(pc - 1, M6502_JAM)
#define WAIT     goto out
#define VECTOR() (CMOS ? 0xfffe : m6502_vector(m))

#define HANDLER(opcode) case opcode:

#define EXACT m6502_exact_nmos
#define TABLE "vm-6502/cpu/m6502-nmos.def"
#define CMOS  0
#include "vm-6502/cpu/m6502-exact-core.h"

#undef EXACT
#undef TABLE
#undef CMOS

#define EXACT m6502_exact_cmos
#define TABLE "vm-6502/cpu/m6502-cmos.def"
#define CMOS  1
#include "vm-6502/cpu/m6502-exact-core.h"

static M6502_HOT void push(struct m6502 *m, uint8_t value)
{
	bus_write(m, 0x100 | m->s, value);
	m->s--;
}

/* The seven cycles of an interrupt. */
static M6502_HOT void interrupt(struct m6502 *m)
{
	uint16_t vector = 0xfffa;

	if (m->observer && m->observer->instruction)
		m->observer->instruction(m, m->observer, m->pending == M6502_NMI ? 0xfffa : 0xfffe);
	bus_read(m, m->pc);
	bus_read(m, m->pc);
	push(m, m->pc >> 8);
	push(m, m->pc & 0xff);
	push(m, m6502_p(m));
	m->di = m->cpu == M6502_CMOS ? M6502_I : m->di | M6502_I;
	if (m->pending == M6502_NMI)
		m->nmi_at = M6502_NEVER;
	else if (m->cpu == M6502_NMOS)
		vector = m6502_vector(m);
	else
		vector = 0xfffe;
	m->pending = M6502_NONE;
	m->pc = bus_read(m, vector);
	m->pc |= bus_read(m, vector + 1) << 8;
}

/* WAI: waits until a line is pulled, even if I keeps the interrupt out, or the budget ends. */
static M6502_HOT void wait(struct m6502 *m)
{
	uint64_t event = m->irq_at < m->nmi_at ? m->irq_at : m->nmi_at;

	if (event >= m->limit) {
		if (m->cycles < m->limit)
			m->cycles = m->limit;
		return;
	}
	if (m->cycles <= event)
		m->cycles = event + 1;
	m->waiting = 0;
	poll(m, 1, m->di & M6502_I);
}

M6502_HOT void m6502_exact_step(struct m6502 *m)
{
	struct m6502_hook *hook = m->hook[m->pc];

	m->why = M6502_BUDGET;
	if (m->waiting) {
		wait(m);
		return;
	}
	if (m->pending) {
		interrupt(m);
		return;
	}
	if (hook && hook->run && (hook->run(m, hook) || m->stop_asked))
		return;
	if (m->observer && m->observer->instruction)
		m->observer->instruction(m, m->observer, 0);
	if (m->stop_asked)
		return;
	(m->cpu == M6502_CMOS ? m6502_exact_cmos : m6502_exact_nmos)(m);
}
