/* SPDX-License-Identifier: MIT */
/* arm64.c - see arm64.h. */
#include "symbolize/arm64.h"

#include <stdbool.h>

#define NO_REGISTER 31u         /* the stack pointer, or none */
#define BY_CALLS    0x4007ffffu /* x0 to x18, and x30: what a function may change (AAPCS64) */

uint32_t arm64_word(const uint8_t *code)
{
	return code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

static uint32_t bits(uint32_t code, unsigned at, unsigned count)
{
	return code >> at & ((1u << count) - 1);
}

static int64_t sign_extended(uint32_t number, unsigned count)
{
	return (int64_t)((uint64_t)number << (64 - count)) >> (64 - count);
}

static uint32_t one(uint32_t reg)
{
	return reg == NO_REGISTER ? 0 : 1u << reg;
}

/* A distance in instructions, of `count` bits from bit `at` on. */
static void set_distance(struct arm64_instruction *i, uint32_t code, unsigned at, unsigned count)
{
	i->number = ((1u << count) - 1) << at;
	i->distance = sign_extended(bits(code, at, count), count) * ARM64_BYTES;
}

/* Branches, exceptions and system instructions. */
static struct arm64_instruction decode_branch(uint32_t code)
{
	struct arm64_instruction i = {.kind = ARM64_OTHER};

	if ((code & 0x7c000000) == 0x14000000) {
		i.kind = code >> 31 ? ARM64_CALL : ARM64_JUMP;
		set_distance(&i, code, 0, 26);
	} else if ((code & 0xff000000) == 0x54000000 || (code & 0x7e000000) == 0x34000000) {
		i.kind = ARM64_JUMP;
		set_distance(&i, code, 5, 19);
	} else if ((code & 0x7e000000) == 0x36000000) {
		i.kind = ARM64_JUMP;
		set_distance(&i, code, 5, 14);
	} else if ((code & 0xfe000000) == 0xd6000000) {
		i.kind = bits(code, 21, 3) == 1 ? ARM64_CALL_BY : ARM64_LEAVE;
	} else if ((code & 0xffe0001f) == 0xd4200000) { /* brk */
		i.kind = ARM64_LEAVE;
	}
	if (i.kind == ARM64_CALL || i.kind == ARM64_CALL_BY)
		i.written = BY_CALLS;
	else if ((code & 0xffe00000) == 0xd5200000) /* mrs, sysl */
		i.written = one(bits(code, 0, 5));
	return i;
}

static struct arm64_instruction decode_immediate(uint32_t code)
{
	struct arm64_instruction i = {.kind = ARM64_OTHER, .written = one(bits(code, 0, 5))};

	if ((code & 0x1f000000) == 0x10000000) {
		i.kind = code >> 31 ? ARM64_PAGE : ARM64_NEAR;
		i.number = 0x60ffffe0;
		i.distance = sign_extended(bits(code, 5, 19) << 2 | bits(code, 29, 2), 21) *
			     (code >> 31 ? ARM64_PAGE_BYTES : 1);
	} else if ((code & 0x7fc00000) == 0x11000000) { /* add, not shifted */
		i.kind = ARM64_IN_PAGE;
		i.number = 0xfffu << 10;
		i.constant = bits(code, 10, 12);
		i.base = bits(code, 5, 5);
	}
	return i;
}

/* Whether an access of a single register loads it: a store has 0 there, and a prefetch a hint. */
static bool loads_one(uint32_t code)
{
	uint32_t what = bits(code, 22, 2);

	return what != 0 && !(code >> 30 == 3 && what == 2) && !bits(code, 26, 1);
}

/* A load or store whose address is a register and a constant without a sign. */
static struct arm64_instruction decode_by_constant(uint32_t code)
{
	bool long_vector = bits(code, 26, 1) && bits(code, 23, 1);

	return (struct arm64_instruction){.kind = ARM64_IN_PAGE,
					  .number = 0xfffu << 10,
					  .constant = bits(code, 10, 12)
						      << (long_vector ? 4 : code >> 30),
					  .base = bits(code, 5, 5),
					  .written = loads_one(code) ? one(bits(code, 0, 5)) : 0};
}

/* Which registers a load or store of another kind changes. */
static uint32_t written_by_access(uint32_t code)
{
	uint32_t first = one(bits(code, 0, 5)), second = one(bits(code, 10, 5));
	uint32_t base = one(bits(code, 5, 5));

	if ((code & 0x3a000000) == 0x28000000) /* pairs */
		return (bits(code, 22, 1) && !bits(code, 26, 1) ? first | second : 0) |
		       (bits(code, 23, 1) ? base : 0);
	if ((code & 0x3f000000) == 0x08000000) /* exclusive, and ordered */
		return (bits(code, 22, 1) ? first | second : 0) | one(bits(code, 16, 5));
	if ((code & 0x3b200c00) == 0x38200000) /* atomic */
		return first;
	if ((code & 0x3b000000) == 0x38000000)
		return (loads_one(code) ? first : 0) |
		       (!bits(code, 21, 1) && bits(code, 10, 1) ? base : 0);
	return (code & 0x3e800000) == 0x0c800000 ? base : 0; /* vectors, one behind the other */
}

static struct arm64_instruction decode_access(uint32_t code)
{
	struct arm64_instruction i = {.kind = ARM64_OTHER};

	if ((code & 0x3b000000) == 0x39000000)
		return decode_by_constant(code);
	if ((code & 0x3b000000) == 0x18000000) {
		i.kind = ARM64_NEAR;
		set_distance(&i, code, 5, 19);
		i.written = bits(code, 26, 1) || code >> 30 == 3 ? 0 : one(bits(code, 0, 5));
		return i;
	}
	i.written = written_by_access(code);
	return i;
}

/* Conversions and moves to a register of integers; else vector instructions change vectors alone. */
static uint32_t written_by_vector(uint32_t code)
{
	uint32_t what = bits(code, 16, 3);
	bool converts = (code & 0x5f20fc00) == 0x1e200000 && what != 2 && what != 3 && what != 7;
	bool to_fixed = (code & 0x5f200000) == 0x1e000000 && what < 2;
	bool moves = (code & 0xbfe0ec00) == 0x0e002c00;

	return converts || to_fixed || moves ? one(bits(code, 0, 5)) : 0;
}

/* The groups of the manual's first table, by bits 25 to 28. */
struct arm64_instruction arm64_decode(uint32_t code)
{
	struct arm64_instruction i = {.kind = ARM64_OTHER};
	uint32_t group = bits(code, 25, 4);

	if (group == 10 || group == 11)
		return decode_branch(code);
	if (group == 8 || group == 9)
		return decode_immediate(code);
	if ((group & 5) == 4)
		return decode_access(code);
	if ((code & 0xffff0000) == 0) /* udf */
		i.kind = ARM64_LEAVE;
	/* What compares on a condition has flags where others have the register that they change. */
	if ((group & 7) == 5 && (code & 0x1fe00000) != 0x1a400000)
		i.written = one(bits(code, 0, 5));
	else if ((group & 7) == 7)
		i.written = written_by_vector(code);
	return i;
}
