/* SPDX-License-Identifier: MIT */
/*
 * The file behind a module, and its debug file: found, checked against the build-id, held open by
 * libdwfl. The order is the module itself, its .gnu_debuglink, /usr/lib/debug/.build-id, and
 * debuginfod when DEBUGINFOD_URLS is set; libdwfl does all of these, .gnu_debugdata and dwz's
 * files as well. When the module is gone or is another build, a debug file with the right build-id
 * is used alone.
 *
 * It must never use a file whose build-id differs: wrong names are worse than none.
 */
#ifndef SYMBOLIZE_IMAGE_H
#define SYMBOLIZE_IMAGE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/intern.h"
#include "symbolize/symbolize.h"

struct image {
	Dwfl *dwfl;
	Dwfl_Module *mod; /* NULL: no file can be used. Its load bias is 0. */
	Elf *elf;         /* the module's own file, or the debug file used alone */
	/* The lowest address of code. Functions that the linker threw away still have debug
	   information, at addresses from 0 on: those below this do not exist. */
	uint64_t code_start;
	const char *notice; /* for symbolize_notice() */
};

void image_open(struct image *image, struct intern *in, const char *path,
		const unsigned char *build_id, size_t build_id_bytes, enum symbolize_kind kind);
void image_close(struct image *image);

/* Code of the module's file, and the addresses that the module has; `low` is 0 if it may be loaded
 * anywhere. */
struct image_code {
	const unsigned char *bytes;
	uint64_t low, high;
};

/* Finds SIZE bytes of x86-64 code at ADDRESS; false if the file does not have them. */
bool image_code(const struct image *image, uint64_t address, uint64_t size,
		struct image_code *code);

#endif
