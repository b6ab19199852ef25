/* SPDX-License-Identifier: MIT */
/*
 * location_wrong.c - between the library and its location_find() (the linker's --wrap): every 37th
 * frame is said to be where none is, so that there is something for check= to find.
 */
#include "preload/code/location.h"

uintptr_t __real_location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			       struct location *where);
uintptr_t __wrap_location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			       struct location *where);

uintptr_t __wrap_location_find(struct process *p, const struct event *e, uintptr_t stack_end,
			       struct location *where)
{
	static unsigned frames;
	uintptr_t cfa = __real_location_find(p, e, stack_end, where);

	return ++frames % 37 ? cfa : cfa - 8;
}
