/* SPDX-License-Identifier: MIT */
/* disassemble: see the header. */
#include "vm-6502/guest/disassemble.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "vm-6502/cpu/m6502-table.h"

static const char *const format[] = {
    [MODE_IMP] = "",      [MODE_ACC] = " a",    [MODE_IMM] = " #%s",    [MODE_ZPG] = " %s",
    [MODE_ZPX] = " %s,x", [MODE_ZPY] = " %s,y", [MODE_IZX] = " (%s,x)", [MODE_IZY] = " (%s),y",
    [MODE_IZP] = " (%s)", [MODE_REL] = " %s",   [MODE_ABS] = " %s",     [MODE_ABX] = " %s,x",
    [MODE_ABY] = " %s,y", [MODE_IND] = " (%s)", [MODE_IAX] = " (%s,x)",
};

/* Whether ca65 can assemble to the opcode: of several opcodes that do the same, it knows one. */
static bool writable(enum m6502_cpu cpu, uint8_t opcode)
{
	const struct m6502_instruction *i = m6502_instruction(cpu, opcode);

	if (cpu == M6502_NMOS)
		return opcode != 0x2b && opcode != 0xeb &&
		       (strcmp(i->name, "JAM") != 0 || opcode == 0x02) &&
		       (strcmp(i->name, "NOP") != 0 || opcode == 0xea || opcode == 0x80 ||
			opcode == 0x04 || opcode == 0x14 || opcode == 0x0c || opcode == 0x1c);
	return strcmp(i->name, "NOP") != 0 || opcode == 0xea;
}

enum width { ZERO_PAGE, ABSOLUTE, UNMARKED };

/* Writes an operand. An absolute operand in zero page is marked, or ca65 would take the shorter
 * instruction. */
static void name_operand(const struct symbols *symbols, unsigned value, enum width width,
			 char *text)
{
	const char *name = symbols_at(symbols, value);
	const char *mark = width == ABSOLUTE && value < 0x100 ? "a:" : "";

	if (name && name[0] != '@')
		snprintf(text, 128, "%s%.100s", mark, name);
	else
		snprintf(text, 128, "%s$%0*x", mark, width == ZERO_PAGE ? 2 : 4, value);
}

static unsigned branch_target(const struct m6502 *m, uint16_t at, int length)
{
	return (at + length + (int8_t)m6502_peek(m, at + length - 1)) & 0xffff;
}

static void write_bytes(const struct m6502 *m, uint16_t at, int length, char *text)
{
	text += sprintf(text, ".byte");
	for (int i = 0; i < length; i++)
		text += sprintf(text, "%s $%02x", i ? "," : "", m6502_peek(m, at + i));
}

int disassemble(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		char text[DISASSEMBLE_MOST])
{
	uint8_t opcode = m6502_peek(m, at);
	const struct m6502_instruction *i = m6502_instruction(m->cpu, opcode);
	char operand[128], name[8];
	int n;

	if (!writable(m->cpu, opcode)) {
		write_bytes(m, at, i->length, text);
		return i->length;
	}
	for (n = 0; i->name[n]; n++)
		name[n] = tolower(i->name[n]);
	name[n] = 0;
	if (strcmp(name, "lxa") == 0) /* ca65 has it as a form of LAX */
		strcpy(name, "lax");
	if (i->mode == MODE_ZPR) {
		snprintf(text, DISASSEMBLE_MOST, "%s $%02x, $%04x", name, m6502_peek(m, at + 1),
			 branch_target(m, at, 3));
		return 3;
	}
	if (i->mode == MODE_REL)
		name_operand(symbols, branch_target(m, at, 2), UNMARKED, operand);
	else if (i->mode == MODE_IMM)
		snprintf(operand, sizeof operand, "$%02x", m6502_peek(m, at + 1));
	else if (i->length == 2)
		name_operand(symbols, m6502_peek(m, at + 1), ZERO_PAGE, operand);
	else
		name_operand(symbols, m6502_peek16(m, at + 1),
			     i->mode == MODE_IND || i->mode == MODE_IAX ? UNMARKED : ABSOLUTE,
			     operand);
	n = snprintf(text, DISASSEMBLE_MOST, "%s", name);
	snprintf(text + n, DISASSEMBLE_MOST - n, format[i->mode], operand);
	return i->length;
}

int disassemble_line(const struct m6502 *m, const struct symbols *symbols, uint16_t at,
		     char text[DISASSEMBLE_MOST])
{
	char code[DISASSEMBLE_MOST], bytes[16] = "";
	int length = disassemble(m, symbols, at, code);

	for (int i = 0; i < length; i++)
		sprintf(bytes + 3 * i, "%02x ", m6502_peek(m, at + i));
	snprintf(text, DISASSEMBLE_MOST, "%04x  %-9s %.120s", at, bytes, code);
	return length;
}
