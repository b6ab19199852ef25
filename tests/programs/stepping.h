/* SPDX-License-Identifier: MIT */
/*
 * stepping.h - SIGTRAP after each instruction, and which of them are the library's: for programs
 * that let handlers interrupt hooks everywhere. To be included once, by a program of one file.
 */
#ifndef TESTS_STEPPING_H
#define TESTS_STEPPING_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#ifndef UNSEEN
#define UNSEEN __attribute__((no_instrument_function))
#endif

static uintptr_t low, high; /* the library's code */

UNSEEN static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!strstr(info->dlpi_name, "libzprof"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
			low = info->dlpi_addr + p->p_vaddr;
			high = low + p->p_memsz;
		}
	}
	return 1;
}

/* Whether the instruction that comes next is the library's: of a handler's third argument. */
UNSEEN static inline bool in_library(const void *context)
{
	uintptr_t ip = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	return ip >= low && ip < high;
}

UNSEEN static void step(void)
{
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "cc", "memory");
}

UNSEEN static void run(void)
{
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" : : : "cc", "memory");
}

#endif
