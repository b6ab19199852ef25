/* SPDX-License-Identifier: MIT */
/* m6502: what surrounds the two cores; see the header. */
#include <string.h>

#include "vm-6502/cpu/m6502-inside.h"

/* The last two bytes always take the slow path: an instruction there wraps around. */
static struct m6502_hook edge;

static bool reads(const struct m6502_hook *hook)
{
	return hook && hook->read;
}

void m6502_init(struct m6502 *m, enum m6502_cpu cpu)
{
	memset(m, 0, sizeof *m);
	m->cpu = cpu;
	m->s = 0xfd;
	m->di = M6502_I;
	m->nz = 1;
	m->irq_at = m->nmi_at = M6502_NEVER;
	m->op[0x10000] = M6502_RESERVED(cpu);
	m6502_set_hook(m, 0xfffe, NULL);
	m6502_set_hook(m, 0xffff, NULL);
}

void m6502_reset(struct m6502 *m)
{
	m->cycles += 7;
	m->s -= 3;
	m->di |= M6502_I;
	if (m->cpu == M6502_CMOS)
		m->di &= ~M6502_D;
	m->pending = M6502_NONE;
	m->waiting = 0;
	m->pc = m6502_peek16(m, 0xfffc);
}

struct m6502_hook *m6502_set_hook(struct m6502 *m, uint16_t at, struct m6502_hook *hook)
{
	struct m6502_hook *former = m->hook[at];

	if (reads(hook) && at < 0x0200)
		return hook;
	if (!hook && at >= 0xfffe)
		hook = &edge;
	if (reads(hook))
		m->mem[at] = M6502_SENTINEL;
	else if (reads(former))
		m->mem[at] = 0;
	m->op[at] = hook ? M6502_RESERVED(m->cpu) : m->mem[at];
	m->hook[at] = hook;
	m->hook_changes++;
	return former == &edge ? NULL : former;
}

M6502_HOT uint8_t m6502_hook_read(struct m6502 *m, uint16_t at, uint64_t cycle)
{
	m->cycles = cycle;
	return m->hook[at]->read(m, m->hook[at], at);
}

M6502_HOT void m6502_hook_write(struct m6502 *m, uint16_t at, uint8_t value, uint64_t cycle)
{
	struct m6502_hook *hook = m->hook[at];

	m->cycles = cycle;
	if (!hook->read)
		m->mem[at] = value;
	if (hook->write)
		hook->write(m, hook, at, value);
}

void m6502_stop(struct m6502 *m)
{
	m->stop_asked = true;
	m->limit = 0;
}

void m6502_irq(struct m6502 *m, uint64_t at)
{
	m->irq_at = at;
	m->limit = 0;
}

void m6502_nmi(struct m6502 *m, uint64_t at)
{
	m->nmi_at = at;
	m->limit = 0;
}

static M6502_HOT bool needs_exact(const struct m6502 *m)
{
	return (m->observer && !m->observer->transfer) || m->pending || m->waiting ||
	       m->irq_at != M6502_NEVER || m->nmi_at != M6502_NEVER;
}

M6502_HOT enum m6502_why m6502_run(struct m6502 *m, uint64_t until)
{
	m->stop_asked = false;
	while (m->cycles < until) {
		m->limit = until;
		if (needs_exact(m)) {
			do
				m6502_exact_step(m);
			while (m->cycles < m->limit && m->why == M6502_BUDGET && needs_exact(m));
		} else if (m->cpu == M6502_CMOS) {
			(m->observer ? m6502_told_cmos : m6502_fast_cmos)(m);
		} else {
			(m->observer ? m6502_told_nmos : m6502_fast_nmos)(m);
		}
		if (m->stop_asked)
			return m->why = M6502_STOPPED;
		if (m->why != M6502_BUDGET)
			return m->why;
	}
	return m->why = M6502_BUDGET;
}

M6502_HOT enum m6502_why m6502_step(struct m6502 *m)
{
	m->stop_asked = false;
	m->limit = m->cycles + 1;
	m6502_exact_step(m);
	if (m->stop_asked)
		m->why = M6502_STOPPED;
	return m->why;
}

M6502_HOT uint8_t m6502_p(const struct m6502 *m)
{
	return (m->nz & 0x180 ? M6502_N : 0) | (m->v & 0x80) >> 1 | M6502_U | m->di |
	       (m->nz & 0xff ? 0 : M6502_Z) | m->c;
}

M6502_HOT void m6502_set_p(struct m6502 *m, uint8_t p)
{
	m->c = p & M6502_C;
	m->v = p << 1;
	m->di = p & (M6502_D | M6502_I);
	m->nz = (p & M6502_N) << 1 | (~p & M6502_Z);
}

bool m6502_load(struct m6502 *m, uint16_t at, const void *bytes, size_t size)
{
	if (size > 0x10000u - at)
		return false;
	for (size_t i = 0; i < size; i++)
		m6502_poke(m, at + i, ((const uint8_t *)bytes)[i]);
	return true;
}

bool m6502_sound(const struct m6502 *m)
{
	for (unsigned a = 0; a < 0x10000; a++) {
		if (m->op[a] != (m->hook[a] ? M6502_RESERVED(m->cpu) : m->mem[a]))
			return false;
		if (reads(m->hook[a]) && (a < 0x0200 || m->mem[a] != M6502_SENTINEL))
			return false;
	}
	return m->op[0x10000] == M6502_RESERVED(m->cpu) && m->hook[0xfffe] && m->hook[0xffff];
}
