/* SPDX-License-Identifier: MIT */
/* codeprint.c - see codeprint.h. */
#include "symbolize/codeprint.h"

#include "symbolize/arm64.h"
#include "symbolize/instruction.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Adds bytes to a hash, by FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const uint8_t *bytes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		hash = (hash ^ bytes[k]) * 0x100000001b3u;
	return hash;
}

/* ---- x86-64 */

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

static bool hash_x86_64(const struct image_code *code, size_t size, uint64_t *hash)
{
	struct instruction i;
	uint8_t copy[15];

	for (size_t at = 0; at < size; at += i.length) {
		if (!instruction_decode(code->bytes + at, size - at, &i))
			return false;
		memcpy(copy, code->bytes + at, i.length);
		mask(copy, &i, at, size, code->low, code->high);
		*hash = add_bytes(*hash, copy, i.length);
	}
	return true;
}

/* ---- arm64 */

/* A function's code: what may lead to an instruction, and which registers may have the page of an address. */
struct arm64_function {
	const uint8_t *bytes;
	size_t size;
	bool *reached;      /* by a jump, for each instruction */
	uint32_t any_pages; /* registers that have a page somewhere */
};

/* Where a jump from `at` leads to; `size` or more: out of the function. */
static size_t leads_to(const struct arm64_instruction *i, size_t at)
{
	return at + (size_t)i->distance;
}

static void survey(struct arm64_function *f)
{
	for (size_t at = 0; at < f->size; at += ARM64_BYTES) {
		struct arm64_instruction i = arm64_decode(arm64_word(f->bytes + at));

		if (i.kind == ARM64_PAGE)
			f->any_pages |= i.written;
		else if (i.kind == ARM64_JUMP && leads_to(&i, at) < f->size)
			f->reached[leads_to(&i, at) / ARM64_BYTES] = true;
	}
}

static uint64_t hash_function(const struct arm64_function *f, uint64_t hash)
{
	uint32_t pages = 0;

	for (size_t at = 0; at < f->size; at += ARM64_BYTES) {
		uint32_t word = arm64_word(f->bytes + at);
		struct arm64_instruction i = arm64_decode(word);
		bool is_address =
		    i.kind == ARM64_CALL || i.kind == ARM64_NEAR || i.kind == ARM64_PAGE;

		if (f->reached[at / ARM64_BYTES])
			pages = f->any_pages;
		is_address |= i.kind == ARM64_JUMP && leads_to(&i, at) >= f->size;
		is_address |= i.kind == ARM64_IN_PAGE && pages >> i.base & 1;
		word &= is_address ? ~i.number : UINT32_MAX;
		hash = add_bytes(hash, (const uint8_t *)&word, sizeof(word));
		pages = (pages & ~i.written) | (i.kind == ARM64_PAGE ? i.written : 0);
	}
	return hash;
}

static bool hash_arm64(const struct image_code *code, size_t size, uint64_t *hash)
{
	struct arm64_function f = {.bytes = code->bytes, .size = size & -(size_t)ARM64_BYTES};

	f.reached = calloc(size / ARM64_BYTES + 1, sizeof(*f.reached));
	if (!f.reached)
		return false;
	survey(&f);
	*hash = hash_function(&f, *hash);
	free(f.reached);
	return true;
}

bool codeprint(const struct image_code *code, size_t size, uint64_t *print)
{
	*print = 0xcbf29ce484222325u;
	if (!size)
		return false;
	if (code->machine == EM_AARCH64)
		return hash_arm64(code, size, print);
	return code->machine == EM_X86_64 && hash_x86_64(code, size, print);
}
