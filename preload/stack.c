/* SPDX-License-Identifier: MIT */
/* stack.c - see stack.h. */
#include "preload/stack.h"

#include "preload/lineage.h"

void stack_of_thread(struct track *track)
{
	track->stack_low = 0;
	track->stack_bytes = UINTPTR_MAX;
}

bool stack_at_home(struct track *track, const struct event *e)
{
	(void)e;
	if (*track->alive)
		return true;
	return track->level == 0 && lineage_begin_forked();
}
