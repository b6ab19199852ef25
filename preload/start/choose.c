/* SPDX-License-Identifier: MIT */
/*
 * choose.c - see choose.h. In this order:
 *
 *     1. the command zprof names the functions that match    code/only.h
 *     2. sites of functions chosen in are switched on         sites/sites.h
 *     3. the table says what is recorded from now on          code/only.h
 *     4. hooks ask the table                                  hooks/front.h
 *     5. each thread's next event checks its open zones       slow/chosen.h
 *     6. sites of functions chosen out are switched off       sites/sites.h
 *
 * So a function's exit hook is on whenever its entry is recorded, even if a request has switched
 * some entries on from outside (process/request.h). Between 2 and 3, and between 5 and 6, hooks of
 * functions that are left out are called, and return at once. A hook that was in progress at 3 may
 * still enter a function that is left out: its thread's next event takes the zone off again.
 */
#include "preload/start/choose.h"

#include "preload/process/process.h"
#include "preload/code/only.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/hooks/fronts.h"

long choose_functions(struct process *p, enum zprof_choice_what what, const char *patterns,
		      uint32_t *switched)
{
	long matched = only_prepare(p, what, patterns);

	*switched = 0;
	if (matched < 0)
		return matched;
	*switched = sites_follow(p);
	only_take_over(p, patterns);
	fronts_choose(p);
	pause_knock(p);
	*switched += sites_follow(p);
	only_settled(p);
	return matched;
}
