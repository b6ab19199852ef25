/* SPDX-License-Identifier: MIT */
/* reference-alu: what is computed, and its flags; see reference-inside.h. */
#include "tests/vm-6502/reference-inside.h"

void reference_flag(struct reference *r, int which, bool set)
{
	r->p = set ? r->p | which : r->p & ~which;
}

uint8_t reference_nz(struct reference *r, uint8_t value)
{
	reference_flag(r, Z, value == 0);
	reference_flag(r, N, value & 0x80);
	return value;
}

static void add(struct reference *r, uint8_t b)
{
	unsigned a = r->a, carry = r->p & C, sum = a + b + carry;
	unsigned low = (a & 15) + (b & 15) + carry, high = (a >> 4) + (b >> 4);

	reference_nz(r, sum);
	reference_flag(r, V, ~(a ^ b) & (a ^ sum) & 0x80);
	reference_flag(r, C, sum > 255);
	if (!(r->p & D)) {
		r->a = sum;
		return;
	}
	if (low > 9)
		low += 6, high++;
	reference_flag(r, N, high & 8);
	reference_flag(r, V, ~(a ^ b) & (a ^ high << 4) & 0x80);
	if (high > 9)
		high += 6;
	reference_flag(r, C, high > 15);
	r->a = (high & 15) << 4 | (low & 15);
	if (r->cmos)
		reference_nz(r, r->a), r->cycles++;
}

void reference_subtract(struct reference *r, uint8_t b)
{
	int a = r->a, borrow = !(r->p & C), difference = a - b - borrow;
	int low = (a & 15) - (b & 15) - borrow, high = (a >> 4) - (b >> 4);

	reference_nz(r, difference);
	reference_flag(r, V, (a ^ b) & (a ^ difference) & 0x80);
	reference_flag(r, C, difference >= 0);
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
	r->a = reference_nz(r, difference);
	r->cycles++;
}

void reference_compare(struct reference *r, uint8_t reg, uint8_t value)
{
	reference_nz(r, reg - value);
	reference_flag(r, C, reg >= value);
}

/* The eight operations of column 1: ORA AND EOR ADC - LDA CMP SBC. */
void reference_arithmetic(struct reference *r, int row, uint8_t value)
{
	switch (row) {
	case 0:
		r->a = reference_nz(r, r->a | value);
		break;
	case 1:
		r->a = reference_nz(r, r->a & value);
		break;
	case 2:
		r->a = reference_nz(r, r->a ^ value);
		break;
	case 3:
		add(r, value);
		break;
	case 5:
		r->a = reference_nz(r, value);
		break;
	case 6:
		reference_compare(r, r->a, value);
		break;
	case 7:
		reference_subtract(r, value);
		break;
	}
}

/* Those of column 2: ASL ROL LSR ROR - - DEC INC. */
uint8_t reference_shift(struct reference *r, int row, uint8_t value)
{
	int carry = r->p & C;
	switch (row) {
	case 0:
		reference_flag(r, C, value & 128);
		return reference_nz(r, value << 1);
	case 1:
		reference_flag(r, C, value & 128);
		return reference_nz(r, value << 1 | carry);
	case 2:
		reference_flag(r, C, value & 1);
		return reference_nz(r, value >> 1);
	case 3:
		reference_flag(r, C, value & 1);
		return reference_nz(r, value >> 1 | carry << 7);
	case 6:
		return reference_nz(r, value - 1);
	}
	return reference_nz(r, value + 1);
}

void reference_bit(struct reference *r, uint8_t value)
{
	reference_flag(r, Z, !(r->a & value));
	reference_flag(r, V, value & 0x40);
	reference_flag(r, N, value & 0x80);
}
