/* SPDX-License-Identifier: MIT */
/*
 * Where a function begins and ends that no symbol names: .eh_frame has a record for each function,
 * which stays in a program that has been stripped. With it, all addresses of one function have one
 * answer. A part of a function that lies elsewhere has a record of its own, and is a function here.
 *
 * The records are read at the first question. They are never compared with symbols: where a symbol
 * is known, this table is not asked.
 */
#ifndef SYMBOLIZE_NAMELESS_H
#define SYMBOLIZE_NAMELESS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbolize/image.h"

struct nameless_table {
	struct nameless_records *records; /* NULL: the file has none that make sense */
	bool loaded;
};

struct nameless_function {
	uint64_t start, size;
	uint64_t section; /* where the section of code begins */
};

/* Finds the function that holds ADDRESS; false: there is no record of one. */
bool nameless_find(struct nameless_table *table, const struct image *image, uint64_t address,
		   struct nameless_function *function);
void nameless_fini(struct nameless_table *table);

#endif
