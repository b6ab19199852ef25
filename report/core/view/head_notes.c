/* SPDX-License-Identifier: MIT */
/* head_notes.c - see head_lines.h: what rows mean, and what limits the numbers. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <string.h>

#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/load/ended.h"
#include "report/core/view/head_lines.h"

/* ---- what rows mean */

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
	if (unsure >= HEAD_WORTH_A_LINE * d->whole.cpu_ns && unsure > 0)
		str_add(to,
			"note: functions end without a hook: %.0f %% of the time may belong to a "
			"caller of the function that is shown with it; the error bars of both "
			"contain that\n",
			fmin(100, 100 * unsure / d->whole.cpu_ns));
	if (v->knows_waits && without_exits && waited > 0 &&
	    waited >= HEAD_WORTH_A_LINE * (d->whole.cpu_ns + d->whole.wait_ns))
		str_add(to,
			"note: functions end without a hook: which of them waited is not known for "
			"%s, which is outside of all functions\n",
			view_time(v, text, waited));
}

/* What rows `(sampled)` are, or why there are none (--below). */
static void add_sampled(struct str *to, const struct view *v)
{
	if (!v->options->below)
		return;
	if (v->load.places_by_sample)
		str_add(to,
			"Rows (sampled): functions without hooks, below %s; their calls are not "
			"counted\n",
			v->load.chains.count ? "their callers, down from the one with hooks that "
					       "they ran for"
					     : "the one with hooks that they ran for");
	else
		str_add(to,
			"note: there are no rows (sampled): the profile does not tell where its "
			"samples were (none came, or it was recorded with --inside=0)\n");
	if (v->load.kernel_nameless)
		str_add(to, "The kernel's functions have no names here: root may read them, until "
			    "the next boot, and 'zprof archive' keeps them\n");
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

void head_add_rows(struct str *to, const struct view *v, const struct derived *d)
{
	add_unsure(to, v, d);
	add_sampled(to, v);
	add_recordings(to, &v->load);
}

/* ---- what limits the numbers */

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

#define NEAR 64 /* processes */

/* Whether a process shortly before number COUNT has the same note: a run starts programs again. */
static bool is_said(const struct load *l, size_t count, const char *note)
{
	for (size_t i = count > NEAR ? count - NEAR : 0; i < count; i++)
		for (size_t k = 0; k < l->processes[i].note_count; k++)
			if (!strcmp(l->processes[i].notes[k], note))
				return true;
	return false;
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
			if (!is_said(l, i, p->notes[k]))
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
 * Of threads without samples, nothing but the calls is known; under clock=exact, the clock has
 * their times.
 */
static void add_unsampled(struct str *to, const struct view *v)
{
	char text[UNITS_TEXT], of[UNITS_TEXT];
	uint64_t unsampled = v->load.counters[ZPROF_LOSS_SAMPLERS], threads = head_threads(v);
	if (!unsampled || v->load.processes[0].header.mode != ZPROF_MODE_COUNT ||
	    load_second_runs(&v->load))
		return;
	str_add(to, "note: %s", units_count(text, unsampled));
	if (unsampled <= threads)
		str_add(to, " of the %s", units_count(of, threads));
	str_add(to, " threads were not sampled, or not to their end: time of theirs is missing\n");
}

void head_add_notes(struct str *to, const struct view *v, const struct derived *d)
{
	add_notes(to, &v->load);
	add_left_alone(to, v);
	add_unsampled(to, v);
	add_ended(to, &v->load);
	add_limits(to, v, d);
}
