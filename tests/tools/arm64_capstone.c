/* SPDX-License-Identifier: MIT */
/*
 * arm64_capstone.c - `arm64_capstone COUNT`: decodes words of a generator of random numbers by Capstone and
 * by symbolize/arm64.c, and prints where the two differ: in kind, distance, constant, or the registers that
 * are changed. Three words in ten are instructions. The last line says how many these were, and how many
 * of them differ.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/arm64.h"

enum { AT = 0x10000000 };

static bool is_one_of(const char *name, const char *names)
{
	const size_t length = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += length)
		if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static enum arm64_kind kind_of(const cs_insn *c)
{
	const char *name = c->mnemonic;
	const cs_arm64 *a = &c->detail->arm64;
	bool literal = !strncmp(name, "ldr", 3) || !strcmp(name, "prfm");

	if (!strncmp(name, "b.", 2) || is_one_of(name, "b cbz cbnz tbz tbnz"))
		return ARM64_JUMP;
	if (is_one_of(name,
		      "br braa braaz brab brabz ret retaa retab eret eretaa eretab drps brk udf"))
		return ARM64_LEAVE;
	if (!strcmp(name, "bl"))
		return ARM64_CALL;
	if (is_one_of(name, "blr blraa blraaz blrab blrabz"))
		return ARM64_CALL_BY;
	if (!strcmp(name, "adrp"))
		return ARM64_PAGE;
	if (!strcmp(name, "adr") ||
	    (literal && a->operands[a->op_count - 1].type == ARM64_OP_IMM && a->op_count == 2))
		return ARM64_NEAR;
	return ARM64_OTHER;
}

static bool has_right_distance(const cs_insn *c, const struct arm64_instruction *i)
{
	const cs_arm64 *a = &c->detail->arm64;

	if (i->kind != ARM64_JUMP && i->kind != ARM64_CALL && i->kind != ARM64_PAGE &&
	    i->kind != ARM64_NEAR)
		return true;
	return a->operands[a->op_count - 1].imm - AT == i->distance;
}

static unsigned number_of(unsigned reg)
{
	if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
		return reg == ARM64_REG_X29 ? 29 : 30;
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return reg - ARM64_REG_X0;
	return reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30 ? reg - ARM64_REG_W0 : 31;
}

/* The operand in memory, or the last two numbers of an addition. */
static bool has_right_constant(const cs_insn *c, const struct arm64_instruction *i)
{
	const cs_arm64 *a = &c->detail->arm64;
	const cs_arm64_op *last = &a->operands[a->op_count - 1];

	if (i->kind != ARM64_IN_PAGE)
		return true;
	if (last->type == ARM64_OP_MEM)
		return number_of(last->mem.base) == i->base &&
		       last->mem.disp == (int32_t)i->constant;
	if (!strcmp(c->mnemonic, "mov")) /* from or to the stack pointer */
		return i->constant == 0;
	return number_of(last[-1].reg) == i->base && last->imm == (int64_t)i->constant;
}

/*
 * Capstone 4 takes registers that a comparison, or a store to the system, only reads for registers that
 * change, and that of `adds` for one that does not. Of loads that order others it does not look at the
 * bits of registers that they do not have; a compiler sets them. It does not know what calls change.
 */
static bool has_right_registers(csh capstone, const cs_insn *c, uint32_t word,
				const struct arm64_instruction *i)
{
	cs_regs read, written;
	uint8_t read_count, written_count;
	uint32_t changed = 0;

	if (is_one_of(c->mnemonic, "adds cmp cmn tst msr sys svc st1") || i->kind == ARM64_CALL ||
	    i->kind == ARM64_CALL_BY || (word & 0x3f000000) == 0x08000000)
		return true;
	if (cs_regs_access(capstone, c, read, &read_count, written, &written_count))
		return true;
	for (unsigned n = 0; n < written_count; n++)
		if (number_of(written[n]) < 31)
			changed |= 1u << number_of(written[n]);
	return changed == i->written;
}

int main(int argc, char **argv)
{
	uint64_t seed = 88172645463325252, count = argc == 2 ? strtoull(argv[1], NULL, 10) : 0,
		 known = 0, wrong = 0;
	csh capstone;
	cs_insn *c;

	if (!count || cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &capstone))
		return 2;
	cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
	for (; count; count--) {
		/* Marsaglia, Xorshift RNGs, 2003 */
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		uint32_t word = (uint32_t)(seed >> 16);
		const uint8_t code[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
					(uint8_t)(word >> 24)};
		struct arm64_instruction i = arm64_decode(arm64_word(code));

		if (cs_disasm(capstone, code, sizeof(code), AT, 1, &c) != 1)
			continue;
		known++;
		enum arm64_kind kind = i.kind == ARM64_IN_PAGE ? ARM64_OTHER : i.kind;
		if (kind != kind_of(c) || !has_right_distance(c, &i) ||
		    !has_right_constant(c, &i) || !has_right_registers(capstone, c, word, &i)) {
			printf("%08" PRIx32 "  %s %s\n", word, c->mnemonic, c->op_str);
			wrong++;
		}
		cs_free(c, 1);
	}
	printf("%" PRIu64 " instructions, %" PRIu64 " differ\n", known, wrong);
	cs_close(&capstone);
	return wrong != 0;
}
