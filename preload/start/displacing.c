/* SPDX-License-Identifier: MIT */
/*
 * displacing.c - displaces the entries of the program's functions, as the program starts, if the
 * option `plans` names a folder of plans (displace/displace.h).
 *
 * Recording begins here, before the first function of the program runs: the hooks then need no
 * state of their own for functions that run before.
 */
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/code/module.h"
#include "preload/displace/displace.h"
#include "preload/hooks/hooks.h"
#include "preload/start/begin.h"

static __attribute__((constructor)) void displace_entries(void)
{
	struct displace_done done;
	struct process *p;

	if (process_off || !begin_wanted() ||
	    !text_holds(environment_value("ZPROF_OPTIONS"), "plans="))
		return;
	p = process_begin(NULL);
	if (!p || !p->options->plans)
		return;
	displace_all(p, p->options->plans, (uintptr_t)displaced_enter, &done);
	module_read_all(p);
	p->modules->at_start = p->modules->count;
}
