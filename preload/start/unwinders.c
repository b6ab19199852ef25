/* SPDX-License-Identifier: MIT */
/*
 * unwinders.c - the two functions by which unwinders find call frame information. The library
 * stands in front of both, because no module of the linker's holds the trampolines (code/areas.h):
 * they answer for the addresses of areas, and ask libc for all others.
 *
 *   _dl_find_object   libgcc's unwinder, of gcc 12 and later with glibc 2.35 and later
 *   dl_iterate_phdr   other unwinders: libunwind, LLVM's, older libgcc
 *
 * Debuggers and perf, outside of the process, ask neither: to them a thread in a trampoline has one
 * frame.
 */
#define _GNU_SOURCE
#include "preload/base/sys.h"
#include "preload/code/areas.h"

#include <dlfcn.h>
#include <link.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- dl_iterate_phdr */

typedef int visit(struct dl_phdr_info *info, size_t bytes, void *context);

static int (*real_iterate)(visit *, void *);

struct walk {
	visit *callback;
	void *context;
	struct dl_phdr_info last;
};

static int pass_on(struct dl_phdr_info *info, size_t bytes, void *context)
{
	struct walk *w = context;

	w->last = *info;
	return w->callback(info, bytes, w->context);
}

static int visit_area(const struct walk *w, const struct area *area)
{
	const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)area->start;
	struct dl_phdr_info info = {.dlpi_addr = area->start,
				    .dlpi_name = "[zprof]",
				    .dlpi_phdr = (const ElfW(Phdr) *)(area->start + elf->e_phoff),
				    .dlpi_phnum = elf->e_phnum,
				    .dlpi_adds = w->last.dlpi_adds,
				    .dlpi_subs = w->last.dlpi_subs};

	return w->callback(&info, sizeof(info), w->context);
}

EXPORT int dl_iterate_phdr(visit *callback, void *context)
{
	struct walk w = {callback, context, {0}};
	const struct area *area;
	int result;
	uint32_t i;

	if (!real_iterate)
		real_iterate = (int (*)(visit *, void *))dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (!area_number(0))
		return real_iterate(callback, context);
	result = real_iterate(pass_on, &w);
	for (i = 0; !result && (area = area_number(i)); i++)
		result = visit_area(&w, area);
	return result;
}

/* ---- _dl_find_object */

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static int (*real_find)(void *, struct dl_find_object *);

EXPORT int _dl_find_object(void *address, struct dl_find_object *result)
{
	const struct area *area = area_at((uintptr_t)address);

	if (!real_find)
		real_find =
		    (int (*)(void *, struct dl_find_object *))dlsym(RTLD_NEXT, "_dl_find_object");
	if (!area)
		return real_find ? real_find(address, result) : -1;
	*result = (struct dl_find_object){.dlfo_map_start = (void *)area->start,
					  .dlfo_map_end = (void *)area->end,
					  .dlfo_eh_frame = (void *)area->eh_frame_hdr};
	return 0;
}
#endif

static __attribute__((constructor)) void find_real(void)
{
	real_iterate = (int (*)(visit *, void *))dlsym(RTLD_NEXT, "dl_iterate_phdr");
#ifdef DLFO_STRUCT_HAS_EH_DBASE
	real_find = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_NEXT, "_dl_find_object");
#endif
}
