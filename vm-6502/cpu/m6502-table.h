/* SPDX-License-Identifier: MIT */
/* m6502-table: the instruction tables (m6502-nmos.def, m6502-cmos.def) as data, for files that read
 * code instead of running it. */
#ifndef VM_6502_M6502_TABLE_H
#define VM_6502_M6502_TABLE_H

#include "vm-6502/cpu/m6502.h"

enum m6502_mode {
	MODE_IMP,
	MODE_ACC,
	MODE_IMM,
	MODE_ZPG,
	MODE_ZPX,
	MODE_ZPY,
	MODE_IZX,
	MODE_IZY,
	MODE_IZP,
	MODE_REL,
	MODE_ABS,
	MODE_ABX,
	MODE_ABY,
	MODE_IND,
	MODE_IAX,
	MODE_ZPR,
};

enum m6502_access {
	ACCESS_REGISTER,
	ACCESS_ACCU,
	ACCESS_READ,
	ACCESS_WRITE,
	ACCESS_MODIFY,
	ACCESS_UNSTABLE,
	ACCESS_BRANCH,
	ACCESS_BITBRANCH,
	ACCESS_FLOW,
	ACCESS_SHORT,
	ACCESS_LONG,
};

struct m6502_instruction {
	char name[5];
	uint8_t mode, access; /* enum m6502_mode, enum m6502_access */
	uint8_t length, cycles, crossing;
};

const struct m6502_instruction *m6502_instruction(enum m6502_cpu cpu, uint8_t opcode);

#endif
