/* SPDX-License-Identifier: MIT */
/*
 * trampoline.h - recognises the code that a signal handler returns to, if it has no symbol.
 *
 * The kernel makes a handler return to the code that sigaction() got as sa_restorer. That code is
 * always the same two instructions, by which libgcc's unwinder and gdb recognise it, too. libc does
 * not export this code, so a libc without debug symbols has no name for it.
 */
#ifndef REPORT_TRAMPOLINE_H
#define REPORT_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the code at ADDRESS (in the file's own terms) of the ELF file PATH is a trampoline. */
bool trampoline_at(const char *path, uint64_t address);

#endif
