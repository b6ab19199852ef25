/* SPDX-License-Identifier: MIT */
/* slots.c - see slots.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/adapters/lua/slots.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct walk {
	const struct slot_library *library;
	bool others; /* there is another library that defines the same names */
	struct slot_change *changes;
	size_t count;
};

struct search {
	const char *name;
	const struct slot_library *except;
	struct slot_library *found;
};

struct tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * calls, *others;
	size_t calls_bytes, others_bytes;
};

/* glibc has made the addresses in a loaded module's dynamic section absolute, but not the vdso's. */
static uintptr_t absolute(const struct dl_phdr_info *m, uintptr_t address)
{
	return address < m->dlpi_addr ? address + m->dlpi_addr : address;
}

static bool find_tables(const struct dl_phdr_info *m, struct tables *t)
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
		}
	}
	return t->symbols && t->strings;
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

static void find_range(const struct dl_phdr_info *m, uintptr_t *start, uintptr_t *end)
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

/* Whether the entry `slot` of module `m` leads into the library, or will. */
static bool leads_there(const struct dl_phdr_info *m, void *const *slot, const struct walk *w)
{
	uintptr_t to = (uintptr_t)__atomic_load_n(slot, __ATOMIC_ACQUIRE), start, end;

	if (to >= w->library->start && to < w->library->end)
		return true;
	find_range(m, &start, &end);
	return to >= start && to < end && !w->others;
}

static void change(const struct dl_phdr_info *m, void **slot, struct slot_change *c)
{
	uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *page = (void *)((uintptr_t)slot & ~(size - 1));
	bool read_only = is_read_only(m, (uintptr_t)slot);

	if (read_only && mprotect(page, size, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(slot, c->ours, __ATOMIC_RELEASE);
	c->found++;
	if (read_only)
		mprotect(page, size, PROT_READ);
}

static void change_table(const struct dl_phdr_info *m, const struct tables *t,
			 const ElfW(Rela) * table, size_t bytes, const struct walk *w)
{
	const ElfW(Rela) * r;
	size_t i;

	for (r = table; r && bytes >= sizeof(*r); r++, bytes -= sizeof(*r)) {
		unsigned long kind = ELF64_R_TYPE(r->r_info);

		if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT)
			continue;
		for (i = 0; i < w->count; i++)
			if (!strcmp(t->strings + t->symbols[ELF64_R_SYM(r->r_info)].st_name,
				    w->changes[i].name) &&
			    leads_there(m, (void **)(m->dlpi_addr + r->r_offset), w))
				change(m, (void **)(m->dlpi_addr + r->r_offset), &w->changes[i]);
	}
}

static int change_module(struct dl_phdr_info *m, size_t size, void *walk)
{
	struct tables t;

	(void)size;
	if (!strstr(m->dlpi_name, "linux-vdso") && find_tables(m, &t)) {
		change_table(m, &t, t.calls, t.calls_bytes, walk);
		change_table(m, &t, t.others, t.others_bytes, walk);
	}
	return 0;
}

void slots_change(const struct slot_library *library, bool others, struct slot_change *changes,
		  size_t count)
{
	struct walk w = {library, others, changes, count};

	dl_iterate_phdr(change_module, &w);
}

static bool has_function(const struct dl_phdr_info *m, const struct tables *t,
			 const ElfW(Rela) * table, size_t bytes, const struct search *s)
{
	const ElfW(Rela) * r;

	for (r = table; r && bytes >= sizeof(*r); r++, bytes -= sizeof(*r)) {
		const ElfW(Sym) *symbol = &t->symbols[ELF64_R_SYM(r->r_info)];

		if (symbol->st_shndx != SHN_UNDEF &&
		    !strcmp(t->strings + symbol->st_name, s->name)) {
			s->found->symbol = m->dlpi_addr + symbol->st_value;
			return true;
		}
	}
	return false;
}

static int look_at_module(struct dl_phdr_info *m, size_t size, void *search)
{
	const struct search *s = search;
	struct tables t;

	(void)size;
	if (!*m->dlpi_name || strstr(m->dlpi_name, "linux-vdso") ||
	    strlen(m->dlpi_name) >= sizeof(s->found->path) || !find_tables(m, &t) ||
	    !(has_function(m, &t, t.calls, t.calls_bytes, s) ||
	      has_function(m, &t, t.others, t.others_bytes, s)))
		return 0;
	find_range(m, &s->found->start, &s->found->end);
	if (s->except && s->except->start == s->found->start)
		return 0;
	strcpy(s->found->path, m->dlpi_name);
	return 1;
}

bool slots_find(const char *name, const struct slot_library *except, struct slot_library *found)
{
	struct search s = {name, except, found};

	return dl_iterate_phdr(look_at_module, &s) != 0;
}
