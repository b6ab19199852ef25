/* SPDX-License-Identifier: MIT */
/* module.c - see module.h. */
#include "symbolize/plan/module.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds where the image begins and how large it is. */
static bool find_image(struct module *m)
{
	size_t count;
	uint64_t low = UINT64_MAX, high = 0;
	if (elf_getphdrnum(m->elf, &count) != 0)
		return false;
	for (size_t k = 0; k < count; k++) {
		GElf_Phdr p;
		if (!gelf_getphdr(m->elf, (int)k, &p))
			return false;
		if (p.p_type != PT_LOAD)
			continue;
		if (p.p_vaddr + p.p_memsz < p.p_vaddr)
			return false;
		low = p.p_vaddr < low ? p.p_vaddr : low;
		high = p.p_vaddr + p.p_memsz > high ? p.p_vaddr + p.p_memsz : high;
	}
	if (low >= high)
		return false;
	m->low = low & ~UINT64_C(4095);
	m->image_bytes = high - m->low <= PLAN_IMAGE_BYTES ? (uint32_t)(high - m->low) : 0;
	return true;
}

/* Keeps the build-id, if the section has it. */
static void take_note(struct module *m, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Nhdr note;
	size_t name, desc, at = 0;
	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const char *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(bytes + name, "GNU", 4) != 0)
			continue;
		m->build_id_bytes = note.n_descsz < PLAN_BUILD_ID ? note.n_descsz : PLAN_BUILD_ID;
		memcpy(m->build_id, bytes + desc, m->build_id_bytes);
		return;
	}
}

static bool add(struct module_range *ranges, size_t *count, struct module_range range)
{
	if (*count == MODULE_RANGES)
		return false;
	ranges[(*count)++] = range;
	return true;
}

/* Keeps a section that is in memory. False: the section makes no sense, or there are too many. */
static bool take_section(struct module *m, const GElf_Shdr *s, const char *name)
{
	struct module_range range = {0};
	if (!(s->sh_flags & SHF_ALLOC) || s->sh_type == SHT_NOBITS || !s->sh_size)
		return true;
	if (s->sh_offset > m->file_bytes || s->sh_size > m->file_bytes - s->sh_offset ||
	    !module_offset(m, s->sh_addr, &range.start) ||
	    s->sh_size > m->image_bytes - range.start)
		return false;
	range.end = range.start + (uint32_t)s->sh_size;
	range.bytes = m->file + s->sh_offset;
	range.stubs = strncmp(name, ".plt", 4) == 0;
	if (s->sh_flags & SHF_EXECINSTR)
		return add(m->code, &m->codes, range);
	if (strcmp(name, ".eh_frame") == 0)
		m->frames = range;
	return add(m->data, &m->datas, range);
}

static int by_start(const void *one, const void *other)
{
	const struct module_range *a = one, *b = other;
	return (a->start > b->start) - (a->start < b->start);
}

static bool take_sections(struct module *m)
{
	size_t strings;
	Elf_Scn *section = NULL;
	if (elf_getshdrstrndx(m->elf, &strings) != 0)
		return false;
	while ((section = elf_nextscn(m->elf, section))) {
		GElf_Shdr s;
		const char *name;
		if (!gelf_getshdr(section, &s) || !(name = elf_strptr(m->elf, strings, s.sh_name)))
			return false;
		if (s.sh_type == SHT_NOTE && !m->build_id_bytes)
			take_note(m, section);
		if (!take_section(m, &s, name))
			return false;
	}
	qsort(m->code, m->codes, sizeof(m->code[0]), by_start);
	qsort(m->data, m->datas, sizeof(m->data[0]), by_start);
	for (size_t k = 1; k < m->codes; k++)
		if (m->code[k].start < m->code[k - 1].end)
			return false;
	if (m->codes) {
		m->text_start = m->code[0].start;
		m->text_end = m->code[m->codes - 1].end;
	}
	return true;
}

static enum plan_module look(struct module *m, bool arm64_too)
{
	GElf_Ehdr header;
	if (!m->elf || elf_kind(m->elf) != ELF_K_ELF || !gelf_getehdr(m->elf, &header))
		return PLAN_MODULE_FOREIGN;
	if (!(header.e_machine == EM_X86_64 || (arm64_too && header.e_machine == EM_AARCH64)) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return PLAN_MODULE_FOREIGN;
	m->fixed = header.e_type == ET_EXEC;
	m->entry = header.e_entry;
	m->file = (const uint8_t *)elf_rawfile(m->elf, &m->file_bytes);
	if (!m->file || !find_image(m))
		return PLAN_MODULE_DAMAGED;
	if (!m->image_bytes)
		return PLAN_MODULE_LARGE;
	if (!take_sections(m))
		return PLAN_MODULE_DAMAGED;
	return m->frames.bytes && m->codes ? PLAN_MODULE_NONE : PLAN_MODULE_NO_FRAMES;
}

enum plan_module module_open(struct module *m, const char *path, bool *absent)
{
	*m = (struct module){.fd = open(path, O_RDONLY | O_CLOEXEC)};
	*absent = m->fd < 0 || fstat(m->fd, &m->stat) != 0;
	if (*absent) {
		module_close(m);
		return PLAN_MODULE_FOREIGN;
	}
	elf_version(EV_CURRENT);
	m->elf = S_ISREG(m->stat.st_mode) ? elf_begin(m->fd, ELF_C_READ_MMAP, NULL) : NULL;
	return look(m, false);
}

enum plan_module module_read(struct module *m, Elf *elf)
{
	*m = (struct module){.fd = -1, .elf = elf};
	return look(m, true);
}

void module_close(struct module *m)
{
	elf_end(m->elf);
	if (m->fd >= 0)
		close(m->fd);
	m->elf = NULL;
	m->fd = -1;
}

static const struct module_range *range_at(const struct module_range *ranges, size_t count,
					   uint32_t offset)
{
	for (size_t k = 0; k < count; k++)
		if (offset - ranges[k].start < ranges[k].end - ranges[k].start)
			return &ranges[k];
	return NULL;
}

const struct module_range *module_code_at(const struct module *m, uint32_t offset)
{
	return range_at(m->code, m->codes, offset);
}

const struct module_range *module_data_at(const struct module *m, uint32_t offset)
{
	return range_at(m->data, m->datas, offset);
}
