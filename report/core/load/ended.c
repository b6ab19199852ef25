/* SPDX-License-Identifier: MIT */
/* ended.c - see ended.h. */
#include "report/core/load/ended.h"

#include <string.h>
#include <time.h>

#include "report/core/base/units.h"
#include "report/core/disk/process_state.h"
#include "report/core/times/estimate.h"

/* A profile with one of these flags does not say how its process ended, or has no need to. */
#define NO_END (ZPROF_FINISHED | ZPROF_MERGED | ZPROF_SNAPSHOT | ZPROF_END_SEEN)

bool ended_early(const struct load *l, size_t i)
{
	const struct process *p = &l->processes[i];
	return !(p->header.flags & NO_END) && !p->frame && !load_recording_ended(p) &&
	       p->header.clock != ZPROF_CLOCK_FAKE && !process_state_exists(&p->header, p->host);
}

/* Whether process I became another program, whose profile is loaded, too. */
static bool is_replaced(const struct load *l, size_t i)
{
	const struct process *p = &l->processes[i];
	for (size_t k = 0; k < l->process_count; k++) {
		const struct process *other = &l->processes[k];
		if (other->header.pid == p->header.pid && !strcmp(other->host, p->host) &&
		    !memcmp(other->header.run_id, p->header.run_id, sizeof p->header.run_id) &&
		    other->header.start_ns > p->header.start_ns)
			return true;
	}
	return false;
}

static const char *how_it_ended(const struct load *l, size_t i)
{
	if (is_replaced(l, i))
		return "became another program (exec)";
	if (process_state_is_here(l->processes[i].host))
		return "was killed, ended by _exit() or became another program (exec)";
	return "was still running, or it was killed, ended by _exit() or became another program "
	       "(exec)";
}

#define YEARS_NS 1e18 /* more than a process lives; a damaged file may hold any number */

/* Adds the process's latest known moment, as 14:03:07.120; nothing if that is unknown. */
static void add_moment(struct str *to, const struct process *p)
{
	char text[16];
	struct tm tm;
	if (p->elapsed_ns > YEARS_NS)
		return;
	uint64_t ms = (p->header.start_realtime_ns + (uint64_t)p->elapsed_ns) / 1000000;
	time_t seconds = (time_t)(ms / 1000);
	if (p->header.start_realtime_ns && localtime_r(&seconds, &tm) &&
	    strftime(text, sizeof text, "%H:%M:%S", &tm))
		str_add(to, "%s.%03u, ", text, (unsigned)(ms % 1000));
}

/* If only calls are counted, the calls up to the end are known, but the clock is read only with
 * samples. So the text is about times, not calls. */
void ended_add(struct str *to, const struct load *l, size_t i)
{
	char text[UNITS_TEXT];
	const struct process *p = &l->processes[i];
	str_add(to, "the process %s: ", how_it_ended(l, i));
	str_add(to, "%s",
		estimate_is_timed(&p->header) ? "no time is known after "
					      : "the profile tells of no moment after ");
	if (p->elapsed_ns > 0) {
		add_moment(to, p);
		str_add(to, "%s after ", units_time(text, p->elapsed_ns, false));
	}
	str_add(to, "its start");
}

void ended_add_count(struct str *to, size_t early, size_t processes)
{
	char count[UNITS_TEXT], of[UNITS_TEXT];
	str_add(to,
		"%s of %s processes did not end by exit() (killed, _exit() or exec): of what came "
		"after the last time in their profiles, nothing is known",
		units_count(count, early), units_count(of, processes));
}

void ended_add_all(struct str *to, const struct load *l)
{
	size_t early = 0;
	for (size_t i = 0; i < l->process_count; i++)
		early += ended_early(l, i);
	if (early && l->process_count == 1)
		ended_add(to, l, 0);
	else if (early)
		ended_add_count(to, early, l->process_count);
}
