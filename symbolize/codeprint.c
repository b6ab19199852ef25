/* SPDX-License-Identifier: MIT */
/* codeprint.c - see codeprint.h. */
#include "symbolize/codeprint.h"

#include "symbolize/instruction.h"

#include <string.h>

/* Zeroes the addresses in INSTRUCTION, which begins AT bytes into the function. */
static void mask(uint8_t *instruction, const struct instruction *i, size_t at, size_t size,
		 uint64_t low, uint64_t high)
{
	uint8_t *displacement = instruction + i->displacement_at;
	uint8_t *immediate = instruction + i->immediate_at;
	uint64_t value = (uint64_t)instruction_number(displacement, i->displacement_bytes);
	if (i->from_here || (low && i->displacement_bytes >= 4 && value - low < high - low))
		memset(displacement, 0, i->displacement_bytes);
	value = (uint64_t)instruction_number(immediate, i->immediate_bytes);
	bool inside = (uint64_t)at + i->length + value < size;
	if (i->jump ? !inside : low && i->immediate_bytes >= 4 && value - low < high - low)
		memset(immediate, 0, i->immediate_bytes);
}

/* Adds bytes to a hash, by FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const uint8_t *bytes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		hash = (hash ^ bytes[k]) * 0x100000001b3u;
	return hash;
}

bool codeprint(const uint8_t *code, size_t size, uint64_t low, uint64_t high, uint64_t *print)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t at = 0; at < size;) {
		struct instruction i;
		uint8_t copy[15];
		if (!instruction_decode(code + at, size - at, &i))
			return false;
		memcpy(copy, code + at, i.length);
		mask(copy, &i, at, size, low, high);
		hash = add_bytes(hash, copy, i.length);
		at += i.length;
	}
	*print = hash;
	return size > 0;
}
