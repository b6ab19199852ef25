/* SPDX-License-Identifier: MIT */
/* reference: decoding, and what most instructions do; see the header. */
#include "tests/vm-6502/reference-inside.h"

static const char nmos_cycles[] = "7608335532224466"
				  "2508446624274477"
				  "6608335542224466"
				  "2508446624274477"
				  "6608335532223466"
				  "2508446624274477"
				  "6608335542225466"
				  "2508446624274477"
				  "2626333322224444"
				  "2606444425255555"
				  "2626333322224444"
				  "2505444424244444"
				  "2628335522224466"
				  "2508446624274477"
				  "2628335522224466"
				  "2508446624274477";

static const char cmos_cycles[] = "7621535532216465"
				  "2551546524216465"
				  "6621335542214465"
				  "2551446524214465"
				  "6621335532213465"
				  "2551446524318465"
				  "6621335542216465"
				  "2551446524416465"
				  "2621333522214445"
				  "2651444525214555"
				  "2621333522214445"
				  "2551444524214445"
				  "2621335522234465"
				  "2551446524334475"
				  "2621335522214465"
				  "2551446524414475";

uint8_t reference_next(struct reference *r)
{
	return r->mem[r->pc++];
}

static uint16_t word_in_zero_page(const struct reference *r, uint8_t at)
{
	return r->mem[at] | r->mem[(uint8_t)(at + 1)] << 8;
}

enum mode reference_mode(const struct reference *r, uint8_t op)
{
	static const enum mode column[32] = {
	    IMM, IZX, IMM, IZX, ZP,  ZP,  ZP,  ZP,  IMPLIED, IMM, ACCU,    IMM, ABS, ABS, ABS, ABS,
	    IMM, IZY, IZP, IZY, ZPX, ZPX, ZPX, ZPX, IMPLIED, ABY, IMPLIED, ABY, ABX, ABX, ABX, ABX};
	bool x_register = (op & 0xc2) == 0x82; /* STX, LDX and the like index by Y */

	if (r->cmos && (op == 0x14 || op == 0x1c))
		return op == 0x14 ? ZP : ABS;
	if (r->cmos && (op == 0x9c || op == 0x9e)) /* STZ */
		return op == 0x9c ? ABS : ABX;
	if (x_register && (op & 0x1c) == 0x14)
		return ZPY;
	if (x_register && (op & 0x1c) == 0x1c)
		return ABY;
	return column[op & 0x1f];
}

/* The operand's address; `crossed` when indexing changed the high byte. */
uint16_t reference_address(struct reference *r, enum mode mode, bool *crossed, uint16_t *base)
{
	uint8_t zp;

	*base = 0;
	*crossed = false;
	switch (mode) {
	case IMM:
		return r->pc++;
	case ZP:
		return reference_next(r);
	case ZPX:
		return (uint8_t)(reference_next(r) + r->x);
	case ZPY:
		return (uint8_t)(reference_next(r) + r->y);
	case IZX:
		return word_in_zero_page(r, reference_next(r) + r->x);
	case IZP:
		return word_in_zero_page(r, reference_next(r));
	case IZY:
		*base = word_in_zero_page(r, reference_next(r));
		break;
	default:
		zp = reference_next(r);
		*base = zp | reference_next(r) << 8;
	}
	uint16_t index = mode == ABS ? 0 : mode == ABX ? r->x : r->y;
	uint16_t at = *base + index;
	*crossed = at >> 8 != *base >> 8;
	return at;
}

void reference_push(struct reference *r, uint8_t value)
{
	r->mem[0x100 | r->s--] = value;
}

uint8_t reference_pull(struct reference *r)
{
	return r->mem[0x100 | ++r->s];
}

void reference_branch(struct reference *r, bool taken)
{
	int8_t distance = reference_next(r);
	uint16_t to = r->pc + distance;
	if (!taken)
		return;
	r->cycles += 1 + (to >> 8 != r->pc >> 8);
	r->pc = to;
}

static void take_p(struct reference *r, uint8_t value)
{
	r->p = value & ~0x30;
}

/* Instructions that follow no pattern. */
static bool special(struct reference *r, uint8_t op)
{
	static const uint8_t branch_flag[4] = {N, V, C, Z};
	uint16_t at, low;

	if ((op & 0x1f) == 0x10) {
		reference_branch(r, !(r->p & branch_flag[op >> 6]) == !(op & 0x20));
		return true;
	}
	switch (op) {
	case 0x00:
		r->pc++;
		reference_push(r, r->pc >> 8), reference_push(r, r->pc),
		    reference_push(r, r->p | 0x30);
		reference_flag(r, I, true);
		if (r->cmos)
			reference_flag(r, D, false);
		r->pc = r->mem[0xfffe] | r->mem[0xffff] << 8;
		return true;
	case 0x20:
		low = reference_next(r);
		reference_push(r, r->pc >> 8), reference_push(r, r->pc);
		r->pc = low | r->mem[r->pc] << 8;
		return true;
	case 0x40:
		take_p(r, reference_pull(r));
		r->pc = reference_pull(r);
		r->pc |= reference_pull(r) << 8;
		return true;
	case 0x60:
		r->pc = reference_pull(r);
		r->pc |= reference_pull(r) << 8;
		r->pc++;
		return true;
	case 0x4c:
		low = reference_next(r);
		r->pc = low | reference_next(r) << 8;
		return true;
	case 0x6c:
		low = reference_next(r);
		at = low | reference_next(r) << 8;
		low = r->cmos ? at + 1 : (at & 0xff00) | (uint8_t)(at + 1);
		r->pc = r->mem[at] | r->mem[low] << 8;
		return true;
	case 0x08:
		reference_push(r, r->p | 0x30);
		return true;
	case 0x28:
		take_p(r, reference_pull(r));
		return true;
	case 0x48:
		reference_push(r, r->a);
		return true;
	case 0x68:
		r->a = reference_nz(r, reference_pull(r));
		return true;
	case 0x18:
		reference_flag(r, C, false);
		return true;
	case 0x38:
		reference_flag(r, C, true);
		return true;
	case 0x58:
		reference_flag(r, I, false);
		return true;
	case 0x78:
		reference_flag(r, I, true);
		return true;
	case 0xb8:
		reference_flag(r, V, false);
		return true;
	case 0xd8:
		reference_flag(r, D, false);
		return true;
	case 0xf8:
		reference_flag(r, D, true);
		return true;
	case 0x88:
		r->y = reference_nz(r, r->y - 1);
		return true;
	case 0xc8:
		r->y = reference_nz(r, r->y + 1);
		return true;
	case 0xca:
		r->x = reference_nz(r, r->x - 1);
		return true;
	case 0xe8:
		r->x = reference_nz(r, r->x + 1);
		return true;
	case 0xa8:
		r->y = reference_nz(r, r->a);
		return true;
	case 0x98:
		r->a = reference_nz(r, r->y);
		return true;
	case 0x8a:
		r->a = reference_nz(r, r->x);
		return true;
	case 0xaa:
		r->x = reference_nz(r, r->a);
		return true;
	case 0x9a:
		r->s = r->x;
		return true;
	case 0xba:
		r->x = reference_nz(r, r->s);
		return true;
	case 0xea:
		return true;
	}
	return false;
}

/* Columns 0: BIT STY LDY CPY CPX, and the NMOS NOPs between them. */
static void column0(struct reference *r, uint8_t op, uint16_t at)
{
	bool nop = (op & 0x1f) == 0x14 || (op & 0x1f) == 0x1c || op == 0x80;
	switch (op >> 5) {
	case 1:
		if (!nop)
			reference_bit(r, r->mem[at]);
		break;
	case 4:
		if (op == 0x84 || op == 0x8c || op == 0x94)
			r->mem[at] = r->y;
		break;
	case 5:
		r->y = reference_nz(r, r->mem[at]);
		break;
	case 6:
		if (!nop)
			reference_compare(r, r->y, r->mem[at]);
		break;
	case 7:
		if (!nop)
			reference_compare(r, r->x, r->mem[at]);
		break;
	}
}

/* Whether an instruction is a cycle faster when it doesn't cross a page. */
static bool pays(const struct reference *r, uint8_t op, enum mode mode)
{
	int row = op >> 5, column = op & 3;
	if (mode != ABX && mode != ABY && mode != IZY)
		return false;
	if (column == 0)
		return row != 4;
	if (column == 1)
		return row != 4;
	if (column == 2)
		return row == 5 || (r->cmos && row < 4);
	return row == 5;
}

static void ordinary(struct reference *r, uint8_t op)
{
	enum mode mode = reference_mode(r, op);
	bool crossed;
	uint16_t base, at;
	int row = op >> 5;

	if (mode == IMPLIED)
		return;
	if (mode == ACCU) {
		r->a = reference_shift(r, row, r->a);
		return;
	}
	at = reference_address(r, mode, &crossed, &base);
	r->cycles += crossed && pays(r, op, mode);
	if (!r->cmos && reference_unstable(r, op, at, base))
		return;
	if ((op & 3) == 1 || (r->cmos && (op & 0x1f) == 0x12)) {
		if (row == 4) {
			if (op != 0x89)
				r->mem[at] = r->a;
		} else {
			reference_arithmetic(r, row, r->mem[at]);
		}
	} else if ((op & 3) == 0) {
		column0(r, op, at);
	} else if ((op & 3) == 3 && mode == IMM) {
		reference_odd_immediate(r, op, r->mem[at]);
	} else if (op == 0xbb) {
		r->a = r->x = r->s = reference_nz(r, r->s & r->mem[at]);
	} else if ((op & 3) == 3) {
		reference_two_at_once(r, op, at);
	} else if (row == 4) {
		if (mode != IMM)
			r->mem[at] = r->x;
	} else if (row == 5) {
		r->x = reference_nz(r, r->mem[at]);
	} else if (mode != IMM) {
		r->mem[at] = reference_shift(r, row, r->mem[at]);
	}
}

void reference_step(struct reference *r)
{
	uint8_t op = r->mem[r->pc];

	if (r->cmos ? op == 0xcb || op == 0xdb
		    : (op & 0x1f) == 0x12 || ((op & 0x1f) == 0x02 && op < 0x80)) {
		r->stopped = true;
		return;
	}
	r->pc++;
	r->cycles += (r->cmos ? cmos_cycles : nmos_cycles)[op] - '0';
	if (r->cmos && reference_cmos(r, op))
		return;
	if (!special(r, op))
		ordinary(r, op);
}
