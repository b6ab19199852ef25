/* SPDX-License-Identifier: MIT */
/*
 * sources: the source file and line that an address was assembled from, by ld65's debug information
 * (--dbgfile). Code from a macro belongs to the line that calls the macro, and assembly made from C
 * to the line of C.
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

/* Reads a file of debug information. NULL, with a message in err. */
struct sources *sources_load(const char *path, char *err, size_t size);
void sources_free(struct sources *s);

#endif
