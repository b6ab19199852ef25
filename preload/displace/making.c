/* SPDX-License-Identifier: MIT */
/* making.c - see making.h. */
#include "preload/displace/making.h"

#include "preload/base/sys.h"
#include "preload/code/module.h"
#include "preload/displace/rows.h"
#include "preload/displace/room.h"

#include <elf.h>
#include <linux/memfd.h>
#include <sys/mman.h>

#define PAGE       4096u
#define ALIGNMENT  16u
#define HOOK_AT    1024u /* in the first page: a slot with the hook's address, then a jump by it */
#define HOOK_BYTES 16u
#define SLOT_BYTES sizeof(uintptr_t)
#define NAME       "zprof"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static struct code part(const struct making *a, size_t offset)
{
	return (struct code){a->memory + offset, a->at + offset, false};
}

/* Where the hook's address is, and behind it the jump that trampolines call. */
static void begin_hook(struct making *a, uintptr_t hook)
{
	static const unsigned char jump[] = {0xff, 0x25};
	struct code c = part(a, HOOK_AT);

	code_bytes(&c, &hook, sizeof(hook));
	a->hook = c.here;
	code_bytes(&c, jump, sizeof(jump));
	code_distance(&c, a->at + HOOK_AT, 0);
}

static void begin_frames(struct making *a)
{
	a->cie = a->frames.here;
	rows_begin(&a->frames);
	a->table = part(a, a->table_from + FRAMES_TABLE_BYTES);
	rows_entry(&a->table, a->at + a->table_from, a->hook, a->frames.here);
	rows_plain(&a->frames, a->cie, a->hook, HOOK_BYTES);
}

bool making_begin(struct making *a, const struct module *module, uint32_t functions, uintptr_t hook,
		  bool off)
{
	size_t n = functions;

	a->module = module;
	a->most = functions;
	a->made = 0;
	a->off = off;
	a->slots_from = PAGE + n * TRAMPOLINE_BYTES;
	a->frames_from = a->slots_from + n * SLOT_BYTES;
	a->table_from = a->frames_from + FRAMES_BEGIN_BYTES + (n + 1) * FRAME_BYTES;
	a->bytes = a->table_from + FRAMES_TABLE_BYTES + (n + 1) * FRAMES_ROW_BYTES;
	a->bytes = (a->bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
	/* The memory comes first: it may be where there is room near the module. */
	a->memory = sys_memory(a->bytes);
	if (!a->memory)
		return false;
	a->at = room_near(module->start, module->end, a->bytes);
	if (!a->at) {
		making_end(a);
		return false;
	}
	a->code = part(a, PAGE);
	a->slots = part(a, a->slots_from);
	a->frames = part(a, a->frames_from);
	begin_hook(a, hook);
	begin_frames(a);
	return true;
}

uintptr_t making_add(struct making *a, const struct displaced *d)
{
	uintptr_t begin = a->code.here;
	struct code c = a->code;
	struct trampoline t = {.hook = a->hook, .slot = a->slots.here, .off = a->off};
	uint32_t rest;

	if (a->made == a->most || !trampoline_write(&c, d, &t))
		return 0;
	if (t.slot_word)
		code_bytes(&a->slots, &t.slot_word, SLOT_BYTES);
	rest = (uint32_t)-c.here % ALIGNMENT;
	a->code = c;
	a->code.at += rest;
	a->code.here += rest;
	rows_entry(&a->table, a->at + a->table_from, begin, a->frames.here);
	rows_write(&a->frames, a->cie, begin, d, &t, a->module->eh_frame_hdr);
	a->made++;
	return begin;
}

/* ---- mapping */

static void write_headers(struct making *a)
{
	Elf64_Ehdr *elf = (Elf64_Ehdr *)a->memory;
	Elf64_Phdr *ph = (Elf64_Phdr *)(elf + 1);

	memcpy(elf->e_ident, ELFMAG, SELFMAG);
	elf->e_ident[EI_CLASS] = ELFCLASS64;
	elf->e_ident[EI_DATA] = ELFDATA2LSB;
	elf->e_ident[EI_VERSION] = EV_CURRENT;
	elf->e_type = ET_DYN;
	elf->e_machine = EM_X86_64;
	elf->e_version = EV_CURRENT;
	elf->e_phoff = sizeof(*elf);
	elf->e_ehsize = sizeof(*elf);
	elf->e_phentsize = sizeof(*ph);
	elf->e_phnum = 2;
	ph[0] = (Elf64_Phdr){.p_type = PT_LOAD,
			     .p_flags = PF_R | PF_X,
			     .p_filesz = a->bytes,
			     .p_memsz = a->bytes,
			     .p_align = PAGE};
	ph[1] = (Elf64_Phdr){.p_type = PT_GNU_EH_FRAME,
			     .p_flags = PF_R,
			     .p_offset = a->table_from,
			     .p_vaddr = a->table_from,
			     .p_paddr = a->table_from,
			     .p_filesz = a->bytes - a->table_from,
			     .p_memsz = a->bytes - a->table_from,
			     .p_align = sizeof(int32_t)};
}

static bool write_part(const struct making *a, long fd, size_t from, uintptr_t to)
{
	size_t bytes = to - a->at - from;
	long written;

	for (; bytes > 0; from += (size_t)written, bytes -= (size_t)written) {
		written = sys4(SYS_pwrite64, fd, a->memory + from, bytes, from);
		if (SYS_FAILED(written) || !written)
			return false;
	}
	return true;
}

static bool write_all(struct making *a, long fd)
{
	struct code table = part(a, a->table_from);

	write_headers(a);
	rows_table(&table, a->at + a->frames_from, a->made + 1);
	return sys_file_may_have(a->bytes) && !SYS_FAILED(sys2(SYS_ftruncate, fd, a->bytes)) &&
	       write_part(a, fd, 0, a->code.here) &&
	       write_part(a, fd, a->slots_from, a->slots.here) &&
	       write_part(a, fd, a->frames_from, a->frames.here) &&
	       write_part(a, fd, a->table_from, a->table.here);
}

/* A system may forbid files of memory that are executable, unless that is said (vm.memfd_noexec). */
static long new_file(void)
{
	long fd = sys2(SYS_memfd_create, NAME, MFD_CLOEXEC | MFD_EXEC);

	return SYS_FAILED(fd) ? sys2(SYS_memfd_create, NAME, MFD_CLOEXEC) : fd;
}

bool making_map(struct making *a, struct area *area)
{
	long fd = new_file(), mapped;

	if (SYS_FAILED(fd))
		return false;
	mapped = write_all(a, fd) ? sys6(SYS_mmap, a->at, a->bytes, PROT_READ | PROT_EXEC,
					 MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0)
				  : -1;
	sys1(SYS_close, fd);
	if (SYS_FAILED(mapped))
		return false;
	if ((uintptr_t)mapped != a->at) { /* before Linux 4.17, the address is a hint */
		sys2(SYS_munmap, mapped, a->bytes);
		return false;
	}
	*area = (struct area){.module = a->module->id,
			      .start = a->at,
			      .end = a->at + a->bytes,
			      .first = a->at + PAGE,
			      .last = a->code.here,
			      .eh_frame_hdr = a->at + a->table_from};
	return true;
}

void making_end(struct making *a)
{
	sys_memory_free(a->memory, a->bytes);
}
