/* SPDX-License-Identifier: MIT */
/*
 * m6502-decimal: see the header. Called by each decimal ADC and SBC, so it has no profiler's hooks.
 */
#include "vm-6502/cpu/m6502-decimal.h"

/* The sum with its low digit corrected, and its high digit not yet: at most 0x1a9. */
static M6502_HOT unsigned half_corrected(unsigned a, unsigned b, unsigned carry)
{
	unsigned low = (a & 0x0f) + (b & 0x0f) + carry;
	if (low >= 0x0a)
		low = ((low + 0x06) & 0x0f) + 0x10;
	return (a & 0xf0) + (b & 0xf0) + low;
}

M6502_HOT struct decimal decimal_add_nmos(unsigned a, unsigned b, unsigned carry)
{
	unsigned sum = half_corrected(a, b, carry);
	bool zero = ((a + b + carry) & 0xff) == 0;
	struct decimal r = {.nz = (zero ? 0 : 1) | (sum & 0x80) << 1, .v = (a ^ sum) & (b ^ sum)};

	if (sum >= 0xa0)
		sum += 0x60;
	r.c = sum >= 0x100;
	r.a = sum;
	return r;
}

M6502_HOT struct decimal decimal_add_cmos(unsigned a, unsigned b, unsigned carry)
{
	struct decimal r = decimal_add_nmos(a, b, carry);
	r.nz = r.a;
	return r;
}

M6502_HOT struct decimal decimal_sub_nmos(unsigned a, unsigned b, unsigned carry)
{
	unsigned binary = a + (b ^ 0xff) + carry;
	int low = (int)(a & 0x0f) - (int)(b & 0x0f) + (int)carry - 1;
	if (low < 0)
		low = ((low - 0x06) & 0x0f) - 0x10;
	int difference = (int)(a & 0xf0) - (int)(b & 0xf0) + low;
	if (difference < 0)
		difference -= 0x60;
	return (struct decimal){.a = difference & 0xff,
				.c = binary >> 8,
				.v = (a ^ binary) & (~b ^ binary),
				.nz = binary & 0xff};
}

M6502_HOT struct decimal decimal_sub_cmos(unsigned a, unsigned b, unsigned carry)
{
	unsigned binary = a + (b ^ 0xff) + carry;
	int low = (int)(a & 0x0f) - (int)(b & 0x0f) + (int)carry - 1;
	int difference = (int)a - (int)b + (int)carry - 1;
	if (difference < 0)
		difference -= 0x60;
	if (low < 0)
		difference -= 0x06;
	return (struct decimal){.a = difference & 0xff,
				.c = binary >> 8,
				.v = (a ^ binary) & (~b ^ binary),
				.nz = difference & 0xff};
}
