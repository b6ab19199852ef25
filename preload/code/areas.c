/* SPDX-License-Identifier: MIT */
/* areas.c - see areas.h. */
#include "preload/code/areas.h"

#include "preload/base/sys.h"
#include "preload/code/cfi.h"

#define ENDBR64_BYTES 4
#define JUMP_BYTES    5

static struct area areas[AREAS_MAX];
static uint32_t count;

/* Functions that the adapter of an interpreter calls without their hooks. */
static uintptr_t bare[AREA_BARE_MAX];
static uint32_t bare_count;

bool areas_add(const struct area *area)
{
	if (count == AREAS_MAX)
		return false;
	areas[count] = *area;
	__atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
	return true;
}

void areas_remove(uint32_t i)
{
	areas[i] = areas[count - 1];
	__atomic_store_n(&count, count - 1, __ATOMIC_RELEASE);
}

void areas_inherit(void)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		areas[i].module = 0;
}

const struct area *area_at(uintptr_t address)
{
	uint32_t i, n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);

	for (i = 0; i < n; i++)
		if (address - areas[i].start < areas[i].end - areas[i].start)
			return &areas[i];
	return NULL;
}

const struct area *area_number(uint32_t i)
{
	return i < __atomic_load_n(&count, __ATOMIC_ACQUIRE) ? &areas[i] : NULL;
}

static uintptr_t relative_at(uintptr_t at)
{
	int32_t distance;

	memcpy(&distance, (const void *)at, sizeof(distance));
	return at + sizeof(distance) + (uintptr_t)(intptr_t)distance;
}

/* The beginning of the trampoline that holds an address; 0: no trampoline does. */
static uintptr_t trampoline_at(uintptr_t address)
{
	const struct area *area = area_at(address);
	struct cfi cfi;

	if (!area || address < area->first || address >= area->last ||
	    !cfi_find(area->eh_frame_hdr, address, &cfi))
		return 0;
	return cfi.function;
}

/* Entry number 0 of the image's table is that of the jump to the hook. */
bool area_trampoline(const struct area *area, uint32_t i, uintptr_t *function, uintptr_t *begin)
{
	struct cfi_image image = {area->start, area->end, area->eh_frame_hdr};
	uintptr_t end;

	if (i + 1 >= cfi_count(&image) || !cfi_range(&image, i + 1, begin, &end))
		return false;
	*function = relative_at(*begin + AREA_CALL - sizeof(int32_t));
	return true;
}

/* The trampoline that a function's first instruction jumps to; 0: there is none. */
static uintptr_t entry_of(uintptr_t function)
{
	static const unsigned char endbr64[ENDBR64_BYTES] = {0xf3, 0x0f, 0x1e, 0xfa};
	const unsigned char *at = (const unsigned char *)function;

	if (!memcmp(at, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (*at != 0xe9)
		return 0;
	function = relative_at((uintptr_t)at + JUMP_BYTES - sizeof(int32_t));
	return area_at(function) ? function : 0;
}

bool area_has_entry_of(uintptr_t function)
{
	return entry_of(function) != 0;
}

bool area_is_called_bare(uintptr_t function)
{
	uint32_t i, n = __atomic_load_n(&bare_count, __ATOMIC_ACQUIRE);

	for (i = 0; i < n; i++)
		if (bare[i] == function)
			return true;
	return false;
}

uintptr_t area_bare(uintptr_t function)
{
	uintptr_t trampoline = entry_of(function);

	if (!trampoline)
		return 0;
	if (!area_is_called_bare(function)) {
		if (bare_count == AREA_BARE_MAX)
			return 0;
		bare[bare_count] = function;
		__atomic_store_n(&bare_count, bare_count + 1, __ATOMIC_RELEASE);
	}
	return trampoline + AREA_MOVED;
}

uintptr_t area_place(uintptr_t return_address)
{
	uintptr_t trampoline = trampoline_at(return_address - 1);

	return trampoline ? relative_at(trampoline + AREA_CALL - sizeof(int32_t)) + 1
			  : return_address;
}

bool area_is_ours(uintptr_t address)
{
	uintptr_t trampoline = trampoline_at(address);

	return trampoline ? address - trampoline < AREA_MOVED : area_at(address) != NULL;
}
