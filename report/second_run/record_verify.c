/* SPDX-License-Identifier: MIT */
/*
 * record_verify.c - `zprof record --verify`: a second run, with all hooks off (second_run.h), shows
 * where the program then spends its time (native.h). The shares of this run, beside those of the
 * profile, are printed on stderr.
 */
#include "report/second_run/second_run.h"

#include <stdio.h>
#include <unistd.h>

#include "report/core/base/say.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/second_run/native.h"
#include "report/core/names/short_name.h"

#define LEAST 1.0 /* points: functions with a smaller share in both are summed up */

enum { NATIVE, SHOWN, APART, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [NATIVE] = {.head = "% native", .right = true, .least = 8},
    [SHOWN] = {.head = "% shown", .right = true, .gap = 2, .least = 7},
    [APART] = {.head = "apart", .right = true, .gap = 2, .least = 6},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
};

struct verification {
	struct second_run *second;
	struct load load;
	struct native native;
};

static bool take(void *context, const char *file, uint64_t address)
{
	return native_take(&((struct verification *)context)->native, file, address);
}

static void add_row(struct table *t, double native, double shown, const char *name)
{
	struct str visible = {0};
	table_row(t, TABLE_PLAIN);
	table_cell(t, NATIVE, "%.1f", native);
	table_cell(t, SHOWN, "%.1f", shown);
	table_cell(t, APART, "%+.1f", shown - native);
	visible_add(&visible, name);
	table_tail(t, NAME, str_text(&visible));
	str_free(&visible);
}

static void print_rows(const struct verification *v)
{
	struct table t;
	struct terminal terminal;
	struct native_function others = {0};
	char count[UNITS_TEXT], name[UNITS_TEXT + 16];
	size_t left = 0;
	table_init(&t, columns, COLUMNS);
	for (size_t i = 0; i < v->native.count; i++) {
		const struct native_function *f = &v->native.functions[i];
		if (f->share >= LEAST || f->shown_share >= LEAST) {
			add_row(&t, f->share, f->shown_share, v->load.zones.list[f->zone].name);
		} else {
			others.share += f->share;
			others.shown_share += f->shown_share;
			left++;
		}
	}
	snprintf(name, sizeof name, "(%s other%s)", units_count(count, left), left == 1 ? "" : "s");
	if (left)
		add_row(&t, others.share, others.shown_share, name);
	terminal_open(&terminal, TERMINAL_AUTO, -1, false);
	table_print(&t, &terminal);
	table_free(&t);
}

static void print(const struct verification *v, const struct sampler *s,
		  const struct native_distance *d)
{
	char samples[UNITS_TEXT], none[UNITS_TEXT];
	printf(
	    "\nNative: %s samples of a second run, with all hooks off.  Its shares of self time\n"
	    "and those of the profile are %.1f points of 100 apart, of which chance makes %.1f.\n",
	    units_count(samples, s->samples), d->apart, d->chance);
	if (v->second->any_by_source)
		puts(
		    "With -finstrument-functions that is not quite native: the program goes on preparing\n"
		    "the arguments of its hooks. Build it with the flags of 'zprof cflags --fentry'.");
	if (!s->sees_kernel)
		puts(
		    "Time in the kernel is in the profile alone: the system lets nobody look there.");
	if (s->lost + s->broken + s->elsewhere)
		printf("In no function that was recorded: %s.\n",
		       units_of(none, s->lost + s->broken + s->elsewhere, "sample"));
	puts("");
	print_rows(v);
}

/* Prints on stderr, like all output of `zprof record`: stdout is the program's. */
static void print_to_stderr(const struct verification *v, const struct sampler *s,
			    const struct native_distance *d)
{
	int out = dup(STDOUT_FILENO);
	fflush(stdout);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	print(v, s, d);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
}

static bool sample(struct verification *v, char **program, struct str *err)
{
	struct sampler s = {
	    .command = program, .period_ns = SAMPLER_PERIOD_NS, .takes = take, .context = v};
	if (!second_run_sample(v->second, &s, err))
		return false;
	if (s.status)
		say("the second run ended with status %d", s.status);
	struct native_distance d = native_compare(&v->native);
	if (s.samples == s.broken + s.elsewhere)
		return str_fail(err,
				"no sample of the second run found a function that was recorded");
	print_to_stderr(v, &s, &d);
	return true;
}

static bool show(void *kept, const struct after_recorded *run, struct str *err)
{
	struct verification v = {.second = kept};
	/* The process may have run several programs, one after the other (exec). */
	struct load_set own = {.paths = run->files,
			       .count = second_run_own(run->files, run->count)};
	if (!second_run_is_due(run->status, err))
		return false;
	if (!own.count)
		return str_fail(err, "there is no profile of the process that was started");
	if (!load_sets(&v.load, &own, 1, LOAD_ANYONE, err))
		return false;
	bool ok = second_run_find_hooks(v.second, &v.load, err);
	if (ok) {
		native_init(&v.native, &v.load, v.second->by_source);
		ok = sample(&v, run->program, err);
		native_free(&v.native);
	}
	load_free(&v.load);
	return ok;
}

static bool take_verify(struct options *o, const char *value, struct str *err)
{
	(void)value;
	(void)err;
	return after_run_give(o, &verify_after_run);
}

static const struct option_spec options[] = {
    {0, "verify", NULL, NULL, OPTION_TAKE(take_verify),
     "run the program a second time, with all hooks switched off, and print where it spends its time "
     "then, by samples, beside what the profile shows"},
    OPTIONS_END,
};

const struct after_run verify_after_run = {
    .options = options,
    .check = second_run_check,
    .begin = second_run_begin,
    .show = show,
    .end = second_run_end,
};
