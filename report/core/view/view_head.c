/* SPDX-License-Identifier: MIT */
/* view_head.c - the lines above and below the rows of a text report. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "report/core/load/ended.h"
#include "report/cxx/short_name.h"
#include "report/core/view/view.h"

static void add_count(struct str *to, uint64_t n, const char *one, const char *end)
{
	char text[UNITS_TEXT];
	str_add(to, "%s%s", units_of(text, n, one), end);
}

static size_t threads_of(const struct tree *t)
{
	size_t count = 0;
	for (size_t i = 0; i < t->thread_count; i++)
		count += t->threads[i].count;
	return count;
}

/* The program's calls: waits are shown as calls (offcpu=1), but are not. */
static uint64_t program_calls(const struct view *v, const struct derived *d)
{
	uint64_t calls = d->calls;
	for (size_t i = 1; i < d->function_count; i++)
		if (v->load.zones.list[d->functions[i].zone].kind == ZPROF_ZONE_WAIT)
			calls -= d->functions[i].calls;
	return calls;
}

/* How long the program ran, and what it did: `elapsed 8.30 s; on a processor 1.61 s in 5 threads;
 * 27,000 calls`. */
static void add_what_ran(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct load *l = &v->load;
	if (!v->fake && load_elapsed_ns(l) > 0)
		str_add(to, "elapsed %s; ", units_time(text, load_elapsed_ns(l), false));
	if (v->fake && !v->counts_only)
		str_add(to, "%s ticks in ", view_time(v, text, d->whole.ns));
	else if (v->knows_waits)
		str_add(to, "on a processor %s in ", view_time(v, text, d->whole.cpu_ns));
	else if (!v->counts_only)
		str_add(to, "%s in ", view_time(v, text, d->whole.ns));
	add_count(to, threads_of(v->tree), "thread", load_processes(l) > 1 ? " of " : "; ");
	if (load_processes(l) > 1)
		add_count(to, load_processes(l), "process", "; ");
	if (v->all_sampled)
		str_add(to, "calls were not counted\n");
	else
		add_count(to, program_calls(v, d), "call", "\n");
}

/*
 * Compilers optimize less around hooks, and processors do less ahead, so a program with heavy hooks
 * is another program. Redis' hooks took twice as long as redis: a function that takes 197 ms without
 * hooks was shown with 143 ms in one run, and with 543 ms in the next.
 */
#define HEAVY_HOOKS   1
#define NO_BARS       3  /* times: there, self times were 17 points of 100 off (make bench-truth) */
#define OTHER_PROGRAM 30 /* times: there, next to nothing of the program's own time is left */

/* What the view is restricted to; false: it is of the whole program. */
static bool describe_filters(const struct view *v, struct str *text)
{
	filters_describe(&v->options->filters, text);
	return text->used;
}

/* How many times as long as the program its hooks took; 0: unknown, or no matter. */
static double hooks_weigh(const struct view *v, const struct derived *d)
{
	struct str filters = {0};
	bool matters = !describe_filters(v, &filters) && !v->counts_only && !v->load.raw &&
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

/* What to do about heavy hooks. */
static void add_heaviness(struct str *to, const struct view *v, const struct derived *d)
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
	str_add(to, after_inlining ? "\n" : "; hooks of 'zprof cflags --fentry' take less\n");
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

static void add_times(struct str *to, const struct view *v, const struct derived *d)
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
		str_add(to, load_second_runs(&v->load) ? "\n" : "; calls are exact\n");
	add_cut(to, v);
}

#define WORTH_A_LINE 0.01 /* of the whole: less is not said */

/* The time outside of all functions, which is in no row. */
static void add_outside(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double outside = view_shown(v, &d->functions[0].self).ns;
	if (outside > 0 && outside >= WORTH_A_LINE * view_shown(v, &d->whole).ns)
		str_add(to, "Outside of all functions: %s\n", view_time(v, text, outside));
}

/*
 * Of threads without samples, nothing but the calls is known; under clock=exact, the clock has
 * their times.
 */
static void add_unsampled(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT], of[UNITS_TEXT];
	uint64_t unsampled = v->load.counters[ZPROF_LOSS_SAMPLERS], threads = threads_of(v->tree);
	if (!unsampled || v->load.processes[0].header.mode != ZPROF_MODE_COUNT ||
	    load_second_runs(&v->load))
		return;
	str_add(to, "note: %s", units_count(text, unsampled));
	if (unsampled <= threads)
		str_add(to, " of the %s", units_count(of, threads));
	str_add(to, " threads were not sampled, or not to their end: time of theirs is missing\n");
}

#define WAITING_ZONES 3 /* named in the head, at most */

/* Finds the zones that wait most; gives how many of WAITING_ZONES do more than next to nothing. */
static size_t find_waiting(const struct derived *d, const struct function *most[])
{
	size_t count = 0;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct function *f = &d->functions[i];
		size_t at = count;
		if (f->self.wait_ns <= WORTH_A_LINE * d->whole.wait_ns)
			continue;
		while (at && most[at - 1]->self.wait_ns < f->self.wait_ns)
			at--;
		if (at == WAITING_ZONES)
			continue;
		count += count < WAITING_ZONES;
		memmove(&most[at + 1], &most[at], (count - at - 1) * sizeof *most);
		most[at] = f;
	}
	return count;
}

#define WAITING_NAME 40 /* columns of a name in the line on waiting */

/* Names zones that wait, and how long. */
static void add_waiting_zones(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct function *most[WAITING_ZONES];
	size_t count = find_waiting(d, most);
	for (size_t i = 0; i < count; i++) {
		const char *name = v->load.zones.list[most[i]->zone].name;
		struct str shown = {0};
		if (v->options->full_names)
			str_add(&shown, "%s", name);
		else
			short_name_fit(&shown, name, NULL, WAITING_NAME);
		str_add(to, i ? ", " : count > 1 ? ", most in " : ", in ");
		visible_add(to, str_text(&shown));
		str_add(to, " %s", view_time(v, text, most[i]->self.wait_ns));
		str_free(&shown);
	}
}

static const char *all_threads(const struct view *v)
{
	return threads_of(v->tree) > 1 ? " of all threads together" : "";
}

/* How much waiting there is beside the times shown, or among them, and where it is. */
static void add_waiting(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct cost *whole = &d->whole;
	if (!v->knows_waits || whole->wait_ns <= WORTH_A_LINE * (whole->cpu_ns + whole->wait_ns))
		return;
	str_add(to, "Waiting: %s%s", view_time(v, text, whole->wait_ns), all_threads(v));
	if (whole->lengthened_ns > WORTH_A_LINE * whole->wait_ns)
		str_add(to, ", up to %s because of hooks",
			view_time(v, text, whole->lengthened_ns));
	add_waiting_zones(to, v, d);
	str_add(to, v->measure == TIME_CPU ? " (see --time wait)\n" : "\n");
}

#define BUSY_MACHINE 0.1 /* of the time that passed for all threads */

/* What rows `(sampled)` are, or why there are none (--below). */
static void add_sampled(struct str *to, const struct view *v)
{
	if (!v->options->below)
		return;
	if (v->load.places_by_sample)
		str_add(to,
			"Rows (sampled): functions without hooks, below the one with hooks that "
			"they ran for; their calls are not counted\n");
	else
		str_add(to,
			"note: there are no rows (sampled): the profile does not tell where its "
			"samples were (none came, or it was recorded with --inside=0)\n");
	if (v->load.kernel_nameless)
		str_add(to, "The kernel's functions have no names here: root may read them, until "
			    "the next boot, and 'zprof archive' keeps them\n");
}

/* How long the program was ready to run while others ran. */
static void add_preempted(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct cost *w = &d->whole;
	if (!v->knows_waits ||
	    w->preempted_ns <= BUSY_MACHINE * (w->cpu_ns + w->wait_ns + w->preempted_ns))
		return;
	str_add(to, "The machine was busy: threads had to stand by for %s, while others ran\n",
		view_time(v, text, w->preempted_ns));
}

/*
 * Functions end without a hook (ZPROF_ENTRIES): how much time may be another function's, and how much
 * of the waiting is no function's, because nobody knows which one waited.
 */
static void add_unsure(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double unsure = 0, waited = d->functions[0].self.wait_ns;
	bool without_exits = false;
	for (size_t i = 0; i < v->load.process_count; i++) {
		unsure += v->load.processes[i].unsure_ns;
		without_exits = without_exits || v->load.processes[i].header.flags & ZPROF_ENTRIES;
	}
	if (unsure >= WORTH_A_LINE * d->whole.cpu_ns && unsure > 0)
		str_add(to,
			"note: functions end without a hook: %.0f %% of the time may belong to a "
			"caller of the function that is shown with it; the error bars of both "
			"contain that\n",
			fmin(100, 100 * unsure / d->whole.cpu_ns));
	if (v->knows_waits && without_exits && waited > 0 &&
	    waited >= WORTH_A_LINE * (d->whole.cpu_ns + d->whole.wait_ns))
		str_add(to,
			"note: functions end without a hook: which of them waited is not known for "
			"%s, which is outside of all functions\n",
			view_time(v, text, waited));
}

static void add_note(struct str *to, const char *text, const char *more)
{
	str_add(to, "note: ");
	visible_add(to, text);
	str_add(to, "%s\n", more);
}

static void add_left_alone(struct str *to, const struct view *v)
{
	struct str text = {0};
	left_alone_text(&v->left_alone, &text);
	if (text.used)
		add_note(to, text.text, "");
	str_free(&text);
}

static void add_limits(struct str *to, const struct view *v, const struct derived *d)
{
	struct str text = {0};
	limits_contexts_text(&v->load, d, &text);
	if (text.used)
		add_note(to, text.text, "");
	limits_folded_text(&v->load.limits, &text);
	if (text.used)
		add_note(to, text.text, "");
	limits_overflow_text(&v->load.limits, load_calls(&v->load), &text);
	if (text.used)
		add_note(to, text.text,
			 v->options->filters.under.count
			     ? "; --under finds those calls under that caller only"
			     : "");
	str_free(&text);
}

/*
 * kernel.perf_event_paranoid decides which users may ask the kernel; containers refuse it
 * altogether. And all processes of a user have so much memory for samples, and no more.
 */
static void add_refusal(struct str *to, const struct zprof_header *h)
{
	if (!h->sampler_error)
		return;
	const char *instead = "times are by the clock alone";
	if (h->sampler == ZPROF_SAMPLER_TIMER && h->mode == ZPROF_MODE_EXACT)
		instead = "a timer took fewer";
	else if (h->sampler == ZPROF_SAMPLER_TIMER)
		instead = "a timer took fewer, and what was waited for is in no time";
	else if (h->mode == ZPROF_MODE_COUNT)
		instead = "there are no times";
	if (h->sampler_error == ENOBUFS)
		str_add(to,
			"note: the kernel did not take samples (this user's memory for them, "
			"kernel.perf_event_mlock_kb, is used up): %s; see perf_event_open(2)\n",
			instead);
	else
		str_add(to,
			"note: the kernel did not take samples (%s): %s; see "
			"kernel.perf_event_paranoid in perf_event_open(2)\n",
			strerror((int)h->sampler_error), instead);
}

/* offcpu=1 was given, but the kernel does not tell this user what was waited for. */
static void add_unnamed_waits(struct str *to, const struct zprof_header *h)
{
	if (h->flags & ZPROF_OFFCPU && h->sampler != ZPROF_SAMPLER_KERNEL)
		str_add(to,
			"note: what was waited for is not known (offcpu=1): the kernel tells root, "
			"users with CAP_PERFMON, and all users if kernel.perf_event_paranoid is at "
			"most 1\n");
}

static void add_notes(struct str *to, const struct load *l)
{
	struct str left_out = {0};
	for (size_t i = 0; load_left_out_text(l, i, &left_out); i++)
		add_note(to, left_out.text, "");
	str_free(&left_out);
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		if (!i || p->header.sampler_error != p[-1].header.sampler_error)
			add_refusal(to, &p->header);
		if (!i || p->header.sampler != p[-1].header.sampler)
			add_unnamed_waits(to, &p->header);
		for (size_t k = 0; k < p->note_count; k++)
			add_note(to, p->notes[k], "");
		if (p->header.flags & ZPROF_FILTERED && (!i || strcmp(p->options, p[-1].options))) {
			str_add(to, "note: recorded with a filter (");
			visible_add(to, *p->options ? p->options : "only=");
			str_add(
			    to,
			    "): the time of zones that it excludes is in their callers' times\n");
		}
	}
}

static void add_ended(struct str *to, const struct load *l)
{
	struct str text = {0};
	ended_add_all(&text, l);
	if (text.used)
		add_note(to, text.text, "");
	str_free(&text);
}

/* Numbers of several recordings are added up, which is not what somebody means who attached twice. */
static void add_recordings(struct str *to, const struct load *l)
{
	uint32_t most;
	char text[UNITS_TEXT];
	size_t more = load_more_recordings(l, &most);
	if (!more)
		return;
	if (l->process_count == 1)
		str_add(to, "%s recordings (attach)", units_count(text, most));
	else
		str_add(to, "Up to %s recordings of a process (attach)", units_count(text, most));
	str_add(to, ", added up: --recording K shows one, 'zprof info' lists them.\n");
}

static void add_filters(struct str *to, const struct view *v)
{
	struct str filters = {0};
	if (describe_filters(v, &filters)) {
		visible_add(to, filters.text);
		str_add(to, "\n");
	}
	str_free(&filters);
}

static void add_head(struct str *to, const struct view *v, const struct derived *d)
{
	const struct process *first = &v->load.processes[0];
	visible_add(to, *first->command ? first->command : first->path);
	str_add(to, "\n");
	add_what_ran(to, v, d);
	add_times(to, v, d);
	add_outside(to, v, d);
	add_waiting(to, v, d);
	add_preempted(to, v, d);
	add_unsure(to, v, d);
	add_sampled(to, v);
	add_recordings(to, &v->load);
	add_filters(to, v);
	add_notes(to, &v->load);
	add_left_alone(to, v);
	add_unsampled(to, v);
	add_ended(to, &v->load);
	add_limits(to, v, d);
	add_heaviness(to, v, d);
	str_add(to, "\n");
}

void view_print_head(const struct view *v, const struct derived *d)
{
	struct str text = {0};
	add_head(&text, v, d);
	wrap_print(&v->terminal, text.text);
	str_free(&text);
}

static const char *const counter_texts[] = {
#define X(name, text) text,
    ZPROF_COUNTERS(X)
#undef X
};

/* Whether a counter tells what the program did, and not what the library lost or put right.
 * REPAIR_JUMP cannot tell a jump from an exit that the library missed; tests look for the latter. */
static bool is_fact(int kind)
{
	return kind == ZPROF_REPAIR_JUMP || kind == ZPROF_REPAIR_SWITCH;
}

void view_print_losses(const struct view *v)
{
	char count[UNITS_TEXT];
	struct str facts = {0}, wrong = {0};
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++) {
		uint64_t n = v->load.counters[i];
		const char *text = i < ZPROF_COUNTERS_USED
				       ? counter_texts[i]
				       : "of a kind that this zprof does not know";
		if (n && is_fact(i))
			str_add(&facts, "%s%c%s: %s\n", facts.used ? "" : "\n",
				toupper((unsigned char)*text), text + 1, units_count(count, n));
		else if (n)
			str_add(&wrong, "%s%14s  %s\n",
				wrong.used ? "" : "\nWhat went wrong or was put right:\n",
				units_count(count, n), text);
	}
	wrap_print(&v->terminal, str_text(&facts));
	wrap_print_indented(&v->terminal, str_text(&wrong), 16);
	str_free(&facts);
	str_free(&wrong);
}

/* ---- as texts */

/* V, which prints into memory: into *TEXT, once its stream is closed. */
static struct view view_into(const struct view *v, char **text, size_t *bytes)
{
	struct view in_memory = *v;
	in_memory.terminal.out = memory_stream(text, bytes);
	return in_memory;
}

char *view_head_text(const struct view *v, const struct derived *d)
{
	char *text;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_head(&in_memory, d);
	memory_stream_end(in_memory.terminal.out, &text);
	return text;
}

char *view_losses_text(const struct view *v)
{
	char *text;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_losses(&in_memory);
	memory_stream_end(in_memory.terminal.out, &text);
	return text;
}
