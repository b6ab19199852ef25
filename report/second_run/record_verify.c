/* SPDX-License-Identifier: MIT */
/*
 * record_verify.c - `zprof record --verify`: a second run, with all hooks off (second_run.h), shows
 * where the program then spends its time, function by function. The shares of this run, beside
 * those of the profile, are printed on stderr.
 *
 * A sample (second_run/sampler.h) belongs to the innermost function on its stack that the profile
 * knows. So the time of libraries, of the kernel, and of functions that were not recorded counts
 * for their caller, as in the profile. Only time on a processor is compared, because samples show
 * no waits.
 *
 * Zones that the program marks itself have no code of their own. Their time counts for the function
 * around them, in the samples and in the profile.
 */
#include "report/second_run/second_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/processor.h"
#include "report/core/base/say.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/cxx/short_name.h"
#include "report/second_run/chance.h"
#include "report/second_run/native_code.h"

#define LEAST 1.0 /* points: functions with a smaller share in both are summed up */

enum { NATIVE, SHOWN, APART, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [NATIVE] = {.head = "% native", .right = true, .least = 8},
    [SHOWN] = {.head = "% shown", .right = true, .gap = 2, .least = 7},
    [APART] = {.head = "apart", .right = true, .gap = 2, .least = 6},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
};

struct native_function {
	uint32_t zone;
	uint64_t samples;
	double shown_ns;           /* time on a processor, in the profile */
	double share, shown_share; /* in points of 100; see native_compare() */
};

struct native {
	const struct load *load;
	struct native_code code;
	uint32_t *of_zone; /* by zone: index into functions; UINT32_MAX: none */
	struct native_function *functions;
	size_t count;
};

struct native_distance {
	double apart;  /* half the sum of the differences of all shares, in points of 100 */
	double chance; /* the value of `apart` if only chance made the samples differ */
};

struct verification {
	struct second_run *second;
	struct load load;
	struct native native;
};

/* Adds each node's time to the innermost function with code on the node's path. */
static void add_shown(struct native *n)
{
	const struct tree *t = &n->load->tree;
	uint32_t *inside = memory_resize(NULL, t->count, sizeof *inside);
	for (size_t i = 0; i < t->count; i++) {
		const struct node *node = &t->nodes[i];
		inside[i] = n->of_zone[node->zone];
		if (inside[i] == UINT32_MAX && node->parent < i)
			inside[i] = inside[node->parent];
		if (inside[i] != UINT32_MAX)
			n->functions[inside[i]].shown_ns += node->self.cpu_ns;
	}
	free(inside);
}

/* BY_SOURCE: see native_code_init(). */
static void native_init(struct native *n, const struct load *l, const bool *by_source)
{
	*n = (struct native){.load = l};
	native_code_init(&n->code, l, by_source);
	n->of_zone = memory_resize(NULL, l->zones.count, sizeof *n->of_zone);
	n->functions = memory_zeroed(l->zones.count, sizeof *n->functions);
	for (uint32_t zone = 0; zone < l->zones.count; zone++) {
		n->of_zone[zone] = UINT32_MAX;
		if (!zone || !native_has_code(&l->zones.list[zone]))
			continue;
		n->of_zone[zone] = (uint32_t)n->count;
		n->functions[n->count++].zone = zone;
	}
	add_shown(n);
}

static void native_free(struct native *n)
{
	native_code_free(&n->code);
	free(n->functions);
	free(n->of_zone);
}

static int larger_first(const void *left, const void *right)
{
	const struct native_function *a = left, *b = right;
	return memory_order(b->samples, a->samples) ?: memory_order(b->shown_ns, a->shown_ns);
}

/* Sets the shares, and sorts by native share, the largest first. */
static struct native_distance native_compare(struct native *n)
{
	struct native_distance d = {0};
	double samples = 0, shown = 0;
	for (size_t i = 0; i < n->count; i++) {
		samples += (double)n->functions[i].samples;
		shown += fmax(n->functions[i].shown_ns, 0);
	}
	for (size_t i = 0; i < n->count; i++) {
		struct native_function *f = &n->functions[i];
		f->share = samples > 0 ? 100 * (double)f->samples / samples : 0;
		f->shown_share = shown > 0 ? 100 * fmax(f->shown_ns, 0) / shown : 0;
		d.apart += fabs(f->share - f->shown_share) / 2;
		d.chance +=
		    chance_apart(f->share / 100, samples, (double)load_samples(n->load)) / 2;
	}
	memory_sort(n->functions, n->count, larger_first);
	return d;
}

/* Counts the sample for the function that has code at ADDRESS of FILE; false if none is known. */
static bool take(void *context, const char *file, uint64_t address)
{
	struct native *n = &((struct verification *)context)->native;
	size_t count;
	const uint32_t *zones = native_code_at(&n->code, file, address, &count);
	if (!count)
		return false;
	n->functions[n->of_zone[zones[0]]].samples++;
	return true;
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
		printf(
		    "With -finstrument-functions that is not quite native: the program goes on preparing\n"
		    "the arguments of its hooks.%s\n",
		    processor_lacks(PROCESSOR_FENTRY)
			? ""
			: " Build it with the flags of 'zprof cflags --fentry'.");
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

/* STATUS: with which the first run ended. */
static bool sample(struct verification *v, char **program, int status, struct str *err)
{
	struct sampler s = {
	    .command = program, .period_ns = SAMPLER_PERIOD_NS, .takes = take, .context = v};
	if (!second_run_sample(v->second, &s, err))
		return false;
	struct str differs = {0};
	if (!second_run_ended_alike(v->second, status, &differs))
		say("%s: did it find what the first has written? Then it did other work",
		    differs.text);
	str_free(&differs);
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
		if (v.second->any)
			native_code_use_plans(&v.native.code);
		ok = sample(&v, run->program, run->status, err);
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
