/* SPDX-License-Identifier: MIT */
/* reference-odd: the undocumented instructions of the NMOS chip; see reference-inside.h. */
#include "tests/vm-6502/reference-inside.h"

/* Column 3, NMOS: those that do two things at once. */
void reference_two_at_once(struct reference *r, uint8_t op, uint16_t at)
{
	int row = op >> 5;
	if (row == 4) {
		r->mem[at] = r->a & r->x;
	} else if (row == 5) {
		r->a = r->x = reference_nz(r, r->mem[at]);
	} else {
		r->mem[at] = reference_shift(r, row, r->mem[at]);
		reference_arithmetic(r, row, r->mem[at]);
	}
}

static void arr(struct reference *r, uint8_t value)
{
	uint8_t both = r->a & value, carry = r->p & C;
	r->a = reference_nz(r, both >> 1 | carry << 7);
	if (!(r->p & D)) {
		reference_flag(r, C, r->a & 0x40);
		reference_flag(r, V, (r->a >> 6 ^ r->a >> 5) & 1);
		return;
	}
	reference_flag(r, V, (both ^ r->a) & 0x40);
	reference_flag(r, C, (both >> 4) + (both >> 4 & 1) > 5);
	if ((both & 15) + (both & 1) > 5)
		r->a = (r->a & 0xf0) | ((r->a + 6) & 15);
	if (r->p & C)
		r->a += 0x60;
}

/* The immediate ones of column 3, NMOS. */
void reference_odd_immediate(struct reference *r, uint8_t op, uint8_t value)
{
	uint8_t both = r->a & value;
	switch (op) {
	case 0x0b:
	case 0x2b:
		r->a = reference_nz(r, both);
		reference_flag(r, C, both & 0x80);
		break;
	case 0x4b:
		reference_flag(r, C, both & 1);
		r->a = reference_nz(r, both >> 1);
		break;
	case 0x6b:
		arr(r, value);
		break;
	case 0x8b:
		r->a = reference_nz(r, (r->a | 0xee) & r->x & value);
		break;
	case 0xab:
		r->a = r->x = reference_nz(r, (r->a | 0xee) & value);
		break;
	case 0xcb:
		both = r->a & r->x;
		reference_compare(r, both, value);
		r->x = both - value;
		break;
	case 0xeb:
		reference_subtract(r, value);
		break;
	}
}

/* The stores that depend on the address's high byte; false: not of them. */
bool reference_unstable(struct reference *r, uint8_t op, uint16_t at, uint16_t base)
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
