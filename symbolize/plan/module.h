/* SPDX-License-Identifier: MIT */
/*
 * module.h - an ELF file as the planner sees it: its bytes by *offset*, its code, and its build-id.
 *
 * An offset is a distance from the begin of the image, as in a plan (preload/displace/plan.h). The
 * file is mapped and may be damaged: nothing outside of it is read, whatever its tables say. A file
 * that shrinks while it is mapped ends the command.
 */
#ifndef SYMBOLIZE_PLAN_MODULE_H
#define SYMBOLIZE_PLAN_MODULE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "preload/displace/plan.h"

/* A part of the image that the file holds: [start, end), and its bytes. */
struct module_range {
	uint32_t start, end;
	const uint8_t *bytes;
	bool stubs; /* code: a section of the procedure linkage table */
};

#define MODULE_RANGES 64

struct module {
	int fd;
	Elf *elf;
	struct stat stat;
	const uint8_t *file;
	size_t file_bytes;
	uint64_t low; /* an address in the file's own terms minus `low` is an offset */
	uint32_t image_bytes;
	bool fixed; /* built without PIE: addresses are numbers in code and data */
	uint64_t entry;
	struct module_range frames; /* .eh_frame; without bytes: there is none */
	/* Executable sections, and all of them together: [text_start, text_end). Other sections that
	 * are in memory: data. Both sorted. */
	struct module_range code[MODULE_RANGES], data[MODULE_RANGES];
	size_t codes, datas;
	uint32_t text_start, text_end;
	uint8_t build_id[PLAN_BUILD_ID];
	uint32_t build_id_bytes;
};

/* Opens a file, whose code must be of x86-64. Whatever the result is, module_close() ends it. `*absent` tells
 * that the file cannot be opened at all; errno says why. */
enum plan_module module_open(struct module *m, const char *path, bool *absent);
void module_close(struct module *m);

/* Reads a file of x86-64 or arm64 that the caller has opened and keeps open. module_close() must not be called. */
enum plan_module module_read(struct module *m, Elf *elf);

/* The offset of an address; false: outside of the image. */
static inline bool module_offset(const struct module *m, uint64_t address, uint32_t *offset)
{
	*offset = (uint32_t)(address - m->low);
	return address - m->low < m->image_bytes;
}

/* The section of code that OFFSET is in; NULL: in none. */
const struct module_range *module_code_at(const struct module *m, uint32_t offset);

/* The section of data that OFFSET is in; NULL: in none. */
const struct module_range *module_data_at(const struct module *m, uint32_t offset);

#endif
