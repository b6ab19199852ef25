/* SPDX-License-Identifier: MIT */
/* imports.c - see imports.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/adapters/lua/imports.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct imports {
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * calls, *others;
	size_t calls_bytes, others_bytes;
	const ElfW(Half) * versions; /* by the numbers of symbols */
	const ElfW(Verneed) * needed;
	const ElfW(Verdef) * defined;
	size_t needed_count, defined_count;
};

/* glibc has made the addresses in a loaded module's dynamic section absolute, but not the vdso's. */
static uintptr_t absolute(const struct dl_phdr_info *m, uintptr_t address)
{
	return address < m->dlpi_addr ? address + m->dlpi_addr : address;
}

static bool find_tables(const struct dl_phdr_info *m, struct imports *t)
{
	const ElfW(Dyn) *d = NULL;
	size_t i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < m->dlpi_phnum; i++)
		if (m->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(m->dlpi_addr + m->dlpi_phdr[i].p_vaddr);
	for (; d && d->d_tag != DT_NULL; d++) {
		const void *table = (const void *)absolute(m, d->d_un.d_ptr);

		switch (d->d_tag) {
		case DT_SYMTAB:
			t->symbols = table;
			break;
		case DT_STRTAB:
			t->strings = table;
			break;
		case DT_JMPREL:
			t->calls = table;
			break;
		case DT_PLTRELSZ:
			t->calls_bytes = d->d_un.d_val;
			break;
		case DT_RELA:
			t->others = table;
			break;
		case DT_RELASZ:
			t->others_bytes = d->d_un.d_val;
			break;
		case DT_VERSYM:
			t->versions = table;
			break;
		case DT_VERNEED:
			t->needed = table;
			break;
		case DT_VERNEEDNUM:
			t->needed_count = d->d_un.d_val;
			break;
		case DT_VERDEF:
			t->defined = table;
			break;
		case DT_VERDEFNUM:
			t->defined_count = d->d_un.d_val;
			break;
		}
	}
	return t->symbols && t->strings;
}

/* A version of the module's own functions. */
static const char *defined_version(const struct imports *t, unsigned int number)
{
	const ElfW(Verdef) *d = t->defined;
	size_t i;

	for (i = 0; i < t->defined_count; i++) {
		const ElfW(Verdaux) *version = (const void *)((const char *)d + d->vd_aux);

		if (d->vd_ndx == number)
			return t->strings + version->vda_name;
		d = (const void *)((const char *)d + d->vd_next);
	}
	return NULL;
}

const char *imports_version(const struct import *import)
{
	const struct imports *t = import->tables;
	const ElfW(Verneed) *file = t->needed;
	unsigned int number = t->versions ? t->versions[import->number] & 0x7fffu : 0;
	size_t i, k;

	if (number <= VER_NDX_GLOBAL)
		return NULL;
	for (i = 0; i < t->needed_count; i++) {
		const ElfW(Vernaux) *version = (const void *)((const char *)file + file->vn_aux);

		for (k = 0; k < file->vn_cnt; k++) {
			if (version->vna_other == number)
				return t->strings + version->vna_name;
			version = (const void *)((const char *)version + version->vna_next);
		}
		file = (const void *)((const char *)file + file->vn_next);
	}
	return defined_version(t, number);
}

void imports_range(const struct dl_phdr_info *m, uintptr_t *start, uintptr_t *end)
{
	size_t i;

	*start = UINTPTR_MAX;
	*end = 0;
	for (i = 0; i < m->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &m->dlpi_phdr[i];
		uintptr_t first = m->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		if (first < *start)
			*start = first;
		if (first + p->p_memsz > *end)
			*end = first + p->p_memsz;
	}
}

bool imports_is_bound(const struct import *i, uintptr_t *to)
{
	uintptr_t start, end;

	*to = (uintptr_t)__atomic_load_n(i->slot, __ATOMIC_ACQUIRE);
	imports_range(i->module, &start, &end);
	return *to < start || *to >= end || *to == i->own;
}

static bool each_of_table(const struct dl_phdr_info *m, const struct imports *t,
			  const ElfW(Rela) * table, size_t bytes,
			  bool (*f)(const struct import *, void *), void *data)
{
	const ElfW(Rela) * r;

	for (r = table; r && bytes >= sizeof(*r); r++, bytes -= sizeof(*r)) {
		unsigned long kind = ELF64_R_TYPE(r->r_info);
		const ElfW(Sym) *symbol = &t->symbols[ELF64_R_SYM(r->r_info)];
		struct import i = {.module = m, .tables = t};

		if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT)
			continue;
		i.number = ELF64_R_SYM(r->r_info);
		i.name = t->strings + symbol->st_name;
		i.slot = (void **)(m->dlpi_addr + r->r_offset);
		i.own = symbol->st_shndx == SHN_UNDEF ? 0 : m->dlpi_addr + symbol->st_value;
		if (f(&i, data))
			return true;
	}
	return false;
}

bool imports_each(const struct dl_phdr_info *m, bool (*f)(const struct import *, void *),
		  void *data)
{
	struct imports t;

	return !strstr(m->dlpi_name, "linux-vdso") && find_tables(m, &t) &&
	       (each_of_table(m, &t, t.calls, t.calls_bytes, f, data) ||
		each_of_table(m, &t, t.others, t.others_bytes, f, data));
}

static bool is_read_only(const struct dl_phdr_info *m, uintptr_t address)
{
	size_t i;

	for (i = 0; i < m->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &m->dlpi_phdr[i];

		if (p->p_type == PT_GNU_RELRO && address - m->dlpi_addr - p->p_vaddr < p->p_memsz)
			return true;
	}
	return false;
}

void imports_store(const struct import *i, void *function)
{
	uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *page = (void *)((uintptr_t)i->slot & ~(size - 1));
	bool read_only = is_read_only(i->module, (uintptr_t)i->slot);

	if (read_only && mprotect(page, size, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(i->slot, function, __ATOMIC_RELEASE);
	if (read_only)
		mprotect(page, size, PROT_READ);
}
