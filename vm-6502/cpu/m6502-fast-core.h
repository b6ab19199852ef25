/* SPDX-License-Identifier: MIT */
/*
 * m6502-fast-core: the fast core of one processor. Included by m6502-fast.c, once for each, with
 *
 *	FAST   the name of the function            TABLE  the table's file
 *	EXACT  the exact core of the processor     CMOS   1 for the 65C02
 *
 * It is one function, so that registers stay in registers. It has no profiler's hooks, so that
 * zones lent from inside are carried by the caller of m6502_run and outlive a run of a few cycles.
 *
 * Four more macros are defined as m6502-told.c explains, or as nothing: GO, BEGIN, TRANSFERRED,
 * S_MOVED.
 */
M6502_HOT void FAST(struct m6502 *m)
{
	uint32_t a, x, y, s, nz, c, vf, v, t, u; /* as m6502-ops.h says */
	size_t pc, ea, base;                     /* size_t: `pc + 1` can be part of an address */
	uint64_t cycles;

	if (UNLIKELY(!GO[0])) {
		static const void *const handler[] = {
#pragma push_macro("INS")
#undef INS
#define INS(opcode, name, mode, access, n, pays) [opcode] = &&op_##opcode,
#include TABLE
#pragma pop_macro("INS")
		};
		for (int i = 0; i < 256; i++)
			GO[i] = handler[i];
		GO[M6502_RESERVED(CMOS)] = &&reserved;
	}
	LOAD();
	m->why = M6502_BUDGET;
	BEGIN();
	NEXT;

#include TABLE

	/* The reserved opcode leads here: there is a hook, or the end of the address space, or the
	 * guest really has that opcode. */
reserved:
	pc = (pc - 1) & 0xffff;
	if (pc == 0 && cycles >= m->limit)
		goto leave;
	if (m->hook[pc]) {
		struct m6502_hook *hook = m->hook[pc];
		if (hook->run) {
			SAVE();
			bool done = hook->run(m, hook);
			LOAD();
			if (done)
				TRANSFERRED(M6502_NO_OPCODE);
			if (m->stop_asked)
				goto leave;
		}
		if (UNLIKELY(pc >= 0xfffe || hook->read)) {
			t = m->mem[pc];
			SAVE();
			EXACT(m);
			LOAD();
			if (m->why != M6502_BUDGET)
				goto leave;
			TRANSFERRED(t);
		}
	}
	if (LIKELY(m->mem[pc] != M6502_RESERVED(CMOS)))
		goto *GO[m->mem[pc++]];
	m->why = M6502_JAM;

leave:
	SAVE();
}
