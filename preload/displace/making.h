/* SPDX-License-Identifier: MIT */
/*
 * making.h - makes the area of one module (code/areas.h): all its trampolines, and what describes them.
 *
 *     0                ELF header, program headers, the hook's address, a jump to the hook
 *     PAGE             trampolines, at multiples of 16 bytes
 *     then             slots: return addresses that displaced calls push
 *     then             .eh_frame
 *     then             .eh_frame_hdr
 *
 * The parts have room for the largest that they could be. What is not used is never touched, and
 * takes no memory.
 *
 * An area is written in ordinary memory, copied to a file of memory (memfd), and that is mapped readable
 * and executable. So no page is ever writable and executable, which some systems forbid, and an area
 * can't be changed by a stray store.
 */
#ifndef ZPROF_MAKING_H
#define ZPROF_MAKING_H

#include "preload/code/areas.h"
#include "preload/displace/trampoline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module;

struct making {
	const struct module *module;
	uintptr_t at; /* where the area will be */
	size_t bytes;
	unsigned char *memory; /* what will be there */
	uint32_t most;         /* functions at most */
	uint32_t made;         /* trampolines so far */
	struct code code, slots, frames, table;
	uintptr_t hook, cie;
	bool off;                                   /* the functions begin switched off */
	size_t slots_from, frames_from, table_from; /* offsets of the parts */
};

/*
 * False: no free addresses near the module, or no memory. `hook`: what trampolines call; `off`: their
 * functions begin switched off.
 */
bool making_begin(struct making *a, const struct module *module, uint32_t functions, uintptr_t hook,
		  bool off);

/* The address of the function's trampoline; 0: the function is too far from something. */
uintptr_t making_add(struct making *a, const struct displaced *d);

/* Maps the area, complete, for good. False: the kernel does not allow that. */
bool making_map(struct making *a, struct area *area);

void making_end(struct making *a);

#endif
