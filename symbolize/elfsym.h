/* SPDX-License-Identifier: MIT */
/*
 * The symbols of a module, functions or variables, by address. libdwfl finds them in .symtab, or
 * else in .dynsym and .gnu_debugdata. libdwfl's own search goes through all symbols for each
 * address. This table sorts them once, and takes 16 bytes for each; the names stay in the file.
 */
#ifndef SYMBOLIZE_ELFSYM_H
#define SYMBOLIZE_ELFSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/image.h"

/*
 * entries[i].start <= entries[i + 1].start; entries with equal starts are aliases, in the order of
 * the symbol table.
 */
struct elfsym_entry {
	uint64_t start;
	uint32_t size;       /* bytes, at most UINT32_MAX */
	uint32_t label : 1;  /* a symbol without a size: it reaches to the next symbol */
	uint32_t index : 31; /* for dwfl_module_getsym_info() */
};

struct elfsym_table {
	bool variables; /* set before it is loaded: a table of variables, not of functions */
	struct elfsym_entry *entries;
	size_t count;
	bool loaded;
};

/* Reads the symbols of IMAGE, once. The table stays empty if there are none, or no memory. */
void elfsym_load(struct elfsym_table *table, const struct image *image);
void elfsym_fini(struct elfsym_table *table);

/*
 * The symbol that holds ADDRESS, or NULL. Among aliases, one with the name LIKE or OR_LIKE (both
 * may be NULL) is taken; otherwise a global one before a weak one, and a weak one before a local
 * one.
 */
const struct elfsym_entry *elfsym_find(const struct elfsym_table *table, const struct image *image,
				       uint64_t address, const char *like, const char *or_like);

/* The symbol that begins nearest to ADDRESS, at it or before it, in the same section; or NULL. */
const struct elfsym_entry *elfsym_before(const struct elfsym_table *table,
					 const struct image *image, uint64_t address);

/* The symbol's name, never NULL. *QUALITY: the table it is from, SYMBOLIZE_SYMTAB or _DYNSYM. */
const char *elfsym_name(const struct image *image, const struct elfsym_entry *entry,
			enum symbolize_quality *quality);

#endif
