/* SPDX-License-Identifier: MIT */
/* record_elf.c - see record_elf.h. */
#define _GNU_SOURCE
#include "report/record/record_elf.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool record_elf_open(struct record_elf *e, const char *path)
{
	struct stat st;
	void *all = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	*e = (struct record_elf){0};
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(Elf64_Ehdr))
		all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (all == MAP_FAILED)
		return false;
	*e = (struct record_elf){all, (size_t)st.st_size};
	if (!memcmp(e->bytes, ELFMAG, SELFMAG) && e->bytes[EI_CLASS] == ELFCLASS64 &&
	    e->bytes[EI_DATA] == ELFDATA2LSB)
		return true;
	record_elf_close(e);
	return false;
}

void record_elf_close(struct record_elf *e)
{
	if (e->bytes)
		munmap((void *)e->bytes, e->size);
	*e = (struct record_elf){0};
}

/* The header of section I, which is copied: nothing says that it is aligned. */
static bool read_header(const struct record_elf *e, size_t i, Elf64_Shdr *h)
{
	Elf64_Ehdr head;
	memcpy(&head, e->bytes, sizeof head);
	if (i >= head.e_shnum || head.e_shentsize != sizeof *h || head.e_shoff > e->size ||
	    (e->size - head.e_shoff) / sizeof *h <= i)
		return false;
	memcpy(h, e->bytes + head.e_shoff + i * sizeof *h, sizeof *h);
	return true;
}

bool record_elf_section(const struct record_elf *e, size_t i, struct record_section *s)
{
	Elf64_Shdr h;
	if (!read_header(e, i, &h) || h.sh_type == SHT_NOBITS || h.sh_offset > e->size ||
	    h.sh_size > e->size - h.sh_offset)
		return false;
	*s = (struct record_section){e->bytes + h.sh_offset, h.sh_size, h.sh_link};
	return true;
}

/* Whether TEXT stands at offset AT of a section of texts. */
static bool is_text(const struct record_section *texts, size_t at, const char *text)
{
	size_t bytes = strlen(text) + 1;
	return at < texts->size && bytes <= texts->size - at &&
	       !memcmp(texts->bytes + at, text, bytes);
}

bool record_elf_named(const struct record_elf *e, const char *name, struct record_section *s)
{
	Elf64_Ehdr head;
	Elf64_Shdr h;
	struct record_section names;
	memcpy(&head, e->bytes, sizeof head);
	if (!record_elf_section(e, head.e_shstrndx, &names))
		return false;
	for (size_t i = 0; read_header(e, i, &h); i++)
		if (is_text(&names, h.sh_name, name))
			return record_elf_section(e, i, s);
	return false;
}

/* Whether the table of dynamic symbols has NAME, as one that the file defines, or as another file's. */
static bool find_symbol(const struct record_elf *e, const char *name, bool defined, uint64_t *value)
{
	struct record_section symbols, names;
	if (!record_elf_named(e, ".dynsym", &symbols) ||
	    !record_elf_section(e, symbols.link, &names))
		return false;
	for (size_t at = 0; symbols.size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;
		memcpy(&symbol, symbols.bytes + at, sizeof symbol);
		if ((symbol.st_shndx != SHN_UNDEF) == defined &&
		    is_text(&names, symbol.st_name, name)) {
			*value = symbol.st_value;
			return true;
		}
	}
	return false;
}

bool record_elf_uses(const struct record_elf *e, const char *name)
{
	uint64_t value;
	return find_symbol(e, name, false, &value);
}

bool record_elf_defines(const struct record_elf *e, const char *name, uint64_t *value)
{
	return find_symbol(e, name, true, value);
}
