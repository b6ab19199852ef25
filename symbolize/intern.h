/* SPDX-License-Identifier: MIT */
/*
 * The strings that the symbolizer makes itself: demangled names, `module+0x1f`, notices. Each text
 * is stored once, never moves, and is freed with all the others. Strings in the mapped sections of
 * libelf and libdw are handed out in place, and must not be copied here.
 */
#ifndef SYMBOLIZE_INTERN_H
#define SYMBOLIZE_INTERN_H

#include <stddef.h>

struct intern_block;

struct intern {
	struct intern_block *blocks; /* the text, newest block first */
	const char **slots;          /* hash table of the texts; a power of two, at most 3/4 full */
	size_t slot_count, used;
};

/*
 * A struct intern of all zeros is empty and ready. intern_text() and intern_format() return NULL
 * when memory has run out.
 */
const char *intern_text(struct intern *in, const char *text, size_t bytes);
const char *intern_format(struct intern *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void intern_fini(struct intern *in);

#endif
