/* SPDX-License-Identifier: MIT */
/*
 * call_places.h - the places in the program that call functions, for entries without exits
 * (entries/entries.h): from the return address, how to find the caller's frame and function.
 *
 * The answers come from .eh_frame, and are looked up once. A hook reads them at each call, so an
 * answer is one word, stored and loaded whole: no thread sees half of it.
 *
 *     63              45 44          33 32    31              0
 *     [ bytes behind the | bytes from   | by   | low half of    ]
 *     [ function's start | CFA, / 8     | rbp  | the address    ]
 *
 * The place of a word in the table is given by the low bits of the return address. If two have the
 * same low bits, the one that was looked up last has the word; the other goes the slow way. A call
 * from a place that these bits cannot describe, or that has no such rule, always does. (Two return
 * addresses with the same low half take each other's word. The caller's function, which is compared
 * by its whole address, then disagrees.)
 */
#ifndef ZPROF_CALL_PLACES_H
#define ZPROF_CALL_PLACES_H

#include "preload/code/location.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

#define CALL_PLACES (1u << 18)

/* Bits of the high half of a word. */
#define CALL_PLACE_BY_RBP    1u
#define CALL_PLACE_TWICE     0x1ffeu /* twice the eighths */
#define CALL_PLACE_START     13
#define CALL_PLACE_START_MAX (UINT32_MAX >> CALL_PLACE_START)

/* The word of a return address, or of another one with the same low bits. 0: of none. */
static inline const uint64_t *call_place(const uint64_t *places, uintptr_t ret)
{
	return &places[ret & (CALL_PLACES - 1)];
}

static inline bool call_place_is(uint64_t place, uintptr_t ret)
{
	return (uint32_t)place == (uint32_t)ret;
}

/* The CFA of the function that called, if the CFA of the function that it called is `cfa`. */
static inline uintptr_t call_place_cfa(uint64_t place, uintptr_t cfa, uintptr_t bp)
{
	uint32_t high = (uint32_t)(place >> 32);

	return (high & CALL_PLACE_BY_RBP ? bp : cfa) + (uintptr_t)(high & CALL_PLACE_TWICE) * 4;
}

/* Where the function that called begins. */
static inline uintptr_t call_place_function(uint64_t place, uintptr_t ret)
{
	return ret - (place >> (32 + CALL_PLACE_START));
}

/*
 * Makes the table, for a process whose functions end without a hook; others do without its memory.
 * Until then, and if there is no memory, p->locations->calls is the table of locations, of the same
 * size: whatever is read there as a word leads to no function.
 */
void call_places_begin(struct process *p);

/* The table of locations as a table of words that lead to no function. */
static inline const uint64_t *call_places_none(const struct locations *l)
{
	return (const uint64_t *)l->slots;
}

/* Looks up a return address, if that has not been done. */
void call_places_learn(struct process *p, uintptr_t ret);

#endif
