/* SPDX-License-Identifier: MIT */
/*
 * module_hooks.h - the hooks that a module of this process calls, where another thread may be
 * loading or unloading the module.
 *
 * A module that the maps have just shown may be half loaded, or gone a moment later. So its tables
 * are read through the kernel (base/sys.h). What they say may still be wrong, so code of the module
 * is looked at only where no dlclose can come meanwhile: it waits for a switch of sites (sites.h).
 */
#ifndef ZPROF_MODULE_HOOKS_H
#define ZPROF_MODULE_HOOKS_H

#include "preload/code/module.h"
#include "preload/sites/scan.h"

/* As scan_hooks(); *image becomes the module's. */
bool module_hooks(const struct module *m, struct scan_image *image, struct scan_hooks *hooks);

#endif
