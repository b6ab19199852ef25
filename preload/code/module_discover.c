/* SPDX-License-Identifier: MIT */
/*
 * module_discover.c - finds modules that are new, and which of their functions are to be recorded
 * (module.h).
 */
#include "preload/code/module.h"

#include "preload/code/only.h"

void module_discover_all(struct process *p)
{
	module_read_all(p);
	only_update(p);
}

const struct module *module_discover(struct process *p, uintptr_t address)
{
	const struct module *found = module_find(p, address);

	if (found)
		return found;
	found = module_read_at(p, address);
	only_update(p);
	return found;
}
