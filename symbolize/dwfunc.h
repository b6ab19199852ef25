/* SPDX-License-Identifier: MIT */
/*
 * Finds the function of a unit that holds an address, its name, and the calls inlined there.
 *
 * libdw's dwarf_getscopes() walks the unit's tree for each address. This file walks a unit's tree
 * once, when an address in the unit is first asked for, and keeps where its functions begin and
 * end. After that, a lookup descends in one function only.
 */
#ifndef SYMBOLIZE_DWFUNC_H
#define SYMBOLIZE_DWFUNC_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/dwunit.h"
#include "symbolize/intern.h"
#include "symbolize/symbolize.h"

struct dwfunc {
	Dwarf_Die die;
	uint64_t low, high;  /* [low, high): the part of its code that holds the address */
	const char *name;    /* as in the source; NULL when it has none */
	const char *linkage; /* the linker's name, if it differs from `name`; else mostly NULL */
	const char *file;    /* where it is declared; NULL and 0 when unknown */
	unsigned line;
};

/* The function of UNIT that holds ADDRESS; false when no function does. */
bool dwfunc_find(struct dwunits *units, struct dwunit *unit, uint64_t address, struct dwfunc *func);

/*
 * The function's name for reports: its mangled name, demangled; or its name in the source, if the
 * linker's name is not mangled but merely different (libc's `__GI_qsort`). NULL when it has no
 * name.
 */
const char *dwfunc_name(const struct dwfunc *func, struct intern *in);

/* An array of frames that grows as needed. When memory runs out, the innermost are left out. */
struct dwfunc_chain {
	struct symbolize_frame *frames;
	size_t count, room;
};

/* Appends the functions inlined in FUNC at ADDRESS, outermost first. */
void dwfunc_inlined(const struct dwfunc *func, uint64_t address, struct intern *in,
		    struct dwfunc_chain *chain);

/* Appends one frame; false when memory has run out. */
bool dwfunc_chain_push(struct dwfunc_chain *chain, const struct symbolize_frame *frame);

#endif
