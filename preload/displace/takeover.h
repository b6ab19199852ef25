/* SPDX-License-Identifier: MIT */
/*
 * takeover.h - has functions of ours called in the place of functions of a module, by whoever calls them.
 *
 *     function                       its area                            ours
 *     -------------------------      -------------------------------     ------------------------
 *     jmp area                       jmp ours
 *     int3 ...                                                           may call `original`:
 *     rest of the function  <--------  the moved instructions; jmp back
 *
 * As functions are displaced (displace/displace.h), by the module's plan; but what the jump leads to is no
 * hook of the library, and the area is none of those that code/areas.h knows: nothing is switched off and on
 * there, and nobody looks for the function that a trampoline is of.
 */
#ifndef ZPROF_TAKEOVER_H
#define ZPROF_TAKEOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

struct takeover {
	uintptr_t function, ours;
	uintptr_t original;     /* set: what to call for the function itself */
	uintptr_t patch, entry; /* set: where the jump is stored, and where it leads to */
	unsigned char bytes;    /* set: of the code that the jump displaces */
};

/*
 * Takes over all `count` functions of one module, by its plan in `folder`. False: there is no plan, it
 * refuses a function, the code is not that of the file, or a jump cannot be stored. Where `original` is
 * not 0 then, a jump may be stored, and `original` is right all the same. To be called only if
 * displace_forbidden() gives NULL.
 */
bool takeover(struct process *p, const char *folder, struct takeover *all, size_t count);

#endif
