/* SPDX-License-Identifier: MIT */
/* reference: see the header. */
#include "tests/vm6502/reference.h"

enum { C = 1, Z = 2, I = 4, D = 8, V = 64, N = 128 };

enum mode { IMPLIED, ACCU, IMM, ZP, ZPX, ZPY, ABS, ABX, ABY, IZX, IZY, IZP };

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

static uint8_t next(struct reference *r)
{
	return r->mem[r->pc++];
}

static uint16_t word_in_zero_page(const struct reference *r, uint8_t at)
{
	return r->mem[at] | r->mem[(uint8_t)(at + 1)] << 8;
}

static enum mode mode_of(const struct reference *r, uint8_t op)
{
	static const enum mode column[32] = {
	    IMM, IZX, IMM, IZX, ZP,  ZP,  ZP,  ZP,  IMPLIED, IMM, ACCU,    IMM, ABS, ABS, ABS, ABS,
	    IMM, IZY, IZP, IZY, ZPX, ZPX, ZPX, ZPX, IMPLIED, ABY, IMPLIED, ABY, ABX, ABX, ABX, ABX};
	bool x_register = (op & 0xc2) == 0x82; /* STX, LDX and their kin index by Y */

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
static uint16_t address(struct reference *r, enum mode mode, bool *crossed, uint16_t *base)
{
	uint8_t zp;

	*base = 0;
	*crossed = false;
	switch (mode) {
	case IMM:
		return r->pc++;
	case ZP:
		return next(r);
	case ZPX:
		return (uint8_t)(next(r) + r->x);
	case ZPY:
		return (uint8_t)(next(r) + r->y);
	case IZX:
		return word_in_zero_page(r, next(r) + r->x);
	case IZP:
		return word_in_zero_page(r, next(r));
	case IZY:
		*base = word_in_zero_page(r, next(r));
		break;
	default:
		zp = next(r);
		*base = zp | next(r) << 8;
	}
	uint16_t index = mode == ABS ? 0 : mode == ABX ? r->x : r->y;
	uint16_t at = *base + index;
	*crossed = at >> 8 != *base >> 8;
	return at;
}

static void flag(struct reference *r, int which, bool set)
{
	r->p = set ? r->p | which : r->p & ~which;
}

static uint8_t nz(struct reference *r, uint8_t value)
{
	flag(r, Z, value == 0);
	flag(r, N, value & 0x80);
	return value;
}

static void add(struct reference *r, uint8_t b)
{
	unsigned a = r->a, carry = r->p & C, sum = a + b + carry;
	unsigned low = (a & 15) + (b & 15) + carry, high = (a >> 4) + (b >> 4);

	nz(r, sum);
	flag(r, V, ~(a ^ b) & (a ^ sum) & 0x80);
	flag(r, C, sum > 255);
	if (!(r->p & D)) {
		r->a = sum;
		return;
	}
	if (low > 9)
		low += 6, high++;
	flag(r, N, high & 8);
	flag(r, V, ~(a ^ b) & (a ^ high << 4) & 0x80);
	if (high > 9)
		high += 6;
	flag(r, C, high > 15);
	r->a = (high & 15) << 4 | (low & 15);
	if (r->cmos)
		nz(r, r->a), r->cycles++;
}

static void subtract(struct reference *r, uint8_t b)
{
	int a = r->a, borrow = !(r->p & C), difference = a - b - borrow;
	int low = (a & 15) - (b & 15) - borrow, high = (a >> 4) - (b >> 4);

	nz(r, difference);
	flag(r, V, (a ^ b) & (a ^ difference) & 0x80);
	flag(r, C, difference >= 0);
	if (!(r->p & D)) {
		r->a = difference;
		return;
	}
	if (!r->cmos) {
		if (low < 0)
			low -= 6, high--;
		if (high < 0)
			high -= 6;
		r->a = (high & 15) << 4 | (low & 15);
		return;
	}
	if (difference < 0)
		difference -= 0x60;
	if (low < 0)
		difference -= 6;
	r->a = nz(r, difference);
	r->cycles++;
}

static void compare(struct reference *r, uint8_t reg, uint8_t value)
{
	nz(r, reg - value);
	flag(r, C, reg >= value);
}

/* The eight operations of column 1: ORA AND EOR ADC - LDA CMP SBC. */
static void arithmetic(struct reference *r, int row, uint8_t value)
{
	switch (row) {
	case 0:
		r->a = nz(r, r->a | value);
		break;
	case 1:
		r->a = nz(r, r->a & value);
		break;
	case 2:
		r->a = nz(r, r->a ^ value);
		break;
	case 3:
		add(r, value);
		break;
	case 5:
		r->a = nz(r, value);
		break;
	case 6:
		compare(r, r->a, value);
		break;
	case 7:
		subtract(r, value);
		break;
	}
}

/* Those of column 2: ASL ROL LSR ROR - - DEC INC. */
static uint8_t shift(struct reference *r, int row, uint8_t value)
{
	int carry = r->p & C;
	switch (row) {
	case 0:
		flag(r, C, value & 128);
		return nz(r, value << 1);
	case 1:
		flag(r, C, value & 128);
		return nz(r, value << 1 | carry);
	case 2:
		flag(r, C, value & 1);
		return nz(r, value >> 1);
	case 3:
		flag(r, C, value & 1);
		return nz(r, value >> 1 | carry << 7);
	case 6:
		return nz(r, value - 1);
	}
	return nz(r, value + 1);
}

static void push(struct reference *r, uint8_t value)
{
	r->mem[0x100 | r->s--] = value;
}

static uint8_t pull(struct reference *r)
{
	return r->mem[0x100 | ++r->s];
}

static void branch(struct reference *r, bool taken)
{
	int8_t distance = next(r);
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

/* Instructions that are like no other. */
static bool special(struct reference *r, uint8_t op)
{
	static const uint8_t branch_flag[4] = {N, V, C, Z};
	uint16_t at, low;

	if ((op & 0x1f) == 0x10) {
		branch(r, !(r->p & branch_flag[op >> 6]) == !(op & 0x20));
		return true;
	}
	switch (op) {
	case 0x00:
		r->pc++;
		push(r, r->pc >> 8), push(r, r->pc), push(r, r->p | 0x30);
		flag(r, I, true);
		if (r->cmos)
			flag(r, D, false);
		r->pc = r->mem[0xfffe] | r->mem[0xffff] << 8;
		return true;
	case 0x20:
		low = next(r);
		push(r, r->pc >> 8), push(r, r->pc);
		r->pc = low | r->mem[r->pc] << 8;
		return true;
	case 0x40:
		take_p(r, pull(r));
		r->pc = pull(r);
		r->pc |= pull(r) << 8;
		return true;
	case 0x60:
		r->pc = pull(r);
		r->pc |= pull(r) << 8;
		r->pc++;
		return true;
	case 0x4c:
		low = next(r);
		r->pc = low | next(r) << 8;
		return true;
	case 0x6c:
		low = next(r);
		at = low | next(r) << 8;
		low = r->cmos ? at + 1 : (at & 0xff00) | (uint8_t)(at + 1);
		r->pc = r->mem[at] | r->mem[low] << 8;
		return true;
	case 0x08:
		push(r, r->p | 0x30);
		return true;
	case 0x28:
		take_p(r, pull(r));
		return true;
	case 0x48:
		push(r, r->a);
		return true;
	case 0x68:
		r->a = nz(r, pull(r));
		return true;
	case 0x18:
		flag(r, C, false);
		return true;
	case 0x38:
		flag(r, C, true);
		return true;
	case 0x58:
		flag(r, I, false);
		return true;
	case 0x78:
		flag(r, I, true);
		return true;
	case 0xb8:
		flag(r, V, false);
		return true;
	case 0xd8:
		flag(r, D, false);
		return true;
	case 0xf8:
		flag(r, D, true);
		return true;
	case 0x88:
		r->y = nz(r, r->y - 1);
		return true;
	case 0xc8:
		r->y = nz(r, r->y + 1);
		return true;
	case 0xca:
		r->x = nz(r, r->x - 1);
		return true;
	case 0xe8:
		r->x = nz(r, r->x + 1);
		return true;
	case 0xa8:
		r->y = nz(r, r->a);
		return true;
	case 0x98:
		r->a = nz(r, r->y);
		return true;
	case 0x8a:
		r->a = nz(r, r->x);
		return true;
	case 0xaa:
		r->x = nz(r, r->a);
		return true;
	case 0x9a:
		r->s = r->x;
		return true;
	case 0xba:
		r->x = nz(r, r->s);
		return true;
	case 0xea:
		return true;
	}
	return false;
}

static void bit(struct reference *r, uint8_t value)
{
	flag(r, Z, !(r->a & value));
	flag(r, V, value & 0x40);
	flag(r, N, value & 0x80);
}

/* What only the 65C02 has; false: not of them. */
static bool cmos_only(struct reference *r, uint8_t op)
{
	uint16_t at, base;
	bool crossed;
	uint8_t value;

	if ((op & 7) == 7) {
		int mask = 1 << (op >> 4 & 7);
		at = next(r);
		if (op & 8)
			branch(r, !(r->mem[at] & mask) == !(op & 0x80));
		else
			r->mem[at] = op & 0x80 ? r->mem[at] | mask : r->mem[at] & ~mask;
		return true;
	}
	switch (op) {
	case 0x80:
		branch(r, true);
		return true;
	case 0x5a:
		push(r, r->y);
		return true;
	case 0xda:
		push(r, r->x);
		return true;
	case 0x7a:
		r->y = nz(r, pull(r));
		return true;
	case 0xfa:
		r->x = nz(r, pull(r));
		return true;
	case 0x1a:
		r->a = nz(r, r->a + 1);
		return true;
	case 0x3a:
		r->a = nz(r, r->a - 1);
		return true;
	case 0x89:
		value = next(r);
		flag(r, Z, !(r->a & value));
		return true;
	case 0x7c:
		at = next(r);
		at |= next(r) << 8;
		at += r->x;
		r->pc = r->mem[at] | r->mem[(uint16_t)(at + 1)] << 8;
		return true;
	case 0x64:
	case 0x74:
	case 0x9c:
	case 0x9e:
		r->mem[address(r, mode_of(r, op), &crossed, &base)] = 0;
		return true;
	case 0x04:
	case 0x0c:
	case 0x14:
	case 0x1c:
		at = address(r, mode_of(r, op), &crossed, &base);
		flag(r, Z, !(r->a & r->mem[at]));
		r->mem[at] = op & 0x10 ? r->mem[at] & ~r->a : r->mem[at] | r->a;
		return true;
	case 0x34:
	case 0x3c:
		bit(r, r->mem[address(r, mode_of(r, op), &crossed, &base)]);
		r->cycles += crossed;
		return true;
	case 0x02:
	case 0x22:
	case 0x42:
	case 0x62:
	case 0x82:
	case 0xc2:
	case 0xe2:
	case 0x44:
	case 0x54:
	case 0xd4:
	case 0xf4:
		r->pc++;
		return true;
	case 0x5c:
	case 0xdc:
	case 0xfc:
		r->pc += 2;
		return true;
	}
	return (op & 3) == 3;
}

/* Columns 0: BIT STY LDY CPY CPX, and the NMOS NOPs between them. */
static void column0(struct reference *r, uint8_t op, uint16_t at)
{
	bool nop = (op & 0x1f) == 0x14 || (op & 0x1f) == 0x1c || op == 0x80;
	switch (op >> 5) {
	case 1:
		if (!nop)
			bit(r, r->mem[at]);
		break;
	case 4:
		if (op == 0x84 || op == 0x8c || op == 0x94)
			r->mem[at] = r->y;
		break;
	case 5:
		r->y = nz(r, r->mem[at]);
		break;
	case 6:
		if (!nop)
			compare(r, r->y, r->mem[at]);
		break;
	case 7:
		if (!nop)
			compare(r, r->x, r->mem[at]);
		break;
	}
}

/* Column 3, NMOS: those that do two things at once. */
static void column3(struct reference *r, uint8_t op, uint16_t at)
{
	int row = op >> 5;
	if (row == 4) {
		r->mem[at] = r->a & r->x;
	} else if (row == 5) {
		r->a = r->x = nz(r, r->mem[at]);
	} else {
		r->mem[at] = shift(r, row, r->mem[at]);
		arithmetic(r, row, r->mem[at]);
	}
}

static void arr(struct reference *r, uint8_t value)
{
	uint8_t both = r->a & value, carry = r->p & C;
	r->a = nz(r, both >> 1 | carry << 7);
	if (!(r->p & D)) {
		flag(r, C, r->a & 0x40);
		flag(r, V, (r->a >> 6 ^ r->a >> 5) & 1);
		return;
	}
	flag(r, V, (both ^ r->a) & 0x40);
	flag(r, C, (both >> 4) + (both >> 4 & 1) > 5);
	if ((both & 15) + (both & 1) > 5)
		r->a = (r->a & 0xf0) | ((r->a + 6) & 15);
	if (r->p & C)
		r->a += 0x60;
}

/* The immediate ones of column 3, NMOS. */
static void odd_immediate(struct reference *r, uint8_t op, uint8_t value)
{
	uint8_t both = r->a & value;
	switch (op) {
	case 0x0b:
	case 0x2b:
		r->a = nz(r, both);
		flag(r, C, both & 0x80);
		break;
	case 0x4b:
		flag(r, C, both & 1);
		r->a = nz(r, both >> 1);
		break;
	case 0x6b:
		arr(r, value);
		break;
	case 0x8b:
		r->a = nz(r, (r->a | 0xee) & r->x & value);
		break;
	case 0xab:
		r->a = r->x = nz(r, (r->a | 0xee) & value);
		break;
	case 0xcb:
		both = r->a & r->x;
		compare(r, both, value);
		r->x = both - value;
		break;
	case 0xeb:
		subtract(r, value);
		break;
	}
}

/* The stores that depend on the address's high byte; false: not of them. */
static bool unstable(struct reference *r, uint8_t op, uint16_t at, uint16_t base)
{
	uint8_t high = (base >> 8) + 1, value;
	switch (op) {
	case 0x93:
	case 0x9f:
		value = r->a & r->x & high;
		break;
	case 0x9b:
		r->s = r->a & r->x;
		value = r->s & high;
		break;
	case 0x9c:
		value = r->y & high;
		break;
	case 0x9e:
		value = r->x & high;
		break;
	default:
		return false;
	}
	if (at >> 8 != base >> 8)
		at = value << 8 | (at & 0xff);
	r->mem[at] = value;
	return true;
}

/* Whether an instruction that doesn't cross a page is a cycle faster than its kin. */
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
	enum mode mode = mode_of(r, op);
	bool crossed;
	uint16_t base, at;
	int row = op >> 5;

	if (mode == IMPLIED)
		return;
	if (mode == ACCU) {
		r->a = shift(r, row, r->a);
		return;
	}
	at = address(r, mode, &crossed, &base);
	r->cycles += crossed && pays(r, op, mode);
	if (!r->cmos && unstable(r, op, at, base))
		return;
	if ((op & 3) == 1 || (r->cmos && (op & 0x1f) == 0x12)) {
		if (row == 4) {
			if (op != 0x89)
				r->mem[at] = r->a;
		} else {
			arithmetic(r, row, r->mem[at]);
		}
	} else if ((op & 3) == 0) {
		column0(r, op, at);
	} else if ((op & 3) == 3 && mode == IMM) {
		odd_immediate(r, op, r->mem[at]);
	} else if (op == 0xbb) {
		r->a = r->x = r->s = nz(r, r->s & r->mem[at]);
	} else if ((op & 3) == 3) {
		column3(r, op, at);
	} else if (row == 4) {
		if (mode != IMM)
			r->mem[at] = r->x;
	} else if (row == 5) {
		r->x = nz(r, r->mem[at]);
	} else if (mode != IMM) {
		r->mem[at] = shift(r, row, r->mem[at]);
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
	if (r->cmos && cmos_only(r, op))
		return;
	if (!special(r, op))
		ordinary(r, op);
}
