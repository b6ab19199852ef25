/* SPDX-License-Identifier: MIT */
/* See vdso.h. */
#define _GNU_SOURCE
#include "symbolize/vdso.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* The image's size: the kernel maps the whole image, and the section headers come last. */
static size_t image_bytes(const Elf64_Ehdr *ehdr)
{
	return ehdr->e_shoff + (size_t)ehdr->e_shnum * ehdr->e_shentsize;
}

int vdso_open(void)
{
	const Elf64_Ehdr *ehdr = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	const char *from = (const char *)ehdr;
	size_t bytes, done = 0;
	int fd;

	if (!ehdr || ehdr->e_ident[EI_CLASS] != ELFCLASS64 || ehdr->e_shoff == 0)
		return -1;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	for (bytes = image_bytes(ehdr); done < bytes;) {
		/* write() fails with EFAULT if an odd image is shorter than its header claims. */
		ssize_t n = write(fd, from + done, bytes - done);

		if (n <= 0) {
			close(fd);
			return -1;
		}
		done += n;
	}
	return fd;
}
