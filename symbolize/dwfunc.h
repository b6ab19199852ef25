/* SPDX-License-Identifier: MIT */
/*
 * Which function of a unit holds an address, what it is called, and which calls were inlined there.
 *
 * libdw's dwarf_getscopes() walks the unit's tree for each address. This walks it once for each
 * unit that is hit, keeps where functions begin and end, and then descends in one function only.
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
	uint64_t low, high;  /* of the part of it that holds the address */
	const char *name;    /* as in the source; NULL when it has none */
	const char *linkage; /* where it differs from the name; else mostly NULL */
	const char *file;    /* where it is declared, or NULL and 0 */
	unsigned line;
};

/* The function of UNIT that holds ADDRESS; false when no function does. */
bool dwfunc_find(struct dwunits *units, struct dwunit *unit, uint64_t address, struct dwfunc *func);

/*
 * What to call it: its mangled name demangled; or its name in the source, where the linker's is not
 * mangled but merely different (libc's `__GI_qsort`). NULL when it has no name.
 */
const char *dwfunc_name(const struct dwfunc *func, struct intern *in);

/* Grows as needed; when memory runs out, frames are left out, innermost first. */
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
