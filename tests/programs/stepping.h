/* SPDX-License-Identifier: MIT */
/*
 * stepping.h - SIGTRAP after each instruction, and which of them are the library's: for programs
 * that let handlers interrupt hooks everywhere. To be included once, by a program of one file.
 *
 * Between step() and run(), a thread gets SIGTRAP after each instruction of the library, and perhaps
 * after others. Handlers are not stepped through. One of the processor's headers has
 *
 *   handle_steps         installs the handler of SIGTRAP, as sigaction() does
 *   step, run            begin and end that
 *   step_on, step_no_on  the same, for the code to which a handler returns (its third argument)
 *   next_instruction     where that code goes on
 *   CALL_NUMBER ...      registers of a system call there
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

#ifdef __x86_64__
#include "tests/programs/stepping_x86_64.h"
#else
#include "tests/programs/stepping_aarch64.h"
#endif

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
	uintptr_t ip = next_instruction(context);
	return ip >= low && ip < high;
}

#endif
