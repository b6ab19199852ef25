/* SPDX-License-Identifier: MIT */
/*
 * areas.h - the trampolines that the entries of functions were displaced into (displace/displace.h):
 * where they are, and of which function each is.
 *
 * There is an *area* for each module whose functions are displaced. It is an ELF image of its own,
 * in memory alone: program headers lead to the call frame information of its trampolines, so an
 * unwinder, and code/module.h, take it for a module. Areas are made, and unmapped, while the program has
 * one thread, and stay as they are otherwise.
 *
 * A trampoline begins so:
 *
 *     0f 1f 44 00 00              nop                        off: eb 1f, jmp to the moved instructions
 *     48 8d 64 24 80              lea  -128(%rsp), %rsp      steps over the red zone
 *     50                          push %rax
 *     48 8d 05 .. .. .. ..        lea  FUNCTION(%rip), %rax
 *     e8 .. .. .. ..              call the area's jump to the hook
 *     58                          pop  %rax
 *     48 8d a4 24 80 00 00 00     lea  128(%rsp), %rsp
 *     90                          nop
 *                                 the moved instructions
 *
 * The first byte switches the function off (sites/sites.h): 0f begins a nop, and eb begins a jump whose
 * distance is the nop's second byte. That byte has to be 1f, so the moved instructions are AREA_MOVED
 * bytes behind the beginning.
 */
#ifndef ZPROF_AREAS_H
#define ZPROF_AREAS_H

#include <stdbool.h>
#include <stdint.h>

#define AREA_RED_ZONE 128 /* System V psABI x86-64, 3.2.2 */

/* Offsets in a trampoline. */
enum area_offset {
	AREA_STEP = 5,        /* the first lea */
	AREA_PUSH = 10,       /* the push, behind the first lea */
	AREA_FUNCTION = 11,   /* the lea of the function's address */
	AREA_CALL = 18,       /* the call of the hook */
	AREA_POP = 23,        /* what the hook returns to */
	AREA_GIVE_BACK = 24,  /* the lea by which the stack pointer is as at the entry ... */
	AREA_GIVEN_BACK = 32, /* ... from here on */
	AREA_MOVED = 33,      /* the first moved instruction */
};

#define AREA_ON  0x0f /* the first byte of a trampoline */
#define AREA_OFF 0xeb

struct area {
	uintptr_t start, end;   /* the whole image */
	uintptr_t first, last;  /* the trampolines: [first, last) */
	uintptr_t eh_frame_hdr; /* of the image */
	uint32_t module;        /* id of the functions' module; 0: a parent's, and not known here */
};

#define AREAS_MAX 512

/* False: there are as many areas as can be. */
bool areas_add(const struct area *area);

/* Forgets area number i. Only while the process has one thread, and before the area is unmapped. */
void areas_remove(uint32_t i);

/* In a forked child: modules have ids of their own here. */
void areas_inherit(void);

/* The area that holds an address, or NULL. May be called by any thread, at any moment. */
const struct area *area_at(uintptr_t address);

/* The areas, from 0 on; NULL: there are no more. */
const struct area *area_number(uint32_t i);

/*
 * The function of trampoline number i of an area, from 0 on, and where the trampoline begins. False:
 * there are no more.
 */
bool area_trampoline(const struct area *area, uint32_t i, uintptr_t *function, uintptr_t *begin);

/* The first instruction of a function leads into the trampoline of that function. */
bool area_has_entry_of(uintptr_t function);

/*
 * Where a function goes on behind the hook, in its trampoline: a call of that address runs the function
 * and no hook. 0: the function's first instruction does not lead into a trampoline, or more functions than
 * AREA_BARE_MAX would be called so.
 */
#define AREA_BARE_MAX 256
uintptr_t area_bare(uintptr_t function);

/* Whether area_bare() has been asked for a function: it may be called without its hook. */
bool area_is_called_bare(uintptr_t function);

/*
 * The place that a return address stands for: that of a trampoline stands for its function's
 * beginning, as if the function's first instruction had made the call; others stand for themselves.
 */
uintptr_t area_place(uintptr_t return_address);

/* Whether the code at an address is a part of a trampoline that the library put there. */
bool area_is_ours(uintptr_t address);

#endif
