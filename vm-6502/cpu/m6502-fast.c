/* SPDX-License-Identifier: MIT */
/*
 * m6502-fast: the core that runs when nothing needs more than registers, memory and cycles.
 *
 * A handler ends by fetching the next opcode and jumping to its handler (computed goto), so each
 * opcode has an indirect jump of its own for the branch predictor to learn. Registers are local
 * variables, spilled to the struct around hooks only. The labels' addresses are kept in the struct,
 * next to memory, because a pointer to the struct is in a register anyway.
 *
 * Hooks on reads are found by the sentinel, all others by the reserved opcode (m6502.h).
 */
#include "vm-6502/cpu/m6502-fast-bus.h"

#define GO                m->go
#define BEGIN()           ((void)0)
#define TRANSFERRED(code) JUMP
#define S_MOVED()         ((void)0)

#define FAST  m6502_fast_nmos
#define EXACT m6502_exact_nmos
#define TABLE "vm-6502/cpu/m6502-nmos.def"
#define CMOS  0
#include "vm-6502/cpu/m6502-fast-core.h"

#undef FAST
#undef EXACT
#undef TABLE
#undef CMOS

#define FAST  m6502_fast_cmos
#define EXACT m6502_exact_cmos
#define TABLE "vm-6502/cpu/m6502-cmos.def"
#define CMOS  1
#include "vm-6502/cpu/m6502-fast-core.h"
