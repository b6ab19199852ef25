/* SPDX-License-Identifier: MIT */
/*
 * record_native.c - `zprof record --native`: replaces the times of a profile by those of a second
 * run, with all hooks off (second_run.h, native_times.h).
 */
#include "report/core/base/clock.h"
#include "report/core/base/memory.h"
#include "report/second_run/second_run.h"

#include <stdlib.h>

#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/second_run/native_times.h"
#include "report/second_run/rings.h"

/*
 * This many samples are enough for an error bar of one point. More than 4,000 samples a second
 * would disturb the program, because their cost is known only to a third. The shortest and the
 * longest period are prime, so that they match no period of the program.
 */
#define ENOUGH_SAMPLES  10000
#define SHORT_PERIOD_NS 250007
#define LONG_PERIOD_NS  1000003

/* How the price of a sample is measured. */
#define PRICE_ROUNDS    15
#define PRICE_SPIN_NS   5e6
#define PRICE_PERIOD_NS 100003

static uint64_t period_for(const struct load *l)
{
	double cpu_ns = 0;
	for (size_t i = 0; i < l->tree.count; i++)
		cpu_ns += l->tree.nodes[i].self.cpu_ns;
	double period = cpu_ns / ENOUGH_SAMPLES;
	return period < SHORT_PERIOD_NS  ? SHORT_PERIOD_NS
	       : period > LONG_PERIOD_NS ? LONG_PERIOD_NS
					 : (uint64_t)period | 1;
}

static double spin(uint64_t turns)
{
	double begun = (double)clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (volatile uint64_t i = 0; i < turns; i++)
		;
	return (double)clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun;
}

/* Finds a number of turns that takes some milliseconds. */
static uint64_t enough_turns(void)
{
	uint64_t turns = 1 << 16;
	while (spin(turns) < PRICE_SPIN_NS && turns < (uint64_t)1 << 40)
		turns *= 2;
	return turns;
}

static double spin_sampled(uint64_t turns)
{
	struct str none = {0};
	bool kernel;
	struct rings *r = rings_open_here(PRICE_PERIOD_NS, &kernel, &none);
	double ns = r ? spin(turns) : 0;
	if (r)
		rings_close(r);
	str_free(&none);
	return ns;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return memory_order(a, b);
}

/*
 * Measures how much CPU time a sample with the top of the stack (rings.h) takes from the program:
 * tens of microseconds on a virtual machine, where each timer interrupt leaves the guest. This
 * thread spins for some milliseconds, in turn with and without samples being taken of it. The price
 * is the median of the differences, in ns; 0 if samples are not allowed. On a machine that does
 * other things, too, it comes out a third larger or smaller from one time to the next. Takes half a
 * second or more, because the rings are made anew for each spin.
 */
static double price_of_sample(void)
{
	double prices[PRICE_ROUNDS];
	uint64_t turns = enough_turns();
	for (int i = 0; i < PRICE_ROUNDS; i++) {
		double plain = spin(turns), sampled = spin_sampled(turns);
		prices[i] = (sampled - plain) / (sampled / PRICE_PERIOD_NS);
	}
	memory_sort(prices, PRICE_ROUNDS, by_size);
	double median = prices[PRICE_ROUNDS / 2];
	return median > 0 ? median : 0;
}

/* Whether both runs ended alike. If not, times of the second are not those of the first run's calls. */
static bool same_status(const struct second_run *r, int status, struct str *err)
{
	struct str why = {0};
	bool same = second_run_ended_alike(r, status, &why);
	if (!same)
		str_fail(err,
			 "%s: did it find what the first has written? The times are those of the "
			 "first",
			 why.text);
	str_free(&why);
	return same;
}

static bool sample(struct second_run *r, char **program, int status, struct load *l,
		   struct profile *p, struct str *err)
{
	struct native_times n;
	struct sampler s = {.command = program,
			    .period_ns = period_for(l),
			    .takes = native_times_frame,
			    .taken = native_times_sampled,
			    .context = &n};
	native_times_init(&n, l, p, r->by_source);
	if (r->any)
		native_code_use_plans(&n.code);
	bool ok = second_run_sample(r, &s, err) && same_status(r, status, err);
	if (ok && !n.samples)
		ok =
		    str_fail(err, "no sample of the second run found a function that was recorded");
	if (ok && s.lost > s.samples / 20)
		say("%.0f %% of the samples were lost: this machine is too busy for them",
		    100 * (double)s.lost / (double)(s.samples + s.lost));
	ok = ok && native_times_write(&n, s.period_ns, price_of_sample(), s.lost, err);
	native_times_free(&n);
	return ok;
}

static bool run_again(struct second_run *r, char **program, int status, const char *file,
		      struct str *err)
{
	struct profile p;
	struct load l;
	if (!profile_load(&p, file, true, err))
		return false;
	load_init(&l, false);
	load_profile(&l, &p);
	bool ok = second_run_find_hooks(r, &l, err) && sample(r, program, status, &l, &p, err);
	load_free(&l);
	profile_free(&p);
	return ok;
}

/* Adds the times to the profile of the process that `zprof record` started. The second run must end
 * as the first did. */
static bool add(void *kept, const struct after_recorded *run, struct str *err)
{
	size_t own = second_run_own(run->files, run->count);
	if (!second_run_is_due(run->status, err))
		return false;
	if (!own)
		return str_fail(err, "there is no profile of the process that was started");
	if (own > 1)
		return str_fail(err,
				"the process became %zu programs, one after the other: run the one "
				"that is meant by itself for --native",
				own);
	return run_again(kept, run->program, run->status, run->files[0], err);
}

static bool take_native(struct options *o, const char *value, struct str *err)
{
	(void)value;
	(void)err;
	return after_run_give(o, &native_after_run);
}

static const struct option_spec options[] = {
    {0, "native", NULL, NULL, OPTION_TAKE(take_native),
     "run the program a second time, with all hooks switched off, and take the times from there, by "
     "samples; calls and contexts are those of the first run"},
    OPTIONS_END,
};

const struct after_run native_after_run = {
    .options = options,
    .check = second_run_check,
    .begin = second_run_begin,
    .add = add,
    .end = second_run_end,
};
