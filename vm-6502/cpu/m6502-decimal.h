/* SPDX-License-Identifier: MIT */
/*
 * m6502-decimal: ADC and SBC with D set, for all inputs, even those that are not decimal digits.
 *
 * The NMOS chip takes Z from the binary sum, N and V from the sum before its high digit is
 * corrected, and all flags of SBC from the binary difference. The 65C02 has N and Z right, and
 * takes V, too, from before the correction. (After Bruce Clark, "Decimal Mode", appendix A.)
 */
#ifndef VM_6502_M6502_DECIMAL_H
#define VM_6502_M6502_DECIMAL_H

#include "vm-6502/cpu/m6502.h"

struct decimal {
	uint16_t nz; /* as m6502.h says */
	uint8_t a, c, v;
};

struct decimal decimal_add_nmos(unsigned a, unsigned b, unsigned carry);
struct decimal decimal_sub_nmos(unsigned a, unsigned b, unsigned carry);
struct decimal decimal_add_cmos(unsigned a, unsigned b, unsigned carry);
struct decimal decimal_sub_cmos(unsigned a, unsigned b, unsigned carry);

#endif
