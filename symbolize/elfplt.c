/* SPDX-License-Identifier: MIT */
/* See elfplt.h. */
#include "symbolize/elfplt.h"

#include <gelf.h>
#include <string.h>

static bool is_plt(const char *name)
{
	return name && (strcmp(name, ".plt") == 0 || strncmp(name, ".plt.", 5) == 0 ||
			strcmp(name, ".iplt") == 0);
}

/* The section that holds ADDRESS, if it is a table of stubs. */
static Elf_Scn *find_table(Elf *elf, uint64_t address, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, shdr) && shdr->sh_type == SHT_PROGBITS &&
		    address - shdr->sh_addr < shdr->sh_size &&
		    is_plt(elf_strptr(elf, names, shdr->sh_name)))
			return scn;
	return NULL;
}

static uint32_t read32(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Where a stub leads, by its code: through a slot, or by the index that it pushes. */
struct decoded {
	bool has_slot, has_index;
	uint64_t slot;  /* address in the global offset table */
	uint32_t index; /* in .rela.plt */
};

/*
 * Decodes a stub, by Intel's manual, volume 2: FF /4 with RIP + disp32 is `jmp *slot`, FF /6 with
 * RIP + disp32 is `push slot`, 68 is `push $index`.
 */
static struct decoded decode(const unsigned char *code, size_t bytes, uint64_t address)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct decoded d = {0};
	size_t i = 0;

	if (bytes >= 4 && memcmp(code, endbr64, 4) == 0)
		i = 4;
	if (i + 5 <= bytes && code[i] == 0x68) {
		d.has_index = true;
		d.index = read32(code + i + 1);
		return d;
	}
	if (i < bytes && code[i] == 0xf2) /* the `bnd` prefix */
		i++;
	if (i + 6 <= bytes && code[i] == 0xff && code[i + 1] == 0x25) {
		d.has_slot = true;
		d.slot = address + i + 6 + (int32_t)read32(code + i + 2);
	}
	return d;
}

static void name_target(Elf *elf, const GElf_Shdr *relocations, const GElf_Rela *rela,
			struct elfplt_stub *stub)
{
	Elf_Scn *symbols = elf_getscn(elf, relocations->sh_link);
	GElf_Shdr shdr;
	GElf_Sym sym;

	if (GELF_R_TYPE(rela->r_info) == R_X86_64_IRELATIVE) {
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
	Elf *elf = image->elf;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	Elf_Scn *table;
	Elf_Data *data;
	struct decoded d;
	uint64_t step, offset;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_machine != EM_X86_64)
		return false;
	table = find_table(elf, address, &shdr);
	if (!table)
		return false;
	step = shdr.sh_entsize == 8 ? 8 : 16;
	offset = (address - shdr.sh_addr) / step * step;
	*stub = (struct elfplt_stub){.start = shdr.sh_addr + offset, .size = step};
	data = elf_rawdata(table, NULL);
	if (!data || !data->d_buf || data->d_size < offset + step)
		return true;
	d = decode((const unsigned char *)data->d_buf + offset, step, stub->start);
	if (d.has_slot || d.has_index)
		find_relocation(elf, &d, stub);
	return true;
}

static uint64_t slot_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
	GElf_Rela rela;

	for (size_t i = 0; i < count; i++) {
		struct elfplt_stub of = {0};

		if (!gelf_getrela(data, i, &rela) || GELF_R_TYPE(rela.r_info) != R_X86_64_GLOB_DAT)
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
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	uint64_t slot = 0;

	if (!gelf_getehdr(image->elf, &ehdr) || ehdr.e_machine != EM_X86_64)
		return 0;
	while (!slot && (scn = elf_nextscn(image->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_RELA)
			slot = slot_in(image->elf, scn, &shdr, name);
	return slot;
}
