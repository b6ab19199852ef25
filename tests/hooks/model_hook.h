/* SPDX-License-Identifier: MIT */
/*
 * model_hook.h - one hook event: the reference is told of it, and the library gets it, as hooks.c
 * would hand it over. A handler may come before the hook has begun, at its begin, or at its end.
 */
#ifndef MODEL_HOOK_H
#define MODEL_HOOK_H

#include "tests/hooks/model_world.h"

struct action {
	struct line *line;
	int level, count; /* count: zones that stay open, and the one being left */
	bool enter;
	struct entry entry;
};

/*
 * The event happens, and handlers in it. Result: the level that a handler jumped to out of it,
 * or WORLD_NEVER.
 */
int hook_happen(const struct action *a, struct event *e);

#endif
