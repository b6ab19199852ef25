/* SPDX-License-Identifier: MIT */
/* See elfplt.h. */
#include "symbolize/elfplt.h"

#include <gelf.h>
#include <string.h>

#include "symbolize/arm64.h"
#include "symbolize/flow.h"
#include "symbolize/instruction.h"

static bool is_plt(const char *name)
{
	return name && (strcmp(name, ".plt") == 0 || strncmp(name, ".plt.", 5) == 0 ||
			strcmp(name, ".iplt") == 0);
}

static unsigned machine_of(Elf *elf)
{
	GElf_Ehdr ehdr;

	return gelf_getehdr(elf, &ehdr) ? ehdr.e_machine : EM_NONE;
}

/* A section of stubs. */
struct table {
	GElf_Shdr shdr;
	const unsigned char *code;
	uint64_t bytes; /* of the code; 0: the file does not have it */
};

/* Finds the table that holds ADDRESS. */
static bool find_table(Elf *elf, uint64_t address, struct table *t)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &t->shdr) || t->shdr.sh_type != SHT_PROGBITS ||
		    address - t->shdr.sh_addr >= t->shdr.sh_size ||
		    !is_plt(elf_strptr(elf, names, t->shdr.sh_name)))
			continue;
		data = elf_rawdata(scn, NULL);
		t->code = data ? data->d_buf : NULL;
		t->bytes = t->code ? data->d_size : 0;
		return true;
	}
	return false;
}

/* Where a stub leads, by its code: through a slot, or by the index that it pushes. */
struct decoded {
	bool has_slot, has_index;
	uint64_t slot;  /* address in the global offset table */
	uint32_t index; /* in .rela.plt */
};

/* ---- x86-64 */

/*
 * Decodes a stub, by Intel's manual, volume 2: FF /4 with RIP + disp32 is `jmp *slot`, FF /6 with
 * RIP + disp32 is `push slot`, 68 is `push $index`.
 */
static struct decoded decode_x86_64(const unsigned char *code, size_t bytes, uint64_t address)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct decoded d = {0};
	size_t i = 0;

	if (bytes >= 4 && memcmp(code, endbr64, 4) == 0)
		i = 4;
	if (i + 5 <= bytes && code[i] == 0x68) {
		d.has_index = true;
		d.index = (uint32_t)instruction_number(code + i + 1, 4);
		return d;
	}
	if (i < bytes && code[i] == 0xf2) /* the `bnd` prefix */
		i++;
	if (i + 6 <= bytes && code[i] == 0xff && code[i + 1] == 0x25) {
		d.has_slot = true;
		d.slot = address + i + 6 + (uint64_t)instruction_number(code + i + 2, 4);
	}
	return d;
}

/* A table has stubs of one size, from its beginning on. */
static struct decoded find_x86_64(const struct table *t, uint64_t at, struct elfplt_stub *stub)
{
	uint64_t step = t->shdr.sh_entsize == 8 ? 8 : 16, begin = at / step * step;

	*stub = (struct elfplt_stub){.start = t->shdr.sh_addr + begin, .size = step};
	if (t->bytes < begin + step)
		return (struct decoded){0};
	return decode_x86_64(t->code + begin, step, stub->start);
}

/* ---- arm64 */

/*
 * A linker chooses the code of its stubs (Arm's ABI for ELF, "Procedure Linkage Table"). Each has one adrp
 * of x16, before which may be one that a jump may lead to; the first of a table pushes registers there. The
 * last instruction goes to x17. No-ops may follow.
 */
enum { BTI_C = 0xd503245f, NOP = 0xd503201f, PUSH = 0xa9bf7bf0, GO = 0xd61f0220 };

static uint32_t word_at(const struct table *t, uint64_t at)
{
	return at + ARM64_BYTES <= t->bytes ? arm64_word(t->code + at) : 0;
}

/* Whether an instruction at AT comes before the adrp of a stub. */
static bool is_ahead(const struct table *t, uint64_t at)
{
	return word_at(t, at) == BTI_C || word_at(t, at) == (uint32_t)PUSH;
}

static bool begins(const struct table *t, uint64_t at)
{
	return (is_ahead(t, at) || (word_at(t, at) & 0x9f00001f) == 0x90000010) &&
	       !(at >= ARM64_BYTES && is_ahead(t, at - ARM64_BYTES));
}

/* How far the code goes that begins at AT, with its no-ops. */
static uint64_t end_of(const struct table *t, uint64_t at)
{
	while (at < t->bytes && word_at(t, at) != (uint32_t)GO)
		at += ARM64_BYTES;
	do
		at += ARM64_BYTES;
	while (word_at(t, at) == (uint32_t)NOP);
	return at;
}

/* adrp x16, page; ldr x17, [x16, slot in page] */
static struct decoded decode_arm64(const struct table *t, uint64_t at)
{
	struct arm64_instruction page, load;
	struct decoded d = {0};

	while (is_ahead(t, at))
		at += ARM64_BYTES;
	page = arm64_decode(word_at(t, at));
	load = arm64_decode(word_at(t, at + ARM64_BYTES));
	d.has_slot = page.kind == ARM64_PAGE && load.kind == ARM64_IN_PAGE;
	d.slot = ((t->shdr.sh_addr + at) & -(uint64_t)ARM64_PAGE_BYTES) + (uint64_t)page.distance +
		 load.constant;
	return d;
}

static struct decoded find_arm64(const struct table *t, uint64_t at, struct elfplt_stub *stub)
{
	uint64_t begin = at & -(uint64_t)ARM64_BYTES, end;

	while (begin > 0 && !begins(t, begin))
		begin -= ARM64_BYTES;
	end = end_of(t, begin);
	*stub = (struct elfplt_stub){.start = t->shdr.sh_addr + begin, .size = end - begin};
	if (at < end)
		return decode_arm64(t, begin);
	/* Other code, such as the resolver of thread-local addresses behind the last stub. */
	*stub = (struct elfplt_stub){.start = t->shdr.sh_addr + end, .size = t->shdr.sh_size - end};
	return (struct decoded){0};
}

/* ---- a stub's relocation */

static void name_target(Elf *elf, const GElf_Shdr *relocations, const GElf_Rela *rela,
			struct elfplt_stub *stub)
{
	Elf_Scn *symbols = elf_getscn(elf, relocations->sh_link);
	GElf_Shdr shdr;
	GElf_Sym sym;

	if (GELF_R_TYPE(rela->r_info) ==
	    (machine_of(elf) == EM_AARCH64 ? R_AARCH64_IRELATIVE : R_X86_64_IRELATIVE)) {
		stub->resolver = rela->r_addend;
		return;
	}
	if (GELF_R_SYM(rela->r_info) != 0 && gelf_getshdr(symbols, &shdr) &&
	    gelf_getsym(elf_getdata(symbols, NULL), GELF_R_SYM(rela->r_info), &sym))
		stub->target = elf_strptr(elf, shdr.sh_link, sym.st_name);
	if (stub->target && !*stub->target)
		stub->target = NULL;
}

/* Looks for the stub's relocation in one section. */
static bool search_relocations(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, bool jump_slots,
			       const struct decoded *d, struct elfplt_stub *stub)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
	GElf_Rela rela;

	if (d->has_index) {
		if (!jump_slots || d->index >= count || !gelf_getrela(data, d->index, &rela))
			return false;
		name_target(elf, shdr, &rela, stub);
		return true;
	}
	for (size_t i = 0; i < count; i++)
		if (gelf_getrela(data, i, &rela) && rela.r_offset == d->slot) {
			name_target(elf, shdr, &rela, stub);
			return true;
		}
	return false;
}

static void find_relocation(Elf *elf, const struct decoded *d, struct elfplt_stub *stub)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;
	const char *name;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_RELA)
			continue;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (search_relocations(elf, scn, &shdr, name && strcmp(name, ".rela.plt") == 0, d,
				       stub))
			return;
	}
}

bool elfplt_find(const struct image *image, uint64_t address, struct elfplt_stub *stub)
{
	struct table t = {.code = NULL};
	unsigned machine = machine_of(image->elf);
	struct decoded d;

	if (!flow_is_known(machine) || !find_table(image->elf, address, &t))
		return false;
	address -= t.shdr.sh_addr;
	d = machine == EM_AARCH64 ? find_arm64(&t, address, stub) : find_x86_64(&t, address, stub);
	if (d.has_slot || d.has_index)
		find_relocation(image->elf, &d, stub);
	return true;
}

static uint64_t slot_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
	const uint32_t type =
	    machine_of(elf) == EM_AARCH64 ? R_AARCH64_GLOB_DAT : R_X86_64_GLOB_DAT;
	GElf_Rela rela;

	for (size_t i = 0; i < count; i++) {
		struct elfplt_stub of = {0};

		if (!gelf_getrela(data, i, &rela) || GELF_R_TYPE(rela.r_info) != type)
			continue;
		name_target(elf, shdr, &rela, &of);
		if (of.target && strcmp(of.target, name) == 0)
			return rela.r_offset;
	}
	return 0;
}

uint64_t elfplt_slot(const struct image *image, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	uint64_t slot = 0;

	if (!flow_is_known(machine_of(image->elf)))
		return 0;
	while (!slot && (scn = elf_nextscn(image->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_RELA)
			slot = slot_in(image->elf, scn, &shdr, name);
	return slot;
}
