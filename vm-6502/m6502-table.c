/* SPDX-License-Identifier: MIT */
/* m6502-table: see the header. */
#include "vm-6502/m6502-table.h"

static const uint8_t length[] = {
    [MODE_IMP] = 1, [MODE_ACC] = 1, [MODE_IMM] = 2, [MODE_ZPG] = 2, [MODE_ZPX] = 2, [MODE_ZPY] = 2,
    [MODE_IZX] = 2, [MODE_IZY] = 2, [MODE_IZP] = 2, [MODE_REL] = 2, [MODE_ABS] = 3, [MODE_ABX] = 3,
    [MODE_ABY] = 3, [MODE_IND] = 3, [MODE_IAX] = 3, [MODE_ZPR] = 3,
};

#define INS(opcode, mnemonic, m, a, n, pays)                                                       \
	[opcode] = {.name = #mnemonic,                                                             \
		    .mode = MODE_##m,                                                              \
		    .access = ACCESS_##a,                                                          \
		    .cycles = n,                                                                   \
		    .crossing = pays},

static struct m6502_instruction table[2][256] = {[M6502_NMOS] =
						     {
#include "vm-6502/m6502-nmos.def"
						     },
						 [M6502_CMOS] = {
#include "vm-6502/m6502-cmos.def"
						 }};

const struct m6502_instruction *m6502_instruction(enum m6502_cpu cpu, uint8_t opcode)
{
	struct m6502_instruction *i = &table[cpu][opcode];
	i->length = length[i->mode];
	return i;
}
