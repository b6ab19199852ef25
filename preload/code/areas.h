/* SPDX-License-Identifier: MIT */
/*
 * areas.h - the trampolines that the entries of functions were displaced into (displace/displace.h):
 * where they are, and of which function each is.
 *
 * There is an *area* for each module whose functions are displaced. It is an ELF image of its own,
 * in memory alone: program headers lead to the call frame information of its trampolines, so an
 * unwinder, and code/module.h, take it for a module. Areas are made before the program has threads,
 * and stay as they are.
 *
 * A trampoline begins so:
 *
 *     48 8d 64 24 80              lea  -128(%rsp), %rsp      steps over the red zone
 *     50                          push %rax
 *     48 8d 05 .. .. .. ..        lea  FUNCTION(%rip), %rax
 *     e8 .. .. .. ..              call the area's jump to the hook
 *     58                          pop  %rax
 *     48 8d a4 24 80 00 00 00     lea  128(%rsp), %rsp
 *                                 the moved instructions
 */
#ifndef ZPROF_AREAS_H
#define ZPROF_AREAS_H

#include <stdbool.h>
#include <stdint.h>

#define AREA_RED_ZONE 128 /* System V psABI x86-64, 3.2.2 */

/* Offsets in a trampoline. */
enum area_offset {
	AREA_PUSH = 5,     /* the push, behind the first lea */
	AREA_FUNCTION = 6, /* the lea of the function's address */
	AREA_CALL = 13,    /* the call of the hook */
	AREA_POP = 18,     /* what the hook returns to */
	AREA_GIVE_BACK = 19,
	AREA_MOVED = 27, /* the first moved instruction */
};

struct area {
	uintptr_t start, end;   /* the whole image */
	uintptr_t first, last;  /* the trampolines: [first, last) */
	uintptr_t eh_frame_hdr; /* of the image */
};

#define AREAS_MAX 512

/* False: there are as many areas as can be. */
bool areas_add(const struct area *area);

/* The area that holds an address, or NULL. May be called by any thread, at any moment. */
const struct area *area_at(uintptr_t address);

/* The areas, from 0 on; NULL: there are no more. */
const struct area *area_number(uint32_t i);

/* The first instruction of a function leads into the trampoline of that function. */
bool area_has_entry_of(uintptr_t function);

/*
 * The place that a return address stands for: that of a trampoline stands for its function's
 * beginning, as if the function's first instruction had made the call; others stand for themselves.
 */
uintptr_t area_place(uintptr_t return_address);

/* Whether the code at an address is a part of a trampoline that the library put there. */
bool area_is_ours(uintptr_t address);

#endif
