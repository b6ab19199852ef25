/* SPDX-License-Identifier: MIT */
/* reference-cmos: what only the 65C02 has; see reference-inside.h. */
#include "tests/vm-6502/reference-inside.h"

/* What only the 65C02 has; false: not of them. */
bool reference_cmos(struct reference *r, uint8_t op)
{
	uint16_t at, base;
	bool crossed;
	uint8_t value;

	if ((op & 7) == 7) {
		int mask = 1 << (op >> 4 & 7);
		at = reference_next(r);
		if (op & 8)
			reference_branch(r, !(r->mem[at] & mask) == !(op & 0x80));
		else
			r->mem[at] = op & 0x80 ? r->mem[at] | mask : r->mem[at] & ~mask;
		return true;
	}
	switch (op) {
	case 0x80:
		reference_branch(r, true);
		return true;
	case 0x5a:
		reference_push(r, r->y);
		return true;
	case 0xda:
		reference_push(r, r->x);
		return true;
	case 0x7a:
		r->y = reference_nz(r, reference_pull(r));
		return true;
	case 0xfa:
		r->x = reference_nz(r, reference_pull(r));
		return true;
	case 0x1a:
		r->a = reference_nz(r, r->a + 1);
		return true;
	case 0x3a:
		r->a = reference_nz(r, r->a - 1);
		return true;
	case 0x89:
		value = reference_next(r);
		reference_flag(r, Z, !(r->a & value));
		return true;
	case 0x7c:
		at = reference_next(r);
		at |= reference_next(r) << 8;
		at += r->x;
		r->pc = r->mem[at] | r->mem[(uint16_t)(at + 1)] << 8;
		return true;
	case 0x64:
	case 0x74:
	case 0x9c:
	case 0x9e:
		r->mem[reference_address(r, reference_mode(r, op), &crossed, &base)] = 0;
		return true;
	case 0x04:
	case 0x0c:
	case 0x14:
	case 0x1c:
		at = reference_address(r, reference_mode(r, op), &crossed, &base);
		reference_flag(r, Z, !(r->a & r->mem[at]));
		r->mem[at] = op & 0x10 ? r->mem[at] & ~r->a : r->mem[at] | r->a;
		return true;
	case 0x34:
	case 0x3c:
		reference_bit(r,
			      r->mem[reference_address(r, reference_mode(r, op), &crossed, &base)]);
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
