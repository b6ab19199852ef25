/* SPDX-License-Identifier: MIT */
/* See image.h. */
#define _GNU_SOURCE
#include "symbolize/image.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/vdso.h"

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
};

/* Why a file cannot be used. The text follows the file's name in a notice. */
static const char *why_not(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "is gone; put it back, or its debug file under /usr/lib/debug/.build-id";
	case EACCES:
	case EPERM:
		return "cannot be read; allow it, or run as a user who may";
	default:
		return strerror(error);
	}
}

/* Opens a regular file. A pipe or a device at PATH must not block, or lose what it holds. */
static int open_file(const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		*why = why_not(errno);
	} else if (!S_ISREG(st.st_mode)) {
		*why = "is not a regular file";
	} else if (st.st_size == 0) {
		*why = "is empty; build it again";
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static void hex(char *to, const unsigned char *bytes, size_t count)
{
	*to = '\0';
	for (size_t i = 0; i < count; i++, to += 2) {
		to[0] = "0123456789abcdef"[bytes[i] >> 4];
		to[1] = "0123456789abcdef"[bytes[i] & 15];
		to[2] = '\0';
	}
}

enum { ID_SHOWN_MAX = 64 };

/* Why ELF cannot be the module with build-id ID, or NULL. */
static const char *check_elf(Elf *elf, struct intern *in, const unsigned char *id, size_t id_bytes)
{
	char have_hex[2 * ID_SHOWN_MAX + 1], want_hex[2 * ID_SHOWN_MAX + 1];
	const void *have = NULL;
	GElf_Ehdr ehdr;
	ssize_t bytes;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
		return "is not an ELF file; build it again";
	if (ehdr.e_type != ET_EXEC && ehdr.e_type != ET_DYN)
		return "is neither a program nor a shared library";
	bytes = dwelf_elf_gnu_build_id(elf, &have);
	if (id_bytes == 0 || (bytes == (ssize_t)id_bytes && memcmp(have, id, id_bytes) == 0))
		return NULL;
	if (bytes <= 0)
		return "is not the build that ran: it has no build-id; put that one "
		       "back, or its debug file under /usr/lib/debug/.build-id";
	hex(have_hex, have, bytes < ID_SHOWN_MAX ? bytes : ID_SHOWN_MAX);
	hex(want_hex, id, id_bytes < ID_SHOWN_MAX ? id_bytes : ID_SHOWN_MAX);
	return intern_format(in,
			     "is not the build that ran: its build-id is %s, not %s; "
			     "put that one back, or its debug file under /usr/lib/debug/.build-id",
			     have_hex, want_hex);
}

static const char *check_file(int fd, struct intern *in, const unsigned char *id, size_t id_bytes)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const char *why = check_elf(elf, in, id, id_bytes);

	elf_end(elf);
	return why;
}

/* The debug file with build-id ID, by libdwfl's own search: local folders, then debuginfod. */
static int find_by_build_id(const char *name, const unsigned char *id, size_t id_bytes)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *mod;
	char *found = NULL;
	int fd = -1;

	if (!dwfl)
		return -1;
	mod = dwfl_report_module(dwfl, name, 0, 1);
	if (mod && dwfl_module_report_build_id(mod, id, id_bytes, 0) == 0)
		fd = dwfl_standard_find_debuginfo(mod, NULL, name, 0, NULL, NULL, 0, &found);
	free(found);
	dwfl_end(dwfl);
	return fd;
}

static void find_code_start(struct image *image)
{
	size_t count = 0;
	GElf_Phdr phdr;

	image->code_start = UINT64_MAX;
	elf_getphdrnum(image->elf, &count);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(image->elf, i, &phdr) && phdr.p_type == PT_LOAD &&
		    (phdr.p_flags & PF_X) && phdr.p_vaddr < image->code_start)
			image->code_start = phdr.p_vaddr;
	if (image->code_start == UINT64_MAX)
		image->code_start = 0;
}

/* Owns FD from now on. */
static bool report_to_dwfl(struct image *image, const char *path, int fd)
{
	GElf_Addr bias;

	image->dwfl = dwfl_begin(&callbacks);
	if (!image->dwfl) {
		close(fd);
		return false;
	}
	/* A base of 0 and addresses as in the file: the bias of the module is 0. */
	image->mod = dwfl_report_elf(image->dwfl, path, path, fd, 0, true);
	if (!image->mod)
		close(fd);
	dwfl_report_end(image->dwfl, NULL, NULL);
	if (image->mod)
		image->elf = dwfl_module_getelf(image->mod, &bias);
	if (!image->elf) {
		image_close(image);
		return false;
	}
	find_code_start(image);
	return true;
}

void image_open(struct image *image, struct intern *in, const char *path,
		const unsigned char *build_id, size_t build_id_bytes, enum symbolize_kind kind)
{
	bool vdso = kind == SYMBOLIZE_VDSO;
	const char *why = NULL;
	int fd;

	*image = (struct image){0};
	elf_version(EV_CURRENT);
	fd = vdso ? vdso_open() : open_file(path, &why);
	if (fd >= 0)
		why = check_file(fd, in, build_id, build_id_bytes);
	if (vdso && (fd < 0 || why || build_id_bytes == 0))
		why = "is not this kernel's; look at the profile on the machine that made it";
	if (!why && report_to_dwfl(image, path, fd))
		return;
	if (why && fd >= 0)
		close(fd);
	if (!why)
		why = "is a damaged ELF file; build it again";
	image->notice = intern_format(in, "'%s' %s", path, why);
	if (!image->notice)
		image->notice = "out of memory: a module's file is not used";
	if (build_id_bytes == 0)
		return;
	fd = find_by_build_id(path, build_id, build_id_bytes);
	if (fd < 0)
		return;
	if (check_file(fd, in, build_id, build_id_bytes) != NULL)
		close(fd);
	else
		report_to_dwfl(image, path, fd);
}

void image_close(struct image *image)
{
	if (image->dwfl)
		dwfl_end(image->dwfl);
	image->dwfl = NULL;
	image->mod = NULL;
	image->elf = NULL;
}

static void module_range(Elf *elf, struct image_code *code)
{
	GElf_Phdr phdr;
	size_t count = 0;

	code->low = code->high = 0;
	elf_getphdrnum(elf, &count);
	for (int i = 0; i < (int)count; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		if (!code->high)
			code->low = phdr.p_vaddr;
		code->high = phdr.p_vaddr + phdr.p_memsz;
	}
}

bool image_code(const struct image *image, uint64_t address, uint64_t size, struct image_code *code)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	GElf_Shdr s;
	Elf_Data *data;

	if (!image->elf || !gelf_getehdr(image->elf, &header))
		return false;
	code->machine = header.e_machine;
	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &s) || s.sh_type != SHT_PROGBITS ||
		    !(s.sh_flags & SHF_EXECINSTR) || address < s.sh_addr ||
		    address - s.sh_addr >= s.sh_size || size > s.sh_size - (address - s.sh_addr))
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || data->d_size < s.sh_size)
			return false;
		code->bytes = (const unsigned char *)data->d_buf + (address - s.sh_addr);
		module_range(image->elf, code);
		return true;
	}
	return false;
}
