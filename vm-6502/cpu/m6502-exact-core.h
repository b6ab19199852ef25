/* SPDX-License-Identifier: MIT */
/*
 * m6502-exact-core: one instruction of one processor, bus cycle after bus cycle. Included by
 * m6502-exact.c, once for each, with EXACT, TABLE and CMOS as in m6502-fast-core.h.
 */
M6502_HOT void EXACT(struct m6502 *m)
{
	uint32_t a = m->a, x = m->x, y = m->y, s = m->s, nz = m->nz, c = m->c, vf = m->v;
	uint32_t v = 0, t = 0, u = 0;
	size_t pc = m->pc, ea = 0, base = 0;
	const uint64_t began = m->cycles;
	uint8_t i_before = m->di & M6502_I;

	(void)t, (void)base;
	m->why = M6502_BUDGET;
	switch (FETCH()) {
#include TABLE
	}

done:
	poll(m, 2, i_before);
	goto out;
stop:
	m->cycles = began;
out:
	m->pc = pc, m->a = a, m->x = x, m->y = y, m->s = s, m->nz = nz, m->c = c, m->v = vf;
}
