/* SPDX-License-Identifier: MIT */
/* disassemble.c - see disassemble.h. */
#include "report/annotate/disassemble.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

#define TEXT_OF(number)  #number
#define FILE_OF(version) "libcapstone.so." TEXT_OF(version)

#define FUNCTIONS(X)                                                                               \
	X(open)                                                                                    \
	X(option)                                                                                  \
	X(malloc)                                                                                  \
	X(free)                                                                                    \
	X(disasm_iter)                                                                             \
	X(insn_group)                                                                              \
	X(close)

/* The functions of Capstone, without `cs_` before their names. */
static struct {
#define X(name) __typeof__(&cs_##name) name;
	FUNCTIONS(X)
#undef X
} capstone;

struct disassembler {
	csh handle;
	cs_insn *instruction;
	unsigned machine;
	struct str text;
};

/* (ISO C has no cast from a pointer to an object to one to a function.) */
static bool find(void *file, const char *name, void *to)
{
	void *found = dlsym(file, name);
	memcpy(to, &found, sizeof found);
	return found;
}

/* Loads Capstone, of the version whose header the command was compiled with. It stays loaded. */
static bool load(struct str *err)
{
	void *file = dlopen(FILE_OF(CS_API_MAJOR), RTLD_NOW | RTLD_LOCAL);
	bool all = file;
#define X(name) all = all && find(file, "cs_" #name, &capstone.name);
	FUNCTIONS(X)
#undef X
	return all || str_fail(err,
			       "cannot show instructions without Capstone: %s; install it "
			       "(Debian: libcapstone%d)",
			       dlerror(), CS_API_MAJOR);
}

static bool open_for(struct disassembler *d, struct str *err)
{
	cs_arch processor = d->machine == EM_AARCH64 ? CS_ARCH_ARM64 : CS_ARCH_X86;
	cs_mode mode = d->machine == EM_AARCH64 ? CS_MODE_ARM : CS_MODE_64;
	if (d->machine != EM_X86_64 && d->machine != EM_AARCH64)
		return str_fail(err, "instructions of this processor (number %u) are not known",
				d->machine);
	if (!load(err))
		return false;
	if (capstone.open(processor, mode, &d->handle) != CS_ERR_OK)
		return str_fail(err, "Capstone was built without this processor (number %u)",
				d->machine);
	if (d->machine == EM_X86_64)
		capstone.option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	capstone.option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->instruction = capstone.malloc(d->handle);
	return d->instruction || str_fail(err, "no memory for Capstone");
}

struct disassembler *disassembler_new(unsigned machine, struct str *err)
{
	struct disassembler *d = memory_zeroed(1, sizeof *d);
	d->machine = machine;
	if (open_for(d, err))
		return d;
	disassembler_free(d);
	return NULL;
}

void disassembler_free(struct disassembler *d)
{
	if (!d)
		return;
	if (d->instruction)
		capstone.free(d->instruction, 1);
	if (d->handle)
		capstone.close(&d->handle);
	str_free(&d->text);
	free(d);
}

static uint64_t named_by_x86(const cs_insn *i, bool jumps)
{
	const cs_x86 *x = &i->detail->x86;
	for (uint8_t n = 0; n < x->op_count; n++) {
		const cs_x86_op *o = &x->operands[n];
		if (jumps && o->type == X86_OP_IMM)
			return (uint64_t)o->imm;
		if (o->type == X86_OP_MEM && o->mem.base == X86_REG_RIP)
			return i->address + i->size + (uint64_t)o->mem.disp;
	}
	return 0;
}

static uint64_t named_by_arm64(const cs_insn *i, bool jumps)
{
	const cs_arm64 *a = &i->detail->arm64;
	if (!jumps && i->id != ARM64_INS_ADR && i->id != ARM64_INS_ADRP)
		return 0;
	for (uint8_t n = 0; n < a->op_count; n++)
		if (a->operands[n].type == ARM64_OP_IMM)
			return (uint64_t)a->operands[n].imm;
	return 0;
}

void disassembler_take(struct disassembler *d, const unsigned char *code, size_t left,
		       uint64_t address, struct disassembled *taken)
{
	uint32_t least = d->machine == EM_X86_64 ? 1 : 4;
	cs_insn *i = d->instruction;
	*taken = (struct disassembled){address, least < left ? least : (uint32_t)left, "(bad)", 0,
				       false};
	if (!capstone.disasm_iter(d->handle, &code, &left, &address, i))
		return;
	bool jumps = capstone.insn_group(d->handle, i, CS_GRP_JUMP) ||
		     capstone.insn_group(d->handle, i, CS_GRP_CALL);
	str_clear(&d->text);
	str_add(&d->text, "%s%s%s", i->mnemonic, *i->op_str ? " " : "", i->op_str);
	taken->size = i->size;
	taken->text = str_text(&d->text);
	taken->to = d->machine == EM_X86_64 ? named_by_x86(i, jumps) : named_by_arm64(i, jumps);
	taken->jumps = jumps;
}
