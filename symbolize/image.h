/* SPDX-License-Identifier: MIT */
/*
 * Finds the file of a module, and its debug file, checks them against the build-id, and holds them
 * open by libdwfl. Debug information is searched for in the module itself, in its .gnu_debuglink,
 * in /usr/lib/debug/.build-id, and by debuginfod when DEBUGINFOD_URLS is set. libdwfl does this
 * search, and also reads .gnu_debugdata and the files of dwz. When the module is gone or is another
 * build, a debug file with the right build-id is used alone.
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
	/*
	 * The lowest address of code. Functions that the linker threw away still have debug
	 * information, at addresses from 0 on, so a function below `code_start` does not exist.
	 */
	uint64_t code_start;
	const char *notice; /* for symbolize_notice() */
};

void image_open(struct image *image, struct intern *in, const char *path,
		const unsigned char *build_id, size_t build_id_bytes, enum symbolize_kind kind);
void image_close(struct image *image);

/*
 * Bytes of code, and the addresses [low, high) of the module; `low` is 0 if the module may be
 * loaded anywhere.
 */
struct image_code {
	const unsigned char *bytes;
	uint64_t low, high;
	unsigned machine; /* EM_X86_64, EM_AARCH64 ... (elf.h) */
};

/* Finds SIZE bytes of code at ADDRESS; false if the file does not have them. */
bool image_code(const struct image *image, uint64_t address, uint64_t size,
		struct image_code *code);

#endif
