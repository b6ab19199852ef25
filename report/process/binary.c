/* SPDX-License-Identifier: MIT */
/* binary.c - see binary.h. */
#include "report/process/binary.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/core/base/memory.h"

#define SLACK ((size_t)4096) /* zeros behind an image, for searches that read beyond it */

static bool read_file(struct binary *b, struct str *err)
{
	int fd = open(b->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &b->st)) {
		str_fail(err, "cannot read '%s': %s", b->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	bool regular = S_ISREG(b->st.st_mode);
	void *map = MAP_FAILED;
	b->length = regular ? (size_t)b->st.st_size : 0;
	if (b->length)
		map = mmap(NULL, b->length, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return str_fail(err, "'%s' is no program", b->path);
	b->bytes = map;
	return true;
}

/* Program header I; NULL: the file is too short for it. */
static const Elf64_Phdr *header(const struct binary *b, int i)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)b->bytes;
	if (e->e_phoff > b->length || (b->length - e->e_phoff) / sizeof(Elf64_Phdr) <= (size_t)i ||
	    e->e_phoff % 8)
		return NULL;
	return (const Elf64_Phdr *)(b->bytes + e->e_phoff) + i;
}

static bool is_program(const struct binary *b)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)b->bytes;
	return b->length >= sizeof *e && !memcmp(e->e_ident, ELFMAG, SELFMAG) &&
	       e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_X86_64 &&
	       (e->e_type == ET_EXEC || e->e_type == ET_DYN) &&
	       e->e_phentsize == sizeof(Elf64_Phdr);
}

#define SPAN_MAX ((uint64_t)1 << 36)

static bool measure(struct binary *b)
{
	uint64_t highest = 0;
	b->lowest = UINT64_MAX;
	for (int i = 0; i < ((const Elf64_Ehdr *)b->bytes)->e_phnum; i++) {
		const Elf64_Phdr *ph = header(b, i);
		if (!ph)
			return false;
		if (ph->p_type != PT_LOAD)
			continue;
		if (ph->p_filesz > ph->p_memsz || ph->p_offset > b->length ||
		    ph->p_filesz > b->length - ph->p_offset || ph->p_vaddr > UINT64_MAX / 4 ||
		    ph->p_memsz > SPAN_MAX)
			return false;
		if (ph->p_vaddr < b->lowest)
			b->lowest = ph->p_vaddr & ~(uint64_t)4095;
		if (ph->p_vaddr + ph->p_memsz > highest)
			highest = ph->p_vaddr + ph->p_memsz;
	}
	if (b->lowest > highest || highest - b->lowest > SPAN_MAX)
		return false;
	b->span = highest - b->lowest;
	return true;
}

static bool lay_out(struct binary *b)
{
	if (!is_program(b) || !measure(b))
		return false;
	void *memory = mmap(NULL, b->span + SLACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	b->memory = memory;
	uintptr_t start = (uintptr_t)memory;
	b->image =
	    (struct scan_image){.start = start, .end = start + b->span, .bias = start - b->lowest};
	for (int i = 0; i < ((const Elf64_Ehdr *)b->bytes)->e_phnum; i++) {
		const Elf64_Phdr *ph = header(b, i);
		if (!ph)
			return false;
		if (ph->p_type == PT_LOAD)
			memcpy(b->memory + (ph->p_vaddr - b->lowest), b->bytes + ph->p_offset,
			       ph->p_filesz);
		if (ph->p_type == PT_DYNAMIC)
			b->image.dynamic = b->image.bias + ph->p_vaddr;
		if (ph->p_type == PT_GNU_EH_FRAME)
			b->image.eh_frame_hdr = b->image.bias + ph->p_vaddr;
	}
	return true;
}

static bool note_site(void *context, const struct zprof_site *site)
{
	struct binary *b = context;
	*memory_next(b->sites, b->count, b->room) = *site;
	b->off += (site->state & ZPROF_SITE_OFF) != 0;
	return true;
}

unsigned char *binary_byte(const struct binary *b, uint64_t address)
{
	uint64_t at = address - b->image.bias;
	for (int i = 0; i < ((const Elf64_Ehdr *)b->bytes)->e_phnum; i++) {
		const Elf64_Phdr *ph = header(b, i);
		if (ph && ph->p_type == PT_LOAD && at - ph->p_vaddr < ph->p_filesz)
			return b->bytes + ph->p_offset + (at - ph->p_vaddr);
	}
	return NULL;
}

bool binary_open(struct binary *b, struct str *err)
{
	if (!read_file(b, err))
		return false;
	return lay_out(b) || str_fail(err, "'%s' is no program or library for x86-64", b->path);
}

void binary_close(struct binary *b)
{
	if (b->bytes)
		munmap(b->bytes, b->length);
	if (b->memory)
		munmap(b->memory, b->span + SLACK);
	free(b->sites);
}

bool binary_find_sites(struct binary *b, struct scan_hooks *hooks)
{
	if (!scan_hooks(&b->image, hooks))
		return false;
	scan_sites(&b->image, hooks, note_site, b);
	return true;
}
