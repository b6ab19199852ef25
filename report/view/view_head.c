/* SPDX-License-Identifier: MIT */
/* view_head.c - the lines above and below the rows of a text report. */
#include <stdio.h>
#include <string.h>

#include "report/base/units.h"
#include "report/view/view.h"
#include "report/base/visible.h"

static const char *clock_name(const struct view *v, char *rate)
{
	static char text[128];
	const struct zprof_header *h = &v->load.processes[0].header;
	static const char *const modes[] = {"?", "exact", "?", "counts only"};
	const char *mode = h->mode < 4 ? modes[h->mode] : modes[0];
	if (h->clock == ZPROF_CLOCK_FAKE)
		snprintf(text, sizeof text, "fake, one tick a reading, %s", mode);
	else
		snprintf(text, sizeof text, "%s %s, %s",
			 h->clock == ZPROF_CLOCK_TSC ? "TSC" : "CLOCK_MONOTONIC",
			 units_rate(rate, 1e9 / v->load.processes[0].ns_per_tick), mode);
	return text;
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
	if (d->whole.ns > 0) {
		double error = 100 * cost_total_bar(&d->functions[0].total) / d->whole.ns;

		if (error < 0.1)
			fputs("; what remains of it is below 0.1 %", stdout);
		else
			printf("; times are good to +-%.*f %%", error < 10, error);
	}
	fputs(".", stdout);
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

static void print_notes(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
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
	if (l->process_count > 1)
		print_count(l->process_count, "process", "processes", ", ");
	print_count(threads_of(v->tree), "thread", "threads", ", ");
	print_count(d->calls, "call", "calls", ", ");
	print_count(d->zones_used, "zone", "zones", "\n");
	printf("clock: %s.", clock_name(v, text));
	print_taken_off(v, d);
	if (d->functions[0].self.ticks)
		printf("  Outside every zone: %s.", view_time(v, text, d->functions[0].self.ns));
	puts("");
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
