/* SPDX-License-Identifier: MIT */
/*
 * m6502-ops: what each instruction does; not where its operand comes from (m6502-modes.h), nor how
 * memory is reached (m6502-fast.c, m6502-exact.c).
 *
 * All are statements over these local variables of the core:
 *
 *	a x y s     registers, 0 to 255          ea   effective address
 *	nz c vf     lazy flags (m6502.h)         v    operand, and result of MODIFY and ACCU
 *	di          flags D and I, in the struct
 *	t u         scratch
 *
 * Undocumented instructions, also in decimal mode, behave as on the NMOS chips from which the
 * public single-step cases were recorded.
 */

/* READ: v is the operand. */
#define OP_LDA (a = nz = v)
#define OP_LDX (x = nz = v)
#define OP_LDY (y = nz = v)
#define OP_AND (a = nz = a & v)
#define OP_ORA (a = nz = a | v)
#define OP_EOR (a = nz = a ^ v)
#define OP_BIT (nz = (a & v) | (v & 0x80) << 1, vf = v << 1)
#define OP_CMP (c = a >= v, nz = (a - v) & 0xff)
#define OP_CPX (c = x >= v, nz = (x - v) & 0xff)
#define OP_CPY (c = y >= v, nz = (y - v) & 0xff)
#define OP_NOP ((void)0)

#define ADD_BINARY (t = a + v + c, vf = (a ^ t) & (v ^ t), c = t >> 8, a = nz = t & 0xff)

#define TAKE_DECIMAL(result)                                                                       \
	do {                                                                                       \
		struct decimal decimal_ = result;                                                  \
		a = decimal_.a, nz = decimal_.nz, c = decimal_.c, vf = decimal_.v;                 \
		if (CMOS)                                                                          \
			ONE_MORE();                                                                \
	} while (0)

#define OP_ADC                                                                                     \
	do {                                                                                       \
		if (LIKELY(!(m->di & M6502_D)))                                                    \
			ADD_BINARY;                                                                \
		else                                                                               \
			TAKE_DECIMAL((CMOS ? decimal_add_cmos : decimal_add_nmos)(a, v, c));       \
	} while (0)

#define OP_SBC                                                                                     \
	do {                                                                                       \
		if (LIKELY(!(m->di & M6502_D)))                                                    \
			v ^= 0xff, ADD_BINARY;                                                     \
		else                                                                               \
			TAKE_DECIMAL((CMOS ? decimal_sub_cmos : decimal_sub_nmos)(a, v, c));       \
	} while (0)

/* READ, undocumented. */
#define OP_LAX (a = x = nz = v)
#define OP_ANC (a = nz = a & v, c = a >> 7)
#define OP_ALR (t = a & v, c = t & 1, a = nz = t >> 1)
#define OP_ANE (a = nz = (a | 0xee) & x & v)
#define OP_LXA (a = x = nz = (a | 0xee) & v)
#define OP_AXS (t = a & x, c = t >= v, x = nz = (t - v) & 0xff)
#define OP_LAS (a = x = s = nz = s & v)
#define OP_ARR                                                                                     \
	do {                                                                                       \
		t = a & v;                                                                         \
		a = nz = t >> 1 | c << 7;                                                          \
		if (LIKELY(!(m->di & M6502_D))) {                                                  \
			c = a >> 6 & 1;                                                            \
			vf = (a ^ a << 1) << 1;                                                    \
			break;                                                                     \
		}                                                                                  \
		vf = (t ^ a) << 1;                                                                 \
		c = (t & 0xf0) + (t & 0x10) > 0x50;                                                \
		if ((t & 0x0f) + (t & 0x01) > 0x05)                                                \
			a = (a & 0xf0) | ((a + 0x06) & 0x0f);                                      \
		if (c)                                                                             \
			a = (a + 0x60) & 0xff;                                                     \
	} while (0)

/* WRITE: the value stored. */
#define OP_STA (a)
#define OP_STX (x)
#define OP_STY (y)
#define OP_STZ (0)
#define OP_SAX (a & x)

/* UNSTABLE: the value stored is ANDed with the high byte of the unindexed address, plus 1. */
#define OP_SHA (a & x)
#define OP_SHX (x)
#define OP_SHY (y)
#define OP_TAS (s = a & x)

/* MODIFY and ACCU: v becomes its new value. */
#define OP_ASL (c = v >> 7, nz = v = v << 1 & 0xff)
#define OP_LSR (c = v & 1, nz = v = v >> 1)
#define OP_ROL (t = v << 1 | c, c = v >> 7, nz = v = t & 0xff)
#define OP_ROR (t = v >> 1 | c << 7, c = v & 1, nz = v = t)
#define OP_INC (nz = v = (v + 1) & 0xff)
#define OP_DEC (nz = v = (v - 1) & 0xff)

/* MODIFY, undocumented: two instructions in one. */
#define OP_SLO (c = v >> 7, v = v << 1 & 0xff, a = nz = a | v)
#define OP_RLA (t = v << 1 | c, c = v >> 7, v = t & 0xff, a = nz = a & v)
#define OP_SRE (c = v & 1, v = v >> 1, a = nz = a ^ v)
#define OP_DCP (v = (v - 1) & 0xff, c = a >= v, nz = (a - v) & 0xff)
#define OP_RRA                                                                                     \
	do {                                                                                       \
		u = v >> 1 | c << 7, c = v & 1, v = u;                                             \
		OP_ADC;                                                                            \
		v = u;                                                                             \
	} while (0)
#define OP_ISC                                                                                     \
	do {                                                                                       \
		u = v = (v + 1) & 0xff;                                                            \
		OP_SBC;                                                                            \
		v = u;                                                                             \
	} while (0)

/* MODIFY, 65C02. */
#define ONLY_Z(value) (nz = ((value) ? 1 : 0) | (nz & 0x180 ? 0x100 : 0))
#define OP_TSB        (ONLY_Z(a & v), v |= a)
#define OP_TRB        (ONLY_Z(a & v), v &= ~a)
#define OP_RMB0       (v &= ~0x01)
#define OP_RMB1       (v &= ~0x02)
#define OP_RMB2       (v &= ~0x04)
#define OP_RMB3       (v &= ~0x08)
#define OP_RMB4       (v &= ~0x10)
#define OP_RMB5       (v &= ~0x20)
#define OP_RMB6       (v &= ~0x40)
#define OP_RMB7       (v &= ~0x80)
#define OP_SMB0       (v |= 0x01)
#define OP_SMB1       (v |= 0x02)
#define OP_SMB2       (v |= 0x04)
#define OP_SMB3       (v |= 0x08)
#define OP_SMB4       (v |= 0x10)
#define OP_SMB5       (v |= 0x20)
#define OP_SMB6       (v |= 0x40)
#define OP_SMB7       (v |= 0x80)

/* BRANCH: the condition; BITBRANCH: on v. */
#define OP_BPL  (!(nz & 0x180))
#define OP_BMI  (nz & 0x180)
#define OP_BVC  (!(vf & 0x80))
#define OP_BVS  (vf & 0x80)
#define OP_BCC  (!c)
#define OP_BCS  (c)
#define OP_BNE  (nz & 0xff)
#define OP_BEQ  (!(nz & 0xff))
#define OP_BRA  (1)
#define OP_BBR0 (!(v & 0x01))
#define OP_BBR1 (!(v & 0x02))
#define OP_BBR2 (!(v & 0x04))
#define OP_BBR3 (!(v & 0x08))
#define OP_BBR4 (!(v & 0x10))
#define OP_BBR5 (!(v & 0x20))
#define OP_BBR6 (!(v & 0x40))
#define OP_BBR7 (!(v & 0x80))
#define OP_BBS0 (v & 0x01)
#define OP_BBS1 (v & 0x02)
#define OP_BBS2 (v & 0x04)
#define OP_BBS3 (v & 0x08)
#define OP_BBS4 (v & 0x10)
#define OP_BBS5 (v & 0x20)
#define OP_BBS6 (v & 0x40)
#define OP_BBS7 (v & 0x80)

/* REGISTER */
#define OP_INX (x = nz = (x + 1) & 0xff)
#define OP_INY (y = nz = (y + 1) & 0xff)
#define OP_DEX (x = nz = (x - 1) & 0xff)
#define OP_DEY (y = nz = (y - 1) & 0xff)
#define OP_TAX (x = nz = a)
#define OP_TAY (y = nz = a)
#define OP_TXA (a = nz = x)
#define OP_TYA (a = nz = y)
#define OP_TSX (x = nz = s)
#define OP_TXS (s = x)
#define OP_CLC (c = 0)
#define OP_SEC (c = 1)
#define OP_CLV (vf = 0)
#define OP_CLD (m->di &= ~M6502_D)
#define OP_SED (m->di |= M6502_D)
#define OP_CLI (m->di &= ~M6502_I)
#define OP_SEI (m->di |= M6502_I)
