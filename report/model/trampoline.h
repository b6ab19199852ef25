/* SPDX-License-Identifier: MIT */
/*
 * trampoline.h - knows a signal handler's return by its code, where no symbol says it.
 *
 * The kernel makes a handler return to the code that sigaction() was given as sa_restorer, and that
 * is always the same two instructions: libgcc's unwinder and gdb know it by them, too. libc's is
 * not exported, so a libc without its debug symbols has no name for it.
 */
#ifndef REPORT_TRAMPOLINE_H
#define REPORT_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the code at ADDRESS (as the file itself counts) of the ELF file PATH is one. */
bool trampoline_at(const char *path, uint64_t address);

#endif
