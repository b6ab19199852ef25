/* SPDX-License-Identifier: MIT */
/* module_hooks.c - see module_hooks.h. */
#include "preload/sites/module_hooks.h"

#include "preload/base/sys.h"

bool module_hooks(const struct module *m, struct scan_image *image, struct scan_hooks *hooks)
{
	struct scan_reader *reader = sys_memory(sizeof(*reader));
	bool found;

	*image =
	    (struct scan_image){m->start, m->end, m->bias, m->eh_frame_hdr, m->dynamic, reader};
	if (reader)
		reader->copy = sys_copy_mapped;
	found = scan_hooks(image, hooks);
	image->reader = NULL;
	if (reader)
		sys_memory_free(reader, sizeof(*reader));
	return found;
}
