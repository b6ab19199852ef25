/* SPDX-License-Identifier: MIT */
/* grow: makes room for one more element in an array. */
#ifndef VM_6502_GROW_H
#define VM_6502_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * array: the address of a pointer to *room structs of `size` bytes, of which `used` are in use.
 * False: out of memory, and the array is as before.
 */
static inline __attribute__((no_instrument_function)) bool grow(void *array, uint32_t used,
								uint32_t *room, size_t size)
{
	void **pointer = array, *larger;
	uint32_t wanted = *room ? *room * 2 : 64;

	if (used < *room)
		return true;
	larger = realloc(*pointer, wanted * size);
	if (!larger)
		return false;
	*pointer = larger;
	*room = wanted;
	return true;
}

#endif
