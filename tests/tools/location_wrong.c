/* SPDX-License-Identifier: MIT */
/*
 * location_wrong.c - wraps the library's location_find() (the linker's --wrap) and puts every 37th
 * frame in a wrong place, so that check= has something to find.
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
