/* SPDX-License-Identifier: MIT */
/* sleep_file.c - see sleep_file.h. */
#include "report/commands/sleep_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/sites/scan.h"
#include "report/base/memory.h"

#define SLACK ((size_t)4096) /* zeros behind an image, which end whatever is read beyond it */

struct binary {
	const char *path;
	struct stat st;
	unsigned char *bytes; /* of the file */
	size_t length;
	/* as it is laid out */
	unsigned char *memory;
	size_t span;
	uint64_t lowest;
	struct scan_image image;
	/* what was found */
	struct zprof_site *sites;
	size_t count, room, off;
};

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

/* The program header I; NULL: the file ends before it. */
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
	b->sites = memory_room(b->sites, b->count, &b->room, sizeof *b->sites);
	b->sites[b->count++] = *site;
	b->off += (site->state & ZPROF_SITE_OFF) != 0;
	return true;
}

/* The byte of the file that is at an address of the image; NULL: none is. */
static unsigned char *in_file(const struct binary *b, uint64_t address)
{
	uint64_t at = address - b->image.bias;
	for (int i = 0; i < ((const Elf64_Ehdr *)b->bytes)->e_phnum; i++) {
		const Elf64_Phdr *ph = header(b, i);
		if (ph->p_type == PT_LOAD && at - ph->p_vaddr < ph->p_filesz)
			return b->bytes + ph->p_offset + (at - ph->p_vaddr);
	}
	return NULL;
}

/* In the image and in the file. */
static bool flip(struct binary *b, bool asleep)
{
	for (size_t i = 0; i < b->count; i++) {
		unsigned char *byte = in_file(b, b->sites[i].address);
		if (!byte || *byte != scan_byte(&b->sites[i], !asleep))
			return false;
		*byte = *(unsigned char *)(uintptr_t)b->sites[i].address =
		    scan_byte(&b->sites[i], asleep);
	}
	return true;
}

struct comparison {
	const struct binary *b;
	size_t at;
	bool same, asleep;
};

static bool compare_site(void *context, const struct zprof_site *site)
{
	struct comparison *c = context;
	const struct zprof_site *was = &c->b->sites[c->at];
	c->same = c->at < c->b->count && site->address == was->address && site->call == was->call &&
		  !!(site->state & ZPROF_SITE_OFF) == c->asleep;
	c->at++;
	return c->same;
}

/* Whether the opposite is going to undo it. */
static bool finds_the_same(const struct binary *b, const struct scan_hooks *hooks, bool asleep)
{
	struct comparison c = {.b = b, .asleep = asleep, .same = true};
	scan_sites(&b->image, hooks, compare_site, &c);
	return c.same && c.at == b->count;
}

/* A new file takes the old one's place, so that who runs that goes on with it. */
static bool replace(const struct binary *b, struct str *err)
{
	struct str name = {0};
	str_add(&name, "%s.zprof-XXXXXX", b->path);
	char *temporary = memory_text(str_text(&name), strlen(str_text(&name)));
	str_free(&name);
	int fd = mkstemp(temporary);
	bool ok = fd >= 0;
	for (size_t at = 0; ok && at < b->length;) {
		ssize_t n = write(fd, b->bytes + at, b->length - at);
		ok = n > 0;
		at += ok ? (size_t)n : 0;
	}
	if (ok && (b->st.st_uid != geteuid() || b->st.st_gid != getegid()))
		ok = !fchown(fd, b->st.st_uid, b->st.st_gid);
	ok = ok && !fchmod(fd, b->st.st_mode & 07777) && !fsync(fd);
	if (fd >= 0)
		ok = !close(fd) && ok;
	ok = ok && !rename(temporary, b->path);
	if (!ok) {
		str_fail(err, "cannot replace '%s': %s", b->path, strerror(errno));
		if (fd >= 0)
			unlink(temporary);
	}
	free(temporary);
	return ok;
}

static bool switch_all(struct binary *b, bool asleep, struct str *err)
{
	struct scan_hooks hooks;
	if (!lay_out(b))
		return str_fail(err, "'%s' is no program or library for x86-64", b->path);
	if (!scan_hooks(&b->image, &hooks))
		return str_fail(err,
				"'%s' calls no hooks of a shared library: build it with the flags "
				"of 'zprof cflags', not static",
				b->path);
	scan_sites(&b->image, &hooks, note_site, b);
	if (!b->count)
		return str_fail(err, "'%s': no call of a hook has been found", b->path);
	if (b->off && b->off < b->count)
		return str_fail(err,
				"'%s': of its %zu calls of hooks %zu are asleep and the others "
				"are not, which zprof has not made so: it is left alone",
				b->path, b->count, b->off);
	if ((b->off != 0) == asleep) {
		b->count = 0;
		return true;
	}
	if (!flip(b, asleep) || !finds_the_same(b, &hooks, asleep))
		return str_fail(err, "'%s': this could not be undone exactly: it is left alone",
				b->path);
	return replace(b, err);
}

bool sleep_file(const char *path, bool asleep, size_t *sites, struct str *err)
{
	struct binary b = {.path = path};
	bool ok = read_file(&b, err) && switch_all(&b, asleep, err);
	*sites = b.count;
	if (b.bytes)
		munmap(b.bytes, b.length);
	if (b.memory)
		munmap(b.memory, b.span + SLACK);
	free(b.sites);
	return ok;
}
