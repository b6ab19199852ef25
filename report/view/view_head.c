/* SPDX-License-Identifier: MIT */
/* view_head.c - the lines above and below the rows of a text report. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/units.h"
#include "report/view/view.h"
#include "report/base/visible.h"

/* Where the times come from. */
static void print_clock(const struct view *v)
{
	char text[UNITS_TEXT], period[UNITS_TEXT];
	static const char *const modes[] = {"?", "exact", "?", "counts only"};
	const struct process *p = &v->load.processes[0];
	uint64_t samples = load_samples(&v->load);
	const char *mode = p->header.mode < 4 ? modes[p->header.mode] : modes[0];
	if (p->header.clock == ZPROF_CLOCK_FAKE)
		printf("clock: fake, one tick a reading, %s.", mode);
	else if (p->header.mode == ZPROF_MODE_COUNT && p->header.sampler != ZPROF_SAMPLER_NONE)
		printf("times: from %s samples, every %s of CPU time.", units_count(text, samples),
		       units_time(period, p->header.sample_period_ns, false));
	else
		printf("clock: %s %s, %s.",
		       p->header.clock == ZPROF_CLOCK_TSC ? "TSC" : "CLOCK_MONOTONIC",
		       units_rate(text, 1e9 / p->ns_per_tick), mode);
	if (p->header.mode == ZPROF_MODE_EXACT && samples)
		printf("  Short functions: from %s samples.", units_count(text, samples));
}

static size_t threads_of(const struct tree *t)
{
	size_t count = 0;
	for (size_t i = 0; i < t->thread_count; i++)
		count += t->threads[i].count;
	return count;
}

static void print_count(uint64_t n, const char *one, const char *many, const char *end)
{
	char text[UNITS_TEXT];
	printf("%s %s%s", units_count(text, n), n == 1 ? one : many, end);
}

/* The largest error of a self time. */
static double worst_bar(const struct derived *d)
{
	double worst = 0;
	for (size_t i = 1; i < d->function_count; i++)
		if (cost_self_bar(&d->functions[i].self) > worst)
			worst = cost_self_bar(&d->functions[i].self);
	return worst;
}

static void print_taken_off(const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	double cost = load_hook_ns(&v->load);
	if (cost <= 0)
		return;
	if (v->load.raw) {
		printf("  Raw: the hooks' own %s are still in the times.",
		       view_time(v, text, cost));
		return;
	}
	printf("  The hooks' own %s are taken off", view_time(v, text, cost));
	double bar = worst_bar(d);
	if ((d->whole.ns > 0 || bar > 0) && !v->counts_only) {
		double error = d->whole.ns > 0 ? 100 * bar / d->whole.ns : INFINITY;

		if (error < 0.1)
			fputs("; no self time is off by 0.1 % of the whole", stdout);
		else if (error > 100)
			fputs("; a self time may be off by more than the whole", stdout);
		else
			printf("; no self time is off by more than %.*f %% of the whole",
			       error < 10, error);
	}
	fputs(".", stdout);
}

/* Of all threads together: on a processor, on none by their own will, on none by others'. */
static void print_absences(const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct cost *c = &d->whole;
	size_t threads = threads_of(v->tree);
	if (!v->knows_waits)
		return;
	printf("On a processor for %s of ", view_time(v, text, c->cpu_ns));
	if (threads > 1)
		printf("the %s threads' ", units_count(text, threads));
	fputs(view_time(v, text, c->cpu_ns + c->wait_ns + c->preempted_ns), stdout);
	printf("; waited %s (", view_time(v, text, c->wait_ns));
	print_count((uint64_t)c->waits, "time", "times", ")");
	printf("; others had the processor for %s (", view_time(v, text, c->preempted_ns));
	print_count((uint64_t)c->preemptions, "time", "times", ")");
	puts(v->load.raw ? "." : ", which is in no time below.");
}

static void print_note(const char *text, const char *more)
{
	fputs("note: ", stdout);
	visible_print(text);
	puts(more);
}

static void print_limits(const struct view *v, const struct derived *d)
{
	struct str text = {0};
	limits_contexts_text(&v->load, d, &text);
	if (text.used)
		print_note(text.text, "");
	limits_folded_text(&v->load.limits, &text);
	if (text.used)
		print_note(text.text, "");
	limits_overflow_text(&v->load.limits, load_calls(&v->load), &text);
	if (text.used)
		print_note(text.text, v->options->filters.under.count
					  ? "; --under finds those calls under that caller only"
					  : "");
	str_free(&text);
}

/* Who may ask the kernel is decided by kernel.perf_event_paranoid; containers refuse it altogether. */
static void print_refusal(const struct zprof_header *h)
{
	if (!h->sampler_error)
		return;
	const char *instead = "times are by the clock alone";
	if (h->sampler == ZPROF_SAMPLER_TIMER)
		instead = "a timer took fewer, and what was waited for is in no time";
	else if (h->mode == ZPROF_MODE_COUNT)
		instead = "there are no times";
	printf("note: the kernel did not take samples (%s): %s; see kernel.perf_event_paranoid in "
	       "perf_event_open(2)\n",
	       strerror((int)h->sampler_error), instead);
}

static void print_notes(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		if (!i || p->header.sampler_error != p[-1].header.sampler_error)
			print_refusal(&p->header);
		for (size_t k = 0; k < p->note_count; k++)
			print_note(p->notes[k], "");
		if (p->header.flags & ZPROF_FILTERED && (!i || strcmp(p->options, p[-1].options))) {
			fputs("note: recorded with a filter (", stdout);
			visible_print(*p->options ? p->options : "only=");
			puts("): the time of zones that it excludes is in their callers' times");
		}
	}
}

void view_print_head(const struct view *v, const struct derived *d)
{
	char text[UNITS_TEXT];
	const struct load *l = &v->load;
	struct str filters = {0};
	visible_print(*l->processes[0].command ? l->processes[0].command : l->processes[0].path);
	fputs("      ", stdout);
	if (!v->counts_only)
		printf("%s%s, ", view_time(v, text, d->whole.ns), v->fake ? " ticks" : "");
	if (load_processes(l) > 1) {
		if (!v->fake)
			printf("elapsed %s, ", units_time(text, load_elapsed_ns(l), false));
		print_count(load_processes(l), "process", "processes", ", ");
	}
	print_count(threads_of(v->tree), "thread", "threads", ", ");
	print_count(d->calls, "call", "calls", ", ");
	print_count(d->zones_used, "zone", "zones", "\n");
	print_clock(v);
	print_taken_off(v, d);
	if (d->functions[0].self.ticks)
		printf("  Outside every zone: %s.", view_time(v, text, d->functions[0].self.ns));
	puts("");
	print_absences(v, d);
	filters_describe(&v->options->filters, &filters);
	if (filters.used) {
		visible_print(filters.text);
		puts("");
	}
	str_free(&filters);
	print_notes(l);
	print_limits(v, d);
	puts("");
}

static const char *const counter_texts[] = {
#define X(name, text) text,
    ZPROF_COUNTERS(X)
#undef X
};

void view_print_losses(const struct view *v)
{
	char text[UNITS_TEXT];
	bool first = true;
	for (int i = 0; i < ZPROF_COUNTERS_MAX; i++) {
		uint64_t n = v->load.counters[i];
		if (!n)
			continue;
		puts(first ? "\nWhat went wrong or was put right:" : "");
		first = false;
		printf("%14s  %s", units_count(text, n),
		       i < ZPROF_COUNTERS_USED ? counter_texts[i]
					       : "of a kind that this zprof does not know");
	}
	if (!first)
		puts("");
}
