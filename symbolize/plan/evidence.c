/* SPDX-License-Identifier: MIT */
/*
 * evidence.c - addresses of code that stand outside of code: in symbols, in relocations, in the
 * file's header and dynamic section, and, in a program built without PIE, in any aligned word of
 * data.
 */
#include "symbolize/plan/planner.h"

#include <string.h>

static void address(struct planner *p, uint64_t address)
{
	planner_evidence(p, (int64_t)(address - p->module.low));
}

static void look_at_symbols(struct planner *p, Elf_Scn *section, const GElf_Shdr *s)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = s->sh_entsize ? s->sh_size / s->sh_entsize : 0;
	for (size_t k = 0; data && k < count; k++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)k, &symbol))
			return;
		int type = GELF_ST_TYPE(symbol.st_info);
		if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
		    (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE))
			address(p, symbol.st_value);
	}
}

/* The value of symbol number N of a table; 0: there is none. */
static uint64_t symbol_value(Elf_Data *symbols, uint64_t n)
{
	GElf_Sym symbol;
	return symbols && n && gelf_getsym(symbols, (int)n, &symbol) && symbol.st_shndx != SHN_UNDEF
		   ? symbol.st_value
		   : 0;
}

static void look_at_relocations(struct planner *p, Elf_Scn *section, const GElf_Shdr *s)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Scn *linked = elf_getscn(p->module.elf, s->sh_link);
	Elf_Data *symbols = linked && s->sh_link ? elf_getdata(linked, NULL) : NULL;
	size_t count = s->sh_entsize ? s->sh_size / s->sh_entsize : 0;
	for (size_t k = 0; data && k < count; k++) {
		GElf_Rela rela;
		if (!gelf_getrela(data, (int)k, &rela))
			return;
		uint64_t type = GELF_R_TYPE(rela.r_info), value;
		if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE)
			address(p, (uint64_t)rela.r_addend);
		else if (type == R_X86_64_64 &&
			 (value = symbol_value(symbols, GELF_R_SYM(rela.r_info))))
			address(p, value + (uint64_t)rela.r_addend);
	}
}

/* The word of data at an address, which a packed relocation says is an address itself. */
static void look_at_word(struct planner *p, uint64_t where)
{
	uint32_t offset;
	uint64_t word;
	const struct module_range *data;
	if (module_offset(&p->module, where, &offset) &&
	    (data = module_data_at(&p->module, offset)) && data->end - offset >= sizeof(word)) {
		memcpy(&word, data->bytes + (offset - data->start), sizeof(word));
		address(p, word);
	}
}

/*
 * Packed relocations (DT_RELR): an even word is the address of a word of data, an odd one has a bit
 * for each of the 63 words behind those of the word before.
 */
static void look_at_packed(struct planner *p, const GElf_Shdr *s)
{
	uint64_t where = 0;
	if (s->sh_offset > p->module.file_bytes || s->sh_size > p->module.file_bytes - s->sh_offset)
		return;
	for (uint64_t at = 0; at + 8 <= s->sh_size; at += 8) {
		uint64_t word;
		memcpy(&word, p->module.file + s->sh_offset + at, sizeof(word));
		if (!(word & 1)) {
			look_at_word(p, word);
			where = word + 8;
			continue;
		}
		for (unsigned bit = 1; bit < 64; bit++)
			if (word >> bit & 1)
				look_at_word(p, where + 8 * (bit - 1));
		where += UINT64_C(8) * 63;
	}
}

static void look_at_dynamic(struct planner *p, Elf_Scn *section, const GElf_Shdr *s)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = s->sh_entsize ? s->sh_size / s->sh_entsize : 0;
	for (size_t k = 0; data && k < count; k++) {
		GElf_Dyn dynamic;
		if (gelf_getdyn(data, (int)k, &dynamic) &&
		    (dynamic.d_tag == DT_INIT || dynamic.d_tag == DT_FINI))
			address(p, dynamic.d_un.d_ptr);
	}
}

/* Any aligned word may be an address. */
static void look_at_data(struct planner *p)
{
	for (size_t k = 0; k < p->module.datas; k++) {
		const struct module_range *data = &p->module.data[k];
		uint32_t first =
		    (uint32_t)(((p->module.low + data->start + 7) & ~UINT64_C(7)) - p->module.low);
		for (uint64_t at = first; at + 8 <= data->end; at += 8) {
			uint64_t word;
			memcpy(&word, data->bytes + (at - data->start), sizeof(word));
			address(p, word);
		}
	}
}

void planner_find_evidence(struct planner *p)
{
	Elf_Scn *section = NULL;
	address(p, p->module.entry);
	while ((section = elf_nextscn(p->module.elf, section))) {
		GElf_Shdr s;
		if (!gelf_getshdr(section, &s))
			continue;
		if (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM)
			look_at_symbols(p, section, &s);
		else if (s.sh_type == SHT_RELA && (s.sh_flags & SHF_ALLOC))
			look_at_relocations(p, section, &s);
		else if (s.sh_type == SHT_RELR)
			look_at_packed(p, &s);
		else if (s.sh_type == SHT_DYNAMIC)
			look_at_dynamic(p, section, &s);
	}
	if (p->module.fixed)
		look_at_data(p);
}
