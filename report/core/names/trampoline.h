/* SPDX-License-Identifier: MIT */
/*
 * trampoline.h - recognises the code that a signal handler returns to, where no symbol names it.
 *
 * The kernel makes a handler return to the code that sigaction() got as sa_restorer. That is always
 * the same two instructions; libgcc's unwinder and gdb recognise it in the same way. libc does not
 * export it, so a libc without debug symbols has no name for it.
 */
#ifndef REPORT_TRAMPOLINE_H
#define REPORT_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the code at ADDRESS (in the file's own terms) of the ELF file PATH is a trampoline. */
bool trampoline_at(const char *path, uint64_t address);

#endif
