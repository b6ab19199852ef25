/* SPDX-License-Identifier: MIT */
/* bare.c - see bare.h. */
#define _GNU_SOURCE /* struct link_map's members */
#include "preload/start/bare.h"

#include "preload/base/sys.h"
#include "preload/code/areas.h"
#include "preload/sites/patch.h"

#include <link.h>
#include <stddef.h>

#define ADAPTERS_MAX 8

static const struct link_map *adapters[ADAPTERS_MAX]; /* such is a handle of dlopen(), in glibc */

static void replace(struct patch *patch, uintptr_t slot)
{
	uintptr_t bare;

	memcpy(&bare, (const void *)slot, sizeof(bare));
	bare = bare ? area_bare(bare) : 0;
	if (bare)
		patch_bytes(patch, slot, (const unsigned char *)&bare, sizeof(bare));
}

/* Slots of calls, and of addresses that calls go through, too. */
static void replace_all(struct patch *patch, uintptr_t base, const ElfW(Rela) * rela, size_t bytes)
{
	size_t i;

	for (i = 0; rela && i < bytes / sizeof(*rela); i++) {
		uint64_t type = ELF64_R_TYPE(rela[i].r_info);

		if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT)
			replace(patch, base + rela[i].r_offset);
	}
}

static void replace_in(const struct link_map *map)
{
	const ElfW(Rela) *calls = NULL, *others = NULL;
	size_t calls_bytes = 0, others_bytes = 0;
	struct patch *patch;
	const ElfW(Dyn) * d;

	if (!area_number(0))
		return;
	for (d = map->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_JMPREL)
			calls = (const ElfW(Rela) *)d->d_un.d_ptr;
		else if (d->d_tag == DT_PLTRELSZ)
			calls_bytes = d->d_un.d_val;
		else if (d->d_tag == DT_RELA)
			others = (const ElfW(Rela) *)d->d_un.d_ptr;
		else if (d->d_tag == DT_RELASZ)
			others_bytes = d->d_un.d_val;
	}
	patch = patch_begin(NULL);
	if (!patch)
		return;
	replace_all(patch, map->l_addr, calls, calls_bytes);
	replace_all(patch, map->l_addr, others, others_bytes);
	patch_bytes_end(patch);
	patch_end(patch);
}

void bare_calls(void)
{
	size_t i;

	for (i = 0; i < ADAPTERS_MAX && adapters[i]; i++)
		replace_in(adapters[i]);
}

void bare_of(void *handle)
{
	size_t i = 0;

	while (i < ADAPTERS_MAX && adapters[i] && adapters[i] != handle)
		i++;
	if (i == ADAPTERS_MAX)
		return;
	adapters[i] = handle;
	replace_in(handle);
}
