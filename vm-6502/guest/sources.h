/* SPDX-License-Identifier: MIT */
/*
 * sources: which line of which source file an address was assembled from, as ld65's debug
 * information (--dbgfile) says. A line inside a macro counts for the line that called the macro;
 * assembly made from C for the line of C.
 */
#ifndef VM_6502_SOURCES_H
#define VM_6502_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_place {
	int file, line; /* line 0: unknown */
};

struct sources {
	char **file; /* names as the assembler was given them */
	int files;
	struct source_place at[0x10000];
};

/* NULL with a message in err. */
struct sources *sources_load(const char *path, char *err, size_t size);
void sources_free(struct sources *s);

#endif
