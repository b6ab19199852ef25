/* SPDX-License-Identifier: MIT */
/* See elfsym.h. */
#include "symbolize/elfsym.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* How many symbols before the nearest one are tried, since one function may surround another. */
enum { LOOK_BACK = 64 };

static int by_start(const void *a, const void *b)
{
	const struct elfsym_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* The end of the section that a symbol is in; START if the section is unknown. */
static uint64_t section_end(Elf *elf, GElf_Word section, GElf_Addr bias, uint64_t start)
{
	GElf_Shdr shdr;

	if (elf && gelf_getshdr(elf_getscn(elf, section), &shdr) &&
	    start - bias - shdr.sh_addr < shdr.sh_size)
		return shdr.sh_addr + bias + shdr.sh_size;
	return start;
}

/* Whether symbol INDEX names code, or data; fills all of ENTRY but the size of a label. */
static bool take_symbol(const struct image *image, bool variables, int index,
			struct elfsym_entry *entry, uint64_t *limit)
{
	GElf_Sym sym;
	GElf_Addr start, bias = 0;
	GElf_Word section;
	Elf *elf = NULL;
	GElf_Shdr shdr;
	const char *name;
	int type;

	name = dwfl_module_getsym_info(image->mod, index, &sym, &start, &section, &elf, &bias);
	if (!name || !*name || section == SHN_UNDEF || section == SHN_ABS)
		return false;
	type = GELF_ST_TYPE(sym.st_info);
	if (variables) {
		if (type != STT_OBJECT || !sym.st_size)
			return false;
	} else if (type == STT_NOTYPE) {
		/* A label of assembly code is taken only in a section of code. */
		if (start < image->code_start || name[0] == '$' || strncmp(name, ".L", 2) == 0 ||
		    !elf || !gelf_getshdr(elf_getscn(elf, section), &shdr) ||
		    !(shdr.sh_flags & SHF_EXECINSTR))
			return false;
	} else if (type != STT_FUNC && type != STT_GNU_IFUNC) {
		return false;
	}
	entry->start = start;
	entry->size = sym.st_size < UINT32_MAX ? sym.st_size : UINT32_MAX;
	entry->label = sym.st_size == 0;
	entry->index = index;
	*limit = entry->label ? section_end(elf, section, bias, start) : 0;
	return true;
}

/* A label reaches to the next symbol or the end of its section, whichever comes first. */
static void size_labels(struct elfsym_table *table)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = table->count; i-- > 0;) {
		struct elfsym_entry *e = &table->entries[i];

		if (i + 1 < table->count && table->entries[i + 1].start > e->start)
			next = table->entries[i + 1].start;
		if (e->label && next - e->start < e->size)
			e->size = next - e->start;
	}
}

void elfsym_load(struct elfsym_table *table, const struct image *image)
{
	struct elfsym_entry entry;
	uint64_t limit;
	size_t room = 0;
	int count;

	if (table->loaded)
		return;
	table->loaded = true;
	count = dwfl_module_getsymtab(image->mod);
	for (int i = 1; i < count; i++) {
		if (!take_symbol(image, table->variables, i, &entry, &limit))
			continue;
		if (entry.label)
			entry.size =
			    limit - entry.start < UINT32_MAX ? limit - entry.start : UINT32_MAX;
		if (table->count == room) {
			size_t more = room ? room * 2 : 64;
			void *bigger = reallocarray(table->entries, more, sizeof(entry));

			if (!bigger)
				break;
			table->entries = bigger;
			room = more;
		}
		table->entries[table->count++] = entry;
	}
	if (table->count)
		qsort(table->entries, table->count, sizeof(entry), by_start);
	size_labels(table);
}

void elfsym_fini(struct elfsym_table *table)
{
	free(table->entries);
	*table = (struct elfsym_table){0};
}

const char *elfsym_name(const struct image *image, const struct elfsym_entry *entry,
			enum symbolize_quality *quality)
{
	Elf *elf = NULL;
	Elf_Scn *section = NULL;
	GElf_Sym sym;
	GElf_Addr start;
	GElf_Shdr shdr;
	const char *name =
	    dwfl_module_getsym_info(image->mod, entry->index, &sym, &start, NULL, &elf, NULL);

	if (quality) {
		/* libdwfl reads a file's .dynsym only if the file has no .symtab. */
		*quality = SYMBOLIZE_DYNSYM;
		while (elf && (section = elf_nextscn(elf, section)))
			if (gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_SYMTAB)
				*quality = SYMBOLIZE_SYMTAB;
	}
	return name ? name : "?";
}

/* How good a name is for its address among aliases; greater is better. */
static int rank(const struct image *image, const struct elfsym_entry *entry, const char *like,
		const char *or_like)
{
	GElf_Sym sym;
	GElf_Addr start;
	const char *name =
	    dwfl_module_getsym_info(image->mod, entry->index, &sym, &start, NULL, NULL, NULL);

	if (name && like && strcmp(name, like) == 0)
		return 7;
	if (name && or_like && strcmp(name, or_like) == 0)
		return 6;
	if (entry->label)
		return 0;
	switch (GELF_ST_BIND(sym.st_info)) {
	case STB_GLOBAL:
		return 5;
	case STB_WEAK:
		return 4;
	default:
		return 3;
	}
}

static const struct elfsym_entry *best_alias(const struct elfsym_table *table,
					     const struct image *image,
					     const struct elfsym_entry *entry, const char *like,
					     const char *or_like)
{
	const struct elfsym_entry *best = entry, *e = entry;
	int best_rank;

	while (e > table->entries && e[-1].start == entry->start)
		e--;
	best_rank = -1;
	for (; e < table->entries + table->count && e->start == entry->start; e++) {
		/* An alias that covers fewer bytes than the symbol found is never taken. */
		int r = e->size < entry->size ? -1 : rank(image, e, like, or_like);

		if (r > best_rank) {
			best = e;
			best_rank = r;
		}
	}
	return best;
}

/* How many symbols begin at ADDRESS or before it. */
static size_t count_before(const struct elfsym_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the section begins that holds ADDRESS; false: none does. */
static bool section_start(Elf *elf, uint64_t address, uint64_t *start)
{
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &shdr) && shdr.sh_flags & SHF_EXECINSTR &&
		    address - shdr.sh_addr < shdr.sh_size) {
			*start = shdr.sh_addr;
			return true;
		}
	return false;
}

const struct elfsym_entry *elfsym_before(const struct elfsym_table *table,
					 const struct image *image, uint64_t address)
{
	size_t count = count_before(table, address);
	uint64_t start;

	if (!count || !section_start(image->elf, address, &start) ||
	    table->entries[count - 1].start < start)
		return NULL;
	return best_alias(table, image, &table->entries[count - 1], NULL, NULL);
}

const struct elfsym_entry *elfsym_find(const struct elfsym_table *table, const struct image *image,
				       uint64_t address, const char *like, const char *or_like)
{
	const struct elfsym_entry *label = NULL;
	size_t low = count_before(table, address);

	for (size_t i = low; i-- > 0 && low - i <= LOOK_BACK;) {
		const struct elfsym_entry *e = &table->entries[i];
		bool holds = address - e->start < e->size;

		if (holds && !e->label)
			return best_alias(table, image, e, like, or_like);
		if (holds && !label)
			label = e;
	}
	return label;
}
