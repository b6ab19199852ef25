/* SPDX-License-Identifier: MIT */
/*
 * c64-keys: where a C64's keys come from: a text of the command line, a file, or else stdin. A key
 * is taken when the guest waits for one and never before, so a run takes the same cycles every
 * time.
 */
#ifndef VM_6502_C64_KEYS_H
#define VM_6502_C64_KEYS_H

#include <stdbool.h>
#include <stdint.h>

struct keys;

/* text: `\n` in it is RETURN; it is taken before the file. Either may be NULL; stdin is read when
 * both are. NULL, with errno: the file can't be opened, or out of memory. */
struct keys *keys_new(const char *text, const char *file);
void keys_free(struct keys *k);

/* The next key in PETSCII, waiting for it; -1: there are no more; -2: Ctrl-C came meanwhile. */
int keys_next(struct keys *k);

#endif
