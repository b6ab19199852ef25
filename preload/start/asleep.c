/* SPDX-License-Identifier: MIT */
/*
 * asleep.c - begins recording in programs that will not call a hook by themselves.
 *
 * In other programs recording begins at the first hook. But a program put to sleep in its file
 * (`zprof sleep`) calls no hook until it is woken. And a program that is to run at its own speed
 * from the start (start=off) should call no hook. So before the program's own constructors run,
 * this file examines the images that the dynamic linker has loaded. Recording begins if one of them
 * sleeps, or, with start=off, if one of them calls hooks.
 *
 * A sleeping library that dlopen() loads later stays asleep until hooks are next switched.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/process.h"
#include "preload/sites/scan.h"
#include "preload/start/begin.h"

#include <link.h>

static struct scan_image image_of(const struct dl_phdr_info *info)
{
	struct scan_image image = {.start = UINTPTR_MAX, .bias = info->dlpi_addr};
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr, end = start + ph->p_memsz;

		if (ph->p_type == PT_LOAD && start < image.start)
			image.start = start & ~(uintptr_t)(ZPROF_GRANULE - 1);
		if (ph->p_type == PT_LOAD && end > image.end)
			image.end = end;
		if (ph->p_type == PT_DYNAMIC)
			image.dynamic = start;
		if (ph->p_type == PT_GNU_EH_FRAME)
			image.eh_frame_hdr = start;
	}
	return image;
}

struct looking {
	bool start_off;
};

static int begins(struct dl_phdr_info *info, size_t bytes, void *context)
{
	const struct looking *looking = context;
	struct scan_image image = image_of(info);
	struct scan_hooks hooks;

	(void)bytes;
	if ((uintptr_t)&begins - image.start < image.end - image.start)
		return 0; /* this library itself */
	return scan_hooks(&image, &hooks) && (looking->start_off || scan_sleeps(&image, &hooks));
}

static __attribute__((constructor)) void begin_if_asleep(void)
{
	struct looking looking;

	if (process_now || process_off || !begin_wanted())
		return;
	looking.start_off = text_holds(environment_value("ZPROF_OPTIONS"), "start=off");
	if (dl_iterate_phdr(begins, &looking))
		process_begin(NULL);
}
