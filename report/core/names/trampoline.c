/* SPDX-License-Identifier: MIT */
/* trampoline.c - see trampoline.h. In a file that cannot be read, nothing is a trampoline. */
#include "report/core/names/trampoline.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* mov $__NR_rt_sigreturn, %rax; syscall */
static const unsigned char code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

static bool read_at(int fd, uint64_t offset, void *to, size_t n)
{
	return offset <= INT64_MAX && pread(fd, to, n, (off_t)offset) == (ssize_t)n;
}

static bool code_at(int fd, uint64_t offset)
{
	unsigned char found[sizeof code];
	return read_at(fd, offset, found, sizeof found) && !memcmp(found, code, sizeof code);
}

static bool look(int fd, uint64_t address)
{
	Elf64_Ehdr e;
	if (!read_at(fd, 0, &e, sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < e.e_phnum; i++) {
		Elf64_Phdr p;
		if (!read_at(fd, e.e_phoff + i * sizeof p, &p, sizeof p))
			return false;
		if (p.p_type == PT_LOAD && (p.p_flags & PF_X) && address - p.p_vaddr < p.p_filesz)
			return code_at(fd, p.p_offset + (address - p.p_vaddr));
	}
	return false;
}

bool trampoline_at(const char *path, uint64_t address)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool found = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && look(fd, address);
	if (fd >= 0)
		close(fd);
	return found;
}
