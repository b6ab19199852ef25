/* SPDX-License-Identifier: MIT */
/* fronts.c - see fronts.h. */
#include "preload/hooks/fronts.h"

#include "preload/format.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/process/upward.h"
#include "preload/code/only.h"
#include "preload/calls/watch.h"
#include "preload/hooks/hooks.h"

void fronts_choose(const struct process *p)
{
	struct front_choice choice = {.mode = p->header->mode,
				      .filtered = p->only->active,
				      .chosen = only_epoch(p->only) != 0,
				      .sited = p->options->callsites || p->watching->active,
				      .alone = p->entries_alone};

	hooks_choose(&choice);
	fentry_choose(&choice);
	displaced_choose(&choice);
}

/*
 * The request record gets the addresses of the pointers before hooks are turned off, so that
 * another process can turn them on again ("doors", process/request.h).
 */
void fronts_off(void)
{
	zprof_request.doors[0] = (uintptr_t)&hooks_enter_now;
	zprof_request.doors[1] = (uintptr_t)&hooks_exit_now;
	zprof_request.doors[2] = (uintptr_t)&fentry_enter_now;
	zprof_request.doors[3] = (uintptr_t)&fentry_exit_now;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	hooks_off();
	fentry_off();
	displaced_off();
}

static void awake(void)
{
	hooks_awake();
	fentry_awake();
}

UPWARD_FILL(awake, awake);
UPWARD_FILL(fronts, fronts_choose);

/* ---- what the program calls */

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);
void __fentry__(void);
void __return__(void);

void fronts_as_linked(uintptr_t *hooks)
{
	hooks[ZPROF_SITE_ENTER] = (uintptr_t)__cyg_profile_func_enter;
	hooks[ZPROF_SITE_EXIT] = (uintptr_t)__cyg_profile_func_exit;
	hooks[ZPROF_SITE_FENTRY] = (uintptr_t)__fentry__;
	hooks[ZPROF_SITE_RETURN] = (uintptr_t)__return__;
}
