/* SPDX-License-Identifier: MIT */
/*
 * record_elf.h - the sections of a 64-bit ELF file, by the structs of <elf.h>. Every offset is
 * checked: a file may be damaged.
 */
#ifndef REPORT_RECORD_ELF_H
#define REPORT_RECORD_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_elf {
	const uint8_t *bytes; /* the file, mapped */
	size_t size;
};

/* A section's bytes in the file. */
struct record_section {
	const uint8_t *bytes;
	size_t size;
	uint32_t link; /* the number of a section that belongs to it */
};

/* False: the file cannot be read, or is no 64-bit ELF file. Then *E needs no closing. */
bool record_elf_open(struct record_elf *e, const char *path);
void record_elf_close(struct record_elf *e);

/* Section number I: false if there is none, or it lies outside of the file. */
bool record_elf_section(const struct record_elf *e, size_t i, struct record_section *s);

/* The section of that name; false: there is none. */
bool record_elf_named(const struct record_elf *e, const char *name, struct record_section *s);

/* Whether the file uses the function NAME of another file. */
bool record_elf_uses(const struct record_elf *e, const char *name);

/* Whether the file has the function NAME for other files, and its address, in the file's own terms. */
bool record_elf_defines(const struct record_elf *e, const char *name, uint64_t *value);

#endif
