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

static void add_second_run(struct str *to, const struct load *l)
{
	char text[UNITS_TEXT];
	size_t second = load_second_runs(l);
	str_add(to, "times: from %s of a second run, with all hooks off",
		units_of(text, load_samples(l), "sample"));
	if (second < l->process_count)
		str_add(to, ", in %zu of %zu processes", second, l->process_count);
	str_add(to, "; calls: of the first.");
}

static size_t threads_of(const struct tree *t)
{
	size_t count = 0;
	for (size_t i = 0; i < t->thread_count; i++)
		count += t->threads[i].count;
	return count;
}

/*
 * Of threads without samples, nothing but the calls is known; under clock=exact, the clock has
 * their times.
 */
static void add_unsampled(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT], of[UNITS_TEXT];
	uint64_t unsampled = v->load.counters[ZPROF_LOSS_SAMPLERS], threads = threads_of(v->tree);
	if (!unsampled)
		return;
	str_add(to, "  %s", units_count(text, unsampled));
	if (unsampled <= threads)
		str_add(to, " of the %s", units_count(of, threads));
	str_add(to, " threads were not sampled, or not to their end: time of theirs is missing.");
}

/* Where the times come from. */
static void add_clock(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT], period[UNITS_TEXT];
	static const char *const modes[] = {"?", "exact", "?", "counts only"};
	const struct process *p = &v->load.processes[0];
	uint64_t samples = load_samples(&v->load);
	const char *mode = p->header.mode < 4 ? modes[p->header.mode] : modes[0];
	if (p->header.clock == ZPROF_CLOCK_FAKE)
		str_add(to, "clock: fake, one tick a reading, %s.", mode);
	else if (load_second_runs(&v->load))
		add_second_run(to, &v->load);
	else if (p->header.mode == ZPROF_MODE_COUNT && p->header.sampler != ZPROF_SAMPLER_NONE)
		str_add(to, "times: from %s, every %s of CPU time.",
			units_of(text, samples, "sample"),
			units_time(period, p->header.sample_period_ns, false));
	else
		str_add(to, "clock: %s %s, %s.",
			p->header.clock == ZPROF_CLOCK_TSC ? "TSC" : "CLOCK_MONOTONIC",
			units_rate(text, 1e9 / p->ns_per_tick), mode);
	if (p->header.mode == ZPROF_MODE_EXACT && samples && !load_second_runs(&v->load))
		str_add(to, "  Short functions: from %s.", units_of(text, samples, "sample"));
	if (p->header.mode == ZPROF_MODE_COUNT && !load_second_runs(&v->load))
		add_unsampled(to, v);
}

static void add_count(struct str *to, uint64_t n, const char *one, const char *many,
		      const char *end)
{
	char text[UNITS_TEXT];
	str_add(to, "%s %s%s", units_count(text, n), n == 1 ? one : many, end);
}

/* The largest error of a self time's share of the whole, as a part of 1. */
static double worst_bar(const struct view *v, const struct derived *d)
{
	struct cost all = view_shown(v, &d->functions[0].total);
	double whole = view_shown(v, &d->whole).ns, worst = 0, whole_bar = cost_total_bar(&all);
	for (size_t i = 1; i < d->function_count; i++) {
		struct cost self = view_shown(v, &d->functions[i].self);
		double self_bar = cost_self_bar(&self);
		double bar =
		    whole > 0 ? cost_share_bar(self.ns, self_bar, whole, whole_bar) : self_bar;
		worst = fmax(worst, bar);
	}
	return worst;
}

static void add_taken_off(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double cost = load_hook_ns(&v->load);
	if (cost <= 0)
		return;
	if (v->load.raw) {
		str_add(to, "  Raw: the hooks' own %s are still in the times.",
			view_time(v, text, cost));
		return;
	}
	if (load_second_runs(&v->load))
		str_add(to, "  Hooks took %s of the first", view_time(v, text, cost));
	else
		str_add(to, "  The hooks' own %s are taken off", view_time(v, text, cost));
	double bar = worst_bar(v, d), whole = view_shown(v, &d->whole).ns;
	if ((whole > 0 || bar > 0) && !v->counts_only) {
		double error = whole > 0 ? 100 * bar : INFINITY;

		if (error < 0.1)
			str_add(to, "%s", "; no self time is off by as much as 0.1 % of the whole");
		else if (error > 100)
			str_add(to, "; a self time may be off by more than the whole");
		else
			str_add(to, "; no self time is off by more than %.*f %% of the whole",
				error < 10, error);
	}
	str_add(to, ".");
}

#define WAITING_ZONES 3    /* named in the head, at most */
#define WAITING_LEAST 0.01 /* shares of less are not worth a word */

/* Finds the zones that wait most; gives how many of WAITING_ZONES do more than next to nothing. */
static size_t find_waiting(const struct derived *d, const struct function *most[])
{
	size_t count = 0;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct function *f = &d->functions[i];
		size_t at = count;
		if (f->self.wait_ns <= WAITING_LEAST * d->whole.wait_ns)
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

/* How much waiting a report of processor time leaves out, and where it is. */
static void add_waiting(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct function *most[WAITING_ZONES];
	const struct cost *whole = &d->whole;
	if (v->measure != TIME_CPU || !v->knows_waits ||
	    whole->wait_ns <= WAITING_LEAST * (whole->cpu_ns + whole->wait_ns))
		return;
	str_add(to, "Waiting: %s", view_time(v, text, d->whole.wait_ns));
	size_t count = find_waiting(d, most);
	for (size_t i = 0; i < count; i++) {
		const char *name = v->load.zones.list[most[i]->zone].name;
		struct str shown = {0};
		if (v->options->full_names)
			str_add(&shown, "%s", name);
		else
			short_name(&shown, name);
		str_add(to, i ? ", " : ", most in ");
		visible_add(to, str_text(&shown));
		str_add(to, " %s", view_time(v, text, most[i]->self.wait_ns));
		str_free(&shown);
	}
	str_add(to, " (--time wait).\n");
}

/* Where a report would show processor time if the profile knew it. */
static void add_unknown_cpu(struct str *to, const struct view *v)
{
	if (v->options->cpu_first && !v->options->time && !v->counts_only && !v->fake &&
	    load_unknown_measure(&v->load, TIME_CPU))
		str_add(to,
			"Processor time is not known apart from waits: times below have both.\n");
}

/* Times of all threads together: on a processor, waiting, and while others had the processor; and
 * which of these is shown. */
static void add_absences(struct str *to, const struct view *v, const struct derived *d)
{
	static const char shown[] = ", which is shown below";
	char text[UNITS_TEXT];
	const struct cost *c = &d->whole;
	size_t threads = threads_of(v->tree);
	if (!v->knows_waits)
		return;
	str_add(to, "On a processor for %s of ", view_time(v, text, c->cpu_ns));
	if (threads > 1)
		str_add(to, "the %s threads' ", units_count(text, threads));
	str_add(to, "%s%s", view_time(v, text, c->cpu_ns + c->wait_ns + c->preempted_ns),
		v->measure == TIME_CPU ? shown : "");
	str_add(to, "; waited %s (", view_time(v, text, c->wait_ns));
	add_count(to, (uint64_t)c->waits, "time", "times", ")");
	str_add(to, "%s", v->measure == TIME_WAIT ? shown : "");
	str_add(to, "; others had the processor for %s (", view_time(v, text, c->preempted_ns));
	add_count(to, (uint64_t)c->preemptions, "time", "times", ")");
	if (v->measure == TIME_WALL)
		str_add(to, ", all of which is shown below");
	else if (v->measure == TIME_OWN && !v->load.raw)
		str_add(to, ", which is in no time below");
	str_add(to, ".\n");
}

static void add_note(struct str *to, const char *text, const char *more)
{
	str_add(to, "note: ");
	visible_add(to, text);
	str_add(to, "%s\n", more);
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

/*
 * With -finstrument-functions, inlined functions have hooks, too, and the compiler optimizes less
 * around hooks. In programs whose hooks took more than three times as long as the program itself,
 * self times were 17 points of 100 or more away from those without hooks (make bench-truth).
 */
#define HEAVY_HOOKS 3

static void add_heaviness(struct str *to, const struct view *v, const struct derived *d)
{
	double times = load_hook_ns(&v->load) / d->whole.cpu_ns;
	for (size_t i = 0; i < v->load.process_count; i++) {
		const struct zprof_header *h = &v->load.processes[i].header;
		if (h->flags & ZPROF_FENTRY || h->sampler == ZPROF_SAMPLER_NONE)
			return;
	}
	if (v->counts_only || v->load.raw || d->whole.cpu_ns <= 0 || times < HEAVY_HOOKS)
		return;
	str_add(
	    to,
	    "note: these hooks took %.0f times as long as the program itself, which is another "
	    "program without them: compilers inline less around hooks, so times are rough; with "
	    "hooks after inlining they are closer (zprof cflags --fentry)\n",
	    times);
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

static void add_head(struct str *to, const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct load *l = &v->load;
	struct str filters = {0};
	visible_add(to, *l->processes[0].command ? l->processes[0].command : l->processes[0].path);
	str_add(to, "      ");
	if (!v->counts_only)
		str_add(to, "%s%s, ", view_time(v, text, view_shown(v, &d->whole).ns),
			v->fake ? " ticks" : "");
	if (load_processes(l) > 1) {
		if (!v->fake)
			str_add(to, "elapsed %s, ", units_time(text, load_elapsed_ns(l), false));
		add_count(to, load_processes(l), "process", "processes", ", ");
	}
	add_count(to, threads_of(v->tree), "thread", "threads", ", ");
	add_count(to, program_calls(v, d), "call", "calls", ", ");
	add_count(to, d->zones_used, "zone", "zones", "\n");
	add_clock(to, v);
	add_taken_off(to, v, d);
	if (d->functions[0].self.ticks)
		str_add(to, "  Outside every zone: %s.",
			view_time(v, text, view_shown(v, &d->functions[0].self).ns));
	str_add(to, "\n");
	add_unknown_cpu(to, v);
	add_absences(to, v, d);
	add_waiting(to, v, d);
	add_recordings(to, l);
	filters_describe(&v->options->filters, &filters);
	if (filters.used) {
		visible_add(to, filters.text);
		str_add(to, "\n");
	} else {
		add_heaviness(to, v, d);
	}
	str_free(&filters);
	add_notes(to, l);
	add_ended(to, l);
	add_limits(to, v, d);
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
	in_memory.terminal.out = open_memstream(text, bytes);
	if (!in_memory.terminal.out)
		memory_exhausted(0);
	return in_memory;
}

char *view_head_text(const struct view *v, const struct derived *d)
{
	char *text = NULL;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_head(&in_memory, d);
	if (fclose(in_memory.terminal.out))
		memory_exhausted(0);
	return text;
}

char *view_losses_text(const struct view *v)
{
	char *text = NULL;
	size_t bytes;
	struct view in_memory = view_into(v, &text, &bytes);
	view_print_losses(&in_memory);
	if (fclose(in_memory.terminal.out))
		memory_exhausted(0);
	return text;
}
