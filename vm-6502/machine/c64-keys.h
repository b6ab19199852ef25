/* SPDX-License-Identifier: MIT */
/*
 * c64-keys: the keys of a C64, from a text of the command line, a file, or else stdin. A key is
 * taken only when the guest waits for one, so a run takes the same cycles every time.
 */
#ifndef VM_6502_C64_KEYS_H
#define VM_6502_C64_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct keys;

/* Keys come from `text`, in which `\n` is RETURN, and then from the file. Each of the two may be
 * NULL; if both are, stdin is read. NULL, with errno: the file can't be opened, or out of
 * memory. */
struct keys *keys_new(const char *text, const char *file);
void keys_free(struct keys *k);

/* The next key in PETSCII, waiting for it; -1: there are no more; -2: Ctrl-C came meanwhile. */
int keys_next(struct keys *k);

#endif
