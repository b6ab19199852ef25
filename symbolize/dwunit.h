/* SPDX-License-Identifier: MIT */
/*
 * Finds the compilation unit that holds an address, and keeps the units that were found.
 *
 * gcc writes a complete .debug_aranges section, which answers at once. clang writes none, and a
 * program may have units of both compilers. For units that .debug_aranges leaves out, the ranges
 * are read from .debug_info, once, when .debug_aranges first fails to answer. libdw's
 * dwarf_addrdie() uses .debug_aranges alone, and so finds no lines in a program made by clang.
 */
#ifndef SYMBOLIZE_DWUNIT_H
#define SYMBOLIZE_DWUNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/image.h"

/* A stretch of a function's code. */
struct dwunit_code {
	uint64_t low, high; /* [low, high), low < high */
	Dwarf_Off die;      /* of the function, for dwarf_offdie() */
};

struct dwunit {
	Dwarf_Off offset;
	Dwarf_Die lines; /* the unit that has the line table */
	Dwarf_Die tree;  /* the unit that has the functions: another one if DWARF is split */
	/*
	 * The code of the unit's functions, sorted by `low`; dwfunc.c reads it when first needed.
	 */
	struct dwunit_code *code;
	size_t code_count;
	enum { DWUNIT_UNREAD, DWUNIT_OUTER, DWUNIT_NESTED } read;
};

/* Addresses in libdw's answers are lower by `bias` than the module's. */
struct dwunits {
	Dwarf *dwarf; /* NULL: no debug information */
	uint64_t bias;
	uint64_t code_start; /* of struct image */
	void *hit;           /* tsearch tree of struct dwunit */
	bool loaded;
	bool rest_loaded;
	bool starved;             /* memory has run out: answers may be missing */
	struct dwunit_code *rest; /* code of units not in .debug_aranges; `die` is the unit's */
	size_t rest_count;
};

/* Finds the debug information of IMAGE, once. */
void dwunits_load(struct dwunits *units, const struct image *image);
void dwunits_fini(struct dwunits *units);

/* The unit that holds ADDRESS (less the bias, as for all of libdw), or NULL. */
struct dwunit *dwunits_find(struct dwunits *units, uint64_t address);

/*
 * An array of stretches of code. dwunit_list_add_ranges() adds those of DIE under the name NAMED,
 * and returns false when memory has run out. An array is sorted by `low` before dwunit_code_find(),
 * which returns the stretch that holds ADDRESS, or NULL.
 */
struct dwunit_list {
	struct dwunit_code *items;
	size_t count, room;
};
bool dwunit_list_add_ranges(struct dwunit_list *list, Dwarf_Die *die, Dwarf_Off named,
			    uint64_t code_start);
void dwunit_list_sort(struct dwunit_list *list);
const struct dwunit_code *dwunit_code_find(const struct dwunit_code *items, size_t count,
					   uint64_t address);

#endif
