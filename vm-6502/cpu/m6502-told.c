/* SPDX-License-Identifier: MIT */
/*
 * m6502-told: the fast core once more, with calls of an observer for transfers (m6502.h): for JSR,
 * BRK, RTS and RTI, and for any other instruction that has moved S above the observer's bound. All
 * else runs as in m6502-fast.c, so a profile of subroutines only costs a call for each transfer.
 *
 * The observer is called before the instruction that the transfer leads to. If the run ends before
 * that, the opcode stays in the observer until the next run.
 */
#include "vm-6502/cpu/m6502-fast-bus.h"

#define GO m->go_told

#define TELL(opcode)                                                                               \
	do {                                                                                       \
		m->pc = pc & 0xffff, m->s = s, m->cycles = cycles;                                 \
		m->observer->transfer(m, m->observer, opcode);                                     \
	} while (0)

#define BEGIN()                                                                                    \
	do {                                                                                       \
		TELL(m->observer->last);                                                           \
		m->observer->last = M6502_NO_OPCODE;                                               \
	} while (0)

#define TRANSFERRED(opcode)                                                                        \
	do {                                                                                       \
		if (UNLIKELY(cycles >= m->limit)) {                                                \
			m->observer->last = (opcode);                                              \
			goto leave;                                                                \
		}                                                                                  \
		TELL(opcode);                                                                      \
		NEXT;                                                                              \
	} while (0)

#define S_MOVED()                                                                                  \
	do {                                                                                       \
		if (UNLIKELY(s > m->observer->bound))                                              \
			TELL(M6502_NO_OPCODE);                                                     \
	} while (0)

#undef OP_TXS
#undef OP_TAS
#define OP_TXS                                                                                     \
	do {                                                                                       \
		s = x;                                                                             \
		S_MOVED();                                                                         \
	} while (0)
#define OP_TAS                                                                                     \
	({                                                                                         \
		s = a & x;                                                                         \
		S_MOVED();                                                                         \
		s;                                                                                 \
	})

#define FAST  m6502_told_nmos
#define EXACT m6502_exact_nmos
#define TABLE "vm-6502/cpu/m6502-nmos.def"
#define CMOS  0
#include "vm-6502/cpu/m6502-fast-core.h"

#undef FAST
#undef EXACT
#undef TABLE
#undef CMOS

#define FAST  m6502_told_cmos
#define EXACT m6502_exact_cmos
#define TABLE "vm-6502/cpu/m6502-cmos.def"
#define CMOS  1
#include "vm-6502/cpu/m6502-fast-core.h"
