/* SPDX-License-Identifier: MIT */
/* unwind.c - see unwind.h. */
#define _GNU_SOURCE
#include "report/second_run/unwind.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/second_run/rings.h"

/* How many mapped files are known, at most; others are left out. Large programs have some
 * hundred. */
enum { MAPS_MAX = 4096 };

/* A frame pointer below this one is that of the outermost frame: no stack is there. */
enum { NO_FRAME = 4096 };

struct map {
	char *path;
	uint64_t address, bytes, bias;
	uint64_t start, end; /* of everything mapped from the file */
};

struct unwind {
	Dwfl *dwfl;
	pid_t pid;
	bool attached;
	struct map maps[MAPS_MAX];
	size_t map_count;
	const struct unwind_sample *sample;
	unwind_frame_fn *each;
	void *context;
	bool ended;
	bool unread; /* a word that the walk needed was not in the sample */
};

/* Tells libdwfl not to look for debug information in other files: unwinding needs none. */
static int find_no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_no_debuginfo,
};

/* Tells libdwfl that the only thread is the sample's. */
static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct unwind *u = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = u;
	return u->pid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl, (void)tid;
	*thread = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	const struct unwind_sample *s = ((struct unwind *)arg)->sample;
	uint64_t sp = s->registers[registers.sp], offset = address - sp;

	(void)dwfl;
	if (address < sp && address >= NO_FRAME)
		return false; /* a register that was taken from the stack just before: it has the value */
	if (offset > s->stack_bytes || s->stack_bytes - offset < sizeof(*result)) {
		((struct unwind *)arg)->unread |= address >= NO_FRAME;
		return false;
	}
	memcpy(result, s->stack + offset, sizeof(*result));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct unwind *u = arg;

	dwfl_thread_state_register_pc(thread, u->sample->registers[registers.pc]);
	return dwfl_thread_state_registers(thread, 0, registers.tables,
					   (const Dwarf_Word *)u->sample->registers);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = read_memory,
    .set_initial_registers = set_registers,
};

struct unwind *unwind_new(pid_t pid)
{
	struct unwind *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->pid = pid;
	u->dwfl = dwfl_begin(&callbacks);
	if (!u->dwfl) {
		free(u);
		return NULL;
	}
	return u;
}

void unwind_free(struct unwind *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->map_count; i++)
		free(u->maps[i].path);
	dwfl_end(u->dwfl);
	free(u);
}

/* Opens a mapped file. The vDSO has no file, so it is copied from this process, which has the
 * same. */
static int open_file(const char *path)
{
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd;

	if (strcmp(path, "[vdso]"))
		return open(path, O_RDONLY | O_CLOEXEC);
	fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	if (fd >= 0 && write(fd, vdso, 2 * (size_t)getpagesize()) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * Finds the bias of a file (the difference between its addresses in memory and in the file), and
 * its range in memory. False, with `end` 0, if OFFSET is in no part that holds code. (Linkers that
 * save room, such as lld, let code begin in the page of the file where read-only data ends. Both
 * parts are mapped from that page, one page apart.)
 */
static bool find_bias(int fd, uint64_t address, uint64_t offset, struct map *m)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const uint64_t page = (uint64_t)getpagesize();
	size_t count = 0;
	bool found = false;

	if (elf_getphdrnum(elf, &count))
		count = 0;
	m->start = UINT64_MAX;
	m->end = 0;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		m->start = p.p_vaddr < m->start ? p.p_vaddr : m->start;
		m->end = p.p_vaddr + p.p_memsz > m->end ? p.p_vaddr + p.p_memsz : m->end;
		if (found || !(p.p_flags & PF_X) || offset < (p.p_offset & -page) ||
		    offset >= p.p_offset + p.p_filesz)
			continue;
		m->bias = address - offset - (p.p_vaddr - p.p_offset);
		found = true;
	}
	m->start += m->bias;
	m->end = found ? m->end + m->bias : 0;
	elf_end(elf);
	return found;
}

static size_t find_map(const struct unwind *u, uint64_t address)
{
	size_t i = u->map_count;

	while (i > 0 && address - u->maps[i - 1].address >= u->maps[i - 1].bytes)
		i--;
	return i;
}

/* Reports the file of u->maps[i] to libdwfl, unless libdwfl has another part of that file already.
 * If one file is reported with two descriptors, libdwfl forgets both. */
static void report(struct unwind *u, size_t i, int fd)
{
	const struct map *m = &u->maps[i];
	size_t first = 0;

	while (u->maps[first].bias != m->bias || strcmp(u->maps[first].path, m->path) != 0)
		first++;
	if (first < i || !dwfl_report_elf(u->dwfl, m->path, m->path, fd, m->bias, true))
		close(fd);
}

/* Begins again with a new libdwfl that has only the files of `maps`. */
static void report_anew(struct unwind *u)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return;
	dwfl_end(u->dwfl);
	u->dwfl = dwfl;
	u->attached = false;
	dwfl_report_begin(u->dwfl);
	for (size_t i = 0; i < u->map_count; i++) {
		int fd = open_file(u->maps[i].path);

		if (fd >= 0)
			report(u, i, fd);
	}
	dwfl_report_end(u->dwfl, NULL, NULL);
}

static void forget_map(struct unwind *u, size_t i)
{
	free(u->maps[i].path);
	memmove(&u->maps[i], &u->maps[i + 1], (u->map_count - i - 1) * sizeof(*u->maps));
	u->map_count--;
}

/* Forgets files of an earlier program. After an exec, without random addresses, another program may
 * lie in the same place. */
static void forget_overlapped(struct unwind *u, const struct map *by, const char *path)
{
	size_t count = u->map_count;

	for (size_t i = count; i-- > 0;) {
		const struct map *m = &u->maps[i];

		if (m->start < by->end && by->start < m->end && strcmp(m->path, path) != 0)
			forget_map(u, i);
	}
	if (u->map_count < count)
		report_anew(u);
}

void unwind_map(struct unwind *u, const char *path, uint64_t address, uint64_t offset,
		uint64_t bytes)
{
	struct map m = {.address = address, .bytes = bytes};
	size_t known = find_map(u, address);
	int fd;

	if (known && !strcmp(u->maps[known - 1].path, path))
		return; /* reported twice */
	fd = open_file(path);
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	if (find_bias(fd, address, offset, &m))
		forget_overlapped(u, &m, path);
	if (!m.end || u->map_count == MAPS_MAX) {
		close(fd);
		return;
	}
	u->maps[u->map_count] = m;
	u->maps[u->map_count++].path = memory_text(path, strlen(path));
	dwfl_report_begin_add(u->dwfl);
	report(u, u->map_count - 1, fd);
	dwfl_report_end(u->dwfl, NULL, NULL);
}

bool unwind_was_cut(const struct unwind *u)
{
	return u->unread;
}

const char *unwind_file(const struct unwind *u, uint64_t address, uint64_t *in_file)
{
	size_t i = find_map(u, address);

	if (!i)
		return NULL;
	*in_file = address - u->maps[i - 1].bias;
	return u->maps[i - 1].path;
}

bool unwind_file_at(const struct unwind *u, uint64_t address, struct unwind_file *file)
{
	size_t i = find_map(u, address);

	if (!i)
		return false;
	*file = (struct unwind_file){u->maps[i - 1].path, u->maps[i - 1].bias, u->maps[i - 1].start,
				     u->maps[i - 1].end};
	return true;
}

uint64_t unwind_function(struct unwind *u, uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(u->dwfl, address);
	Dwarf_Addr bias = 0, start = 0, end;
	Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
	Dwarf_Frame *frame;
	bool signal;

	if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return 0;
	if (dwarf_frame_info(frame, &start, &end, &signal) < 0)
		start = 0;
	free(frame);
	return start ? start + bias : 0;
}

struct unwind_sample unwind_read(const struct rings_sample *sample)
{
	const uint64_t *behind = sample->rest + registers.sampled, size = *behind;
	struct unwind_sample s = {.stack = NULL};

	for (unsigned i = 0; i < registers.sampled; i++)
		s.registers[registers.dwarf[i]] = sample->rest[i];
	if (size) {
		s.stack = (const unsigned char *)(behind + 1);
		s.stack_bytes = behind[1 + size / sizeof(*behind)];
	}
	return s;
}

static int show_frame(Dwfl_Frame *frame, void *arg)
{
	struct unwind *u = arg;
	Dwarf_Addr pc;
	bool interrupted;

	if (!dwfl_frame_pc(frame, &pc, &interrupted))
		return DWARF_CB_ABORT;
	if (!u->each(u->context, interrupted ? pc : pc - 1)) {
		u->ended = true;
		return DWARF_CB_ABORT;
	}
	return DWARF_CB_OK;
}

bool unwind_walk(struct unwind *u, const struct unwind_sample *sample, unwind_frame_fn *each,
		 void *context)
{
	u->sample = sample;
	u->each = each;
	u->context = context;
	u->ended = u->unread = false;
	if (!u->attached)
		u->attached = dwfl_attach_state(u->dwfl, NULL, u->pid, &thread_callbacks, u);
	if (!u->attached)
		return false;
	return dwfl_getthread_frames(u->dwfl, u->pid, show_frame, u) == 0 || u->ended;
}
