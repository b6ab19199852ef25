/* SPDX-License-Identifier: MIT */
/*
 * instruction_zydis.c - `instruction_zydis FILE...`: decodes the code of ELF files by Zydis and by
 * symbolize/instruction.c, and prints where the two differ: in length, kind, place of ModRM,
 * displacement that is relative to the instruction, or target. The last line says how many
 * instructions there were, how many of them differ, and how many only Zydis knows.
 */
#include <Zydis/Zydis.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/instruction.h"

static ZydisDecoder decoder;
static uint64_t all, wrong, unknown;

static enum instruction_kind kind_of(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o)
{
	bool indirect = o[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
	bool far = z->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
		return INSTRUCTION_LOOP;
	case ZYDIS_MNEMONIC_XBEGIN:
		return INSTRUCTION_XBEGIN;
	case ZYDIS_MNEMONIC_JMP:
		return far        ? INSTRUCTION_FAR
		       : indirect ? INSTRUCTION_JMP_INDIRECT
				  : INSTRUCTION_JMP;
	case ZYDIS_MNEMONIC_CALL:
		return far        ? INSTRUCTION_FAR
		       : indirect ? INSTRUCTION_CALL_INDIRECT
				  : INSTRUCTION_CALL;
	case ZYDIS_MNEMONIC_RET:
		return far ? INSTRUCTION_FAR : INSTRUCTION_RET;
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT:
		return INSTRUCTION_FAR;
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
		return INSTRUCTION_TRAP;
	case ZYDIS_MNEMONIC_INT3:
		return INSTRUCTION_INT3;
	case ZYDIS_MNEMONIC_SYSCALL:
	case ZYDIS_MNEMONIC_SYSENTER:
	case ZYDIS_MNEMONIC_INT:
		return INSTRUCTION_SYSCALL;
	case ZYDIS_MNEMONIC_XEND: /* Zydis calls xend a conditional branch */
		return INSTRUCTION_OTHER;
	default:
		return z->meta.category == ZYDIS_CATEGORY_COND_BR ? INSTRUCTION_JCC
								  : INSTRUCTION_OTHER;
	}
}

/* What differs; NULL: nothing does. */
static const char *difference(const uint8_t *code, const ZydisDecodedInstruction *z,
			      const ZydisDecodedOperand *o, const struct instruction *i)
{
	const ZydisDecodedOperand *memory = NULL;
	for (unsigned k = 0; k < z->operand_count_visible; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY)
			memory = &o[k];
	bool from_here = memory && (memory->mem.base == ZYDIS_REGISTER_RIP ||
				    memory->mem.base == ZYDIS_REGISTER_EIP);
	bool by_rsp = memory && memory->mem.base == ZYDIS_REGISTER_RSP;
	if (i->length != z->length)
		return "length";
	if (i->kind != kind_of(z, o))
		return "kind";
	if ((z->attributes & ZYDIS_ATTRIB_HAS_MODRM) && i->modrm_at != z->raw.modrm.offset)
		return "modrm";
	if (i->from_here != from_here)
		return "from_here";
	if (from_here && (i->displacement_at != z->raw.disp.offset ||
			  i->displacement_bytes * 8 != z->raw.disp.size ||
			  instruction_number(code + i->displacement_at, i->displacement_bytes) !=
			      z->raw.disp.value))
		return "displacement";
	if (i->kind == INSTRUCTION_CALL_INDIRECT &&
	    i->by_rsp != (by_rsp || o[0].reg.value == ZYDIS_REGISTER_RSP))
		return "by_rsp";
	bool relative = z->raw.imm[0].is_relative;
	if (i->jump != relative)
		return "jump";
	if (relative &&
	    instruction_number(code + i->immediate_at, i->immediate_bytes) != z->raw.imm[0].value.s)
		return "target";
	return NULL;
}

static void compare(const char *file, uint64_t address, const uint8_t *code, size_t size)
{
	ZydisDecodedInstruction z;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	for (size_t at = 0; at < size; at += z.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &z, o))) {
			z.length = 1;
			continue;
		}
		struct instruction i;
		all++;
		bool known = instruction_decode(code + at, size - at, &i);
		const char *what = known ? difference(code + at, &z, o, &i) : "unknown";
		unknown += !known;
		wrong += known && what;
		if (!what)
			continue;
		printf("%s %s %" PRIx64 ":", what, file, address + at);
		for (unsigned k = 0; k < z.length; k++)
			printf(" %02x", code[at + k]);
		printf("  %s\n", ZydisMnemonicGetString(z.mnemonic));
	}
}

int main(int argc, char **argv)
{
	elf_version(EV_CURRENT);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (int k = 1; k < argc; k++) {
		int fd = open(argv[k], O_RDONLY | O_CLOEXEC);
		Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		Elf_Scn *section = NULL;
		while ((section = elf_nextscn(elf, section))) {
			GElf_Shdr header;
			Elf_Data *data;
			if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) &&
			    header.sh_type == SHT_PROGBITS && (data = elf_rawdata(section, NULL)))
				compare(argv[k], header.sh_addr, data->d_buf, data->d_size);
		}
		elf_end(elf);
		close(fd);
	}
	printf("%" PRIu64 " instructions, %" PRIu64 " differ, %" PRIu64 " unknown\n", all, wrong,
	       unknown);
	return wrong != 0;
}
