/* SPDX-License-Identifier: MIT */
/* head_times.c - see head_lines.h: which times are shown, and how good they are. */
#include <math.h>
#include <string.h>

#include "report/core/base/processor.h"
#include "report/core/base/units.h"
#include "report/core/view/head_lines.h"

/*
 * Compilers optimize less around hooks, and processors do less ahead, so a program with heavy hooks
 * is another program. Redis' hooks took twice as long as redis: a function that takes 197 ms without
 * hooks was shown with 143 ms in one run, and with 543 ms in the next.
 */
#define HEAVY_HOOKS   1
#define NO_BARS       3  /* times: there, self times were 17 points of 100 off (make bench-truth) */
#define OTHER_PROGRAM 30 /* times: there, next to nothing of the program's own time is left */

/* How many times as long as the program its hooks took; 0: unknown, or no matter. */
static double hooks_weigh(const struct view *v, const struct derived *d)
{
	struct str filters = {0};
	bool matters = !head_filters(v, &filters) && !v->counts_only && !v->load.raw &&
		       !load_second_runs(&v->load) && d->whole.cpu_ns > 0;
	str_free(&filters);
	for (size_t i = 0; i < v->load.process_count; i++)
		if (v->load.processes[i].header.sampler == ZPROF_SAMPLER_NONE)
			return 0;
	return matters ? load_hook_ns(&v->load) / d->whole.cpu_ns : 0;
}

/* Whether functions without hooks were recorded: the option plans= was given. */
static bool is_of_any(const struct process *p)
{
	const char *at = strstr(p->options, "plans=");
	return at && (at == p->options || at[-1] == ',');
}

/* Which times are shown. */
static const char *shown_times(const struct view *v)
{
	static const char *const of[] = {
	    [TIME_CPU] = "on a processor",
	    [TIME_WAIT] = "waiting",
	    [TIME_OWN] = "on a processor and waiting",
	    [TIME_WALL] = "on a processor, waiting, and while others had the processor",
	};
	if (v->fake)
		return "ticks of a fake clock, one a reading";
	if (v->all_sampled)
		return of[TIME_CPU];
	return v->knows_waits ? of[v->measure] : "on a processor and waiting, not told apart";
}

/* What the times were taken from. */
static void add_source(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT];
	const struct load *l = &v->load;
	const struct zprof_header *h = &l->processes[0].header;
	uint64_t samples = load_samples(l);
	size_t second = load_second_runs(l);
	if (second) {
		str_add(to, ", from %s of a second run, with all hooks off",
			units_of(text, samples, "sample"));
		if (second < l->process_count)
			str_add(to, ", in %zu of %zu processes", second, l->process_count);
		str_add(to, "; calls are of the first");
	} else if (h->mode == ZPROF_MODE_COUNT) {
		str_add(to, ", from %s%s", units_of(text, samples, "sample"),
			v->all_sampled ? " taken from outside" : "");
	} else if (h->mode == ZPROF_MODE_EXACT && !v->fake) {
		str_add(to, ", by the clock (%s)",
			h->clock == ZPROF_CLOCK_TSC ? "TSC" : "CLOCK_MONOTONIC");
		if (samples)
			str_add(to, ", of short functions from %s",
				units_of(text, samples, "sample"));
	}
}

/* The largest error of a function's self time. */
static double worst_bar(const struct view *v, const struct derived *d)
{
	double worst = 0;
	for (size_t i = 1; i < d->function_count; i++) {
		struct cost self = view_shown(v, &d->functions[i].self);
		worst = fmax(worst, cost_self_bar(&self));
	}
	return worst;
}

static void add_hooks(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT];
	double hooks = load_hook_ns(&v->load);
	if (hooks > 0 && v->load.raw)
		str_add(to, ", with the hooks' %s", view_time(v, text, hooks));
	else if (hooks > 0 && !load_second_runs(&v->load))
		str_add(to, ", without the hooks' %s", view_time(v, text, hooks));
}

/* How far off times may be. */
static void add_errors(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double bar = worst_bar(v, d);
	if (hooks_weigh(v, d) >= NO_BARS)
		return;
	if (bar > view_shown(v, &d->whole).ns)
		str_add(to, "; a self time may be off by more than the whole");
	else if (bar > 0)
		str_add(to, "; self times are off by at most %s", view_time(v, text, bar));
}

/* Of how many samples the callers are known in part, in a program sampled from outside. */
static void add_cut(struct str *to, const struct view *v)
{
	char cut[UNITS_TEXT], all[UNITS_TEXT], share[UNITS_TEXT];
	uint64_t count = v->load.counters[ZPROF_LOSS_STACKS], samples = load_samples(&v->load);
	if (count)
		str_add(to, "Stacks cut: %s of %s, %s %%, are below [stack cut]\n",
			units_count(cut, count), units_of(all, samples, "sample"),
			units_percent(share, (double)count, (double)samples));
}

/* The time outside of all functions, which is in no row. */
static void add_outside(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double outside = view_shown(v, &d->functions[0].self).ns;
	if (outside > 0 && outside >= HEAD_WORTH_A_LINE * view_shown(v, &d->whole).ns)
		str_add(to, "Outside of all functions: %s\n", view_time(v, text, outside));
}

/* Calls that are in no number, because there was no room for them, or nobody could count them. */
static uint64_t lost_calls(const struct view *v)
{
	const uint64_t *lost = v->load.counters;
	return lost[ZPROF_LOSS_SPACE] + lost[ZPROF_LOSS_NESTING] + lost[ZPROF_LOSS_SHARED];
}

/* Whether numbers of calls are exact; after a second run, the line on times has said whose they are. */
static void add_exactness(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT];
	uint64_t lost = lost_calls(v);
	if (lost)
		str_add(to, "; %s missing, see below\n", units_of(text, lost, "call"));
	else
		str_add(to, load_second_runs(&v->load) ? "\n" : "; calls are exact\n");
}

void head_add_times(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	if (v->counts_only) {
		str_add(to, "times: none, calls alone were recorded\n");
		return;
	}
	str_add(to, "times: %s", shown_times(v));
	if (v->knows_waits && v->measure != TIME_CPU)
		str_add(to, ", %s in all", view_time(v, text, view_shown(v, &d->whole).ns));
	add_hooks(to, v);
	add_source(to, v);
	add_errors(to, v, d);
	if (v->all_sampled)
		str_add(to, "\nHooks would add exact counts of calls: see 'zprof help cflags'\n");
	else if (v->sampled)
		str_add(to,
			"\nnote: a process was sampled from outside: calls are of the others\n");
	else
		add_exactness(to, v);
	add_cut(to, v);
	add_outside(to, v, d);
}

/* What to do about heavy hooks. */
void head_add_heaviness(struct str *to, const struct view *v, const struct derived *d)
{
	double times = hooks_weigh(v, d);
	bool after_inlining = true, any = false;
	if (times < HEAVY_HOOKS)
		return;
	for (size_t i = 0; i < v->load.process_count; i++) {
		after_inlining = after_inlining && v->load.processes[i].header.flags & ZPROF_FENTRY;
		any = any || is_of_any(&v->load.processes[i]);
	}
	str_add(to, "note: hooks took %.*f times as long as the program: ", times < 10, times);
	str_add(to, times < OTHER_PROGRAM ? "times are rough"
					  : "these times are not those of your program");
	str_add(to,
		". 'zprof record%s --native' runs the program again, without hooks, for its times",
		any ? " --any" : "");
	if (any) {
		str_add(to, "\n");
		return;
	}
	str_add(to, "; 'zprof tune' lists functions that are better without hooks");
	str_add(to, after_inlining || processor_lacks(PROCESSOR_FENTRY)
			? "\n"
			: "; hooks of 'zprof cflags --fentry' take less\n");
}
