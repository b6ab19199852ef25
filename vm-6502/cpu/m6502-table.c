/* SPDX-License-Identifier: MIT */
/* m6502-table: see the header. */
#include "vm-6502/cpu/m6502-table.h"

enum {
	LENGTH_IMP = 1,
	LENGTH_ACC = 1,
	LENGTH_IMM = 2,
	LENGTH_ZPG = 2,
	LENGTH_ZPX = 2,
	LENGTH_ZPY = 2,
	LENGTH_IZX = 2,
	LENGTH_IZY = 2,
	LENGTH_IZP = 2,
	LENGTH_REL = 2,
	LENGTH_ABS = 3,
	LENGTH_ABX = 3,
	LENGTH_ABY = 3,
	LENGTH_IND = 3,
	LENGTH_IAX = 3,
	LENGTH_ZPR = 3,
};

#define INS(opcode, mnemonic, m, a, n, pays)                                                       \
	[opcode] = {.name = #mnemonic,                                                             \
		    .mode = MODE_##m,                                                              \
		    .access = ACCESS_##a,                                                          \
		    .length = LENGTH_##m,                                                          \
		    .cycles = n,                                                                   \
		    .crossing = pays},

static const struct m6502_instruction table[2][256] = {[M6502_NMOS] =
							   {
#include "vm-6502/cpu/m6502-nmos.def"
							   },
						       [M6502_CMOS] = {
#include "vm-6502/cpu/m6502-cmos.def"
						       }};

M6502_HOT const struct m6502_instruction *m6502_instruction(enum m6502_cpu cpu, uint8_t opcode)
{
	return &table[cpu][opcode];
}
