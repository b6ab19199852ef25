/* SPDX-License-Identifier: MIT */
/* report_estimate.c - times from samples and from the clock, on profiles whose truth is made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/times/cost_record.h"
#include "report/core/load/load.h"
#include "tests/core/profile_loaded.h"

static struct load load;

static void load_text(const char *text)
{
	load_init(&load, false);
	profile_loaded(&load, text);
}

/* The self cost of all contexts of a zone. */
static struct cost self_of(const char *name)
{
	struct cost sum = {0};
	for (size_t i = 0; i < load.tree.count; i++) {
		const struct node *n = &load.tree.nodes[i];
		if (n->zone && !strcmp(load.zones.list[n->zone].name, name))
			cost_add(&sum, &n->self);
	}
	return sum;
}

static double ns_of(const char *name)
{
	return self_of(name).ns;
}

static void assert_near(double a, double b, double most)
{
	if (fabs(a - b) > most)
		fail_msg("%g is not %g, within %g", a, b, most);
}

/* A profile of samples: `hooks` is what a pair costs around nothing, in thousandths of a tick of 1 ns. */
#define COUNTED(hooks)                                                                             \
	"clock tsc 1000000000\nmode count\nflags finished fentry\nhooks 0 0 0 " hooks "\n"

static void samples_in_the_program_count(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1\nthread 1 main 1\n"
			       "  main 1 0\nseen 3 1 0 1000000\n"
			       "    f 10 0\nseen 10 0 5 1000000\n"
			       "    g 10 0\nseen 0 0 7 1000000\n");
	assert_near(ns_of("main"), 4e6, 1);
	assert_near(ns_of("f"), 10e6, 1);
	assert_near(ns_of("g"), 0, 1);
	assert_near(load_hook_ns(&load), 12e6, 1e6);
	assert_int_equal(load_samples(&load), 26);
	load_free(&load);
}

static void samples_cost_something_too(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1 20000\nthread 1 main 1\n"
			       "  main 1 0\nseen 100 0 0 1000000\n");
	assert_near(ns_of("main"), 98e6, 1);
	load_free(&load);
}

/* Each context pays for its own samples, of which there are more where they came at a higher
 * rate. */
static void samples_cost_where_they_are_taken(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1 20000\nthread 1 main 1\n"
			       "  main 1 0\nseen 100 0 0 100000\n"
			       "    f 1 0\nseen 10 0 0 1000000\n");
	assert_near(ns_of("main"), 10e6 - 100 * 20e3, 1);
	assert_near(ns_of("f"), 10e6 - 10 * 20e3, 1);
	load_free(&load);
}

/* Waits are not samples, and are exact. */
static void waits_are_added(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1\nthread 1 main 1\n"
			       "  main 1 0\nseen 10 0 0 1000000\naway 5000000 2 700000 1\n");
	assert_near(ns_of("main"), 15e6, 1);
	assert_near(self_of("main").wait_ns, 5e6, 1);
	load_free(&load);
}

/* With many samples, chance is a small part of the error; with none, the error is at least one sample. */
static void few_samples_have_wide_bars(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1\nthread 1 main 1\n"
			       "  main 1 0\nseen 10000 0 0 1000000\n"
			       "    f 1 0\nseen 4 0 0 1000000\n"
			       "    g 1000000 0\n");
	struct cost many = self_of("main"), few = self_of("f"), none = self_of("g");
	assert_near(sqrt(many.variance), 100e6, 1);
	assert_near(sqrt(few.variance), 2e6, 1);
	assert_true(cost_self_bar(&few) >= 4e6);
	assert_true(cost_self_bar(&none) >= 1e6);
	load_free(&load);
}

/* A call's time as shown, less what the call hides, is what the samples saw; a caller is given
 * nothing. */
static void calls_get_back_what_they_hide(void **state)
{
	(void)state;
	const double pair = 20, room = 0.4 * pair;
	load_text(COUNTED("20000") "sampler 1\nthread 1 main 1\n"
				   "  main 1 0\nseen 1000 0 0 1000000\n"
				   "    f 100000000 0\nseen 1000 0 2000 1000000\n");
	double w = ns_of("f") / 1e8;
	assert_true(w > 12 && w < 18);
	assert_near(w - room * (1 - exp(-w / (1.5 * room))), 10, 0.05);
	assert_near(ns_of("main"), 1000e6, 1e3);
	load_free(&load);
}

/*
 * Hooks change how calls overlap. Of f's time, in stretches of 50 ns, 0.4 * 6.25 / 7.25 / (1 + 50 / 300) may be wrong, and
 * 0.05 for the compiler's sake; of g's, in stretches of 2 ms, the latter and next to nothing. Hooks that cost nothing
 * hide nothing.
 */
static void calls_that_may_overlap_are_uncertain(void **state)
{
	(void)state;
	load_text(COUNTED("0") "sampler 1\nthread 1 main 1\n"
			       "  main 1 0\n"
			       "    f 100000000 0\nseen 5000 0 0 1000000\n"
			       "    g 1000 0\nseen 2000 0 0 1000000\n");
	assert_near(self_of("f").error_ns / 5e9, 0.05 + 0.4 * 6.25 / 7.25 / (1 + 50.0 / 300),
		    0.001);
	assert_near(self_of("g").error_ns / 2e9, 0.05, 0.003);
	load_free(&load);
	load_text("clock tsc 1000000000\nmode count\nflags finished\nhooks 0 0 0 0\n"
		  "sampler 1\nthread 1 main 1\n"
		  "  main 1 0\n"
		  "    f 100000000 0\nseen 5000 0 0 1000000\n");
	assert_near(self_of("f").error_ns / 5e9, 0.05, 0.001);
	load_free(&load);
}

/* Functions that end without a hook: what a call hides is of the entry's price, and of half a pair's in
 * profiles that do not have it. */
static void entries_hide_by_their_own_price(void **state)
{
	(void)state;
	static const char *const prices[] = {"", "entry 12000 3000\n"};
	static const double rooms[] = {0.4 * 0.5 * 20, 0.4 * 12};
	for (int i = 0; i < 2; i++) {
		char text[1000];
		snprintf(text, sizeof text,
			 "clock tsc 1000000000\nmode count\nflags finished fentry entries\n"
			 "hooks 0 0 0 20000\n%ssampler 1\nthread 1 main 1\n"
			 "  main 1 0\nseen 1000 0 0 1000000\n"
			 "    f 100000000 0\nseen 1000 0 1000 1000000\n",
			 prices[i]);
		load_text(text);
		double w = ns_of("f") / 1e8;
		assert_near(w - rooms[i] * (1 - exp(-w / (1.5 * rooms[i]))), 10, 0.05);
		load_free(&load);
	}
}

/* The program sets up arguments for the hooks of -finstrument-functions. */
static void setting_up_a_hook_is_subtracted(void **state)
{
	(void)state;
	load_text("clock tsc 1000000000\nmode count\nflags finished\nhooks 0 0 0 20000\n"
		  "sampler 1\nthread 1 main 1\n"
		  "  main 1 0\nseen 1000 0 0 1000000\n"
		  "    f 100000000 0\nseen 1000 0 2000 1000000\n");
	assert_near(ns_of("main"), 1000e6 - 1e8 * 0.035 * 20, 1e3);
	load_free(&load);
}

/* Long stretches are timed by the clock, less other processes' time on the processor; short ones by
 * samples. */
static void long_stretches_are_the_clocks(void **state)
{
	(void)state;
	load_text(
	    "clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 5000\n"
	    "sampler 1\nthread 1 main 1\n"
	    "  main 1 1000000\n"
	    "    long 1000 100000000\nseen 50 0 0 1000000\naway 0 0 10000000 3\n"
	    "    short 10000000 600000000\nseen 40 0 400 1000000\n");
	assert_near(ns_of("long"), 90e6, 0.2e6);
	assert_true(ns_of("short") >= 40e6 && ns_of("short") < 40e6 + 1e7 * 20);
	load_free(&load);
	load_text(
	    "clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 5000\n"
	    "thread 1 main 1\n"
	    "  main 1 1000000\n"
	    "    short 10000000 600000000\n");
	assert_near(ns_of("short"), 600e6 - 1e7 * 30, 1);
	load_free(&load);
}

/* Other processes' time on the processor does not make a stretch long. */
static void other_processes_make_no_stretch_long(void **state)
{
	(void)state;
	load_text(
	    "clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 5000\n"
	    "sampler 1\nthread 1 main 1\n"
	    "  main 1 1000000\n"
	    "    f 1000000 3100000000\nseen 100 0 50 1000000\naway 0 0 3000000000 9\n");
	assert_true(ns_of("f") >= 100e6);
	load_free(&load);
}

/* With a timer, others' time is read when a sample comes. Without a sample, it may belong to a
 * neighbour. */
static void time_of_others_without_a_sample_is_doubtful(void **state)
{
	(void)state;
	load_text("clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 0\n"
		  "sampler 3\nthread 1 main 1\n"
		  "  main 1 1000000\n"
		  "    f 1 70000000\nseen 0 0 0 0 60000000\naway 0 0 18000000 9\n");
	struct cost f = self_of("f");
	assert_near(f.ns, 52e6, 1e3);
	assert_true(cost_self_bar(&f) >= 18e6);
	load_free(&load);
}

/* Samples of more time than the clock leaves it: some of others' time passed in a neighbour. */
static void time_of_others_that_samples_contradict_is_doubtful(void **state)
{
	(void)state;
	load_text("clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 0\n"
		  "sampler 3\nthread 1 main 1\n"
		  "  main 1 1000000\n"
		  "    f 1 550000000\nseen 37 0 0 4000000\naway 0 0 900000000 9\n"
		  "    g 1 10000\nseen 1 0 0 4000000\n");
	struct cost f = self_of("f"), g = self_of("g");
	assert_near(f.ns, -350e6, 1e3);
	assert_true(cost_self_bar(&f) >= 498e6);
	assert_true(cost_self_bar(&g) <= 1e3);
	load_free(&load);
}

/* Compilers do less around hooks: the doubt about that is in totals as in self times. */
static void totals_have_the_errors_of_their_parts(void **state)
{
	(void)state;
	load_text(COUNTED("20000") "sampler 1\nthread 1 main 1\n"
				   "  main 1 0\n"
				   "    f 100000000 0\nseen 1000 0 2000 1000000\n");
	struct cost f = self_of("f");
	assert_true(f.all_error_ns >= 0.45e9 && f.error_ns >= f.all_error_ns);
	load_free(&load);
}

/* A share's error has that of its own time and those of the others. */
static void a_share_has_the_errors_of_all(void **state)
{
	(void)state;
	assert_near(cost_share_bar(90, 10, 100, 15), 0.1 * 0.10 + 0.9 * 0.05, 1e-9);
	assert_near(cost_share_bar(100, 10, 100, 10), 0, 1e-9);
	assert_near(cost_share_bar(1, 1, 100, 1), 0.0099, 1e-9);
}

/* A bar that reaches beyond zero and beyond the whole ends at the farther one of the two. */
static void bars_end_where_times_are_impossible(void **state)
{
	(void)state;
	static const struct {
		double ns, bias, variance, whole, bar;
	} cases[] = {
	    {50, 60, 0, 100, 50},   {90, 60, 0, 100, 60},           {90, 95, 0, 100, 90},
	    {10, 95, 0, 100, 90},   {-10, 200, 0, 100, 110},        {50, 30, 2500, 100, 50},
	    {50, 60, 400, 100, 50}, {50, 30, 100, 100, sqrt(1300)}, {50, 60, 0, 0, 60}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cost c = {.ns = cases[i].ns,
				 .error_ns = cases[i].bias,
				 .all_error_ns = cases[i].bias,
				 .variance = cases[i].variance};
		cost_cut_bars(&c, cases[i].whole);
		assert_near(cost_self_bar(&c), cases[i].bar, 1e-9);
		assert_near(cost_total_bar(&c), cases[i].bar, 1e-9);
		assert_near(c.ns, cases[i].ns, 0);
	}
}

/* Between short and long there is no step: for a little longer the clock counts a little more. */
static void there_is_no_step_between_short_and_long(void **state)
{
	(void)state;
	char text[512];
	double before = 0;
	for (int ns = 200; ns < 3000; ns += 50) {
		snprintf(
		    text, sizeof text,
		    "clock tsc 1000000000\nmode exact\nflags finished fentry\nhooks 30000 20000 0\n"
		    "sampler 1\nthread 1 main 1\n"
		    "  main 1 0\n    f 100000 %d\nseen %d 0 5 1000000\n",
		    ns * 100000, ns * 100000 / 1000000);
		load_text(text);
		double now = ns_of("f") / 1e5;
		assert_true(now > before && now < before + (before > 0 ? 90 : 1e9));
		before = now;
		load_free(&load);
	}
}

/* A merged profile's record has room for 32 bits of samples: more are as many as fit, not few. */
static void more_samples_than_fit_a_record_are_not_few(void **state)
{
	(void)state;
	static const struct {
		int64_t samples, kept;
	} cases[] = {{0, 0},
		     {7, 7},
		     {UINT32_MAX, UINT32_MAX},
		     {(int64_t)UINT32_MAX + 1, UINT32_MAX},
		     {INT64_MAX, UINT32_MAX},
		     {-1, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cost c = {.ns = 3, .samples = cases[i].samples};
		struct zprof_cost record = cost_to_record(&c, 5);
		assert_true(cost_of_record(&record).samples == cases[i].kept);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(samples_in_the_program_count),
	    cmocka_unit_test(samples_cost_something_too),
	    cmocka_unit_test(samples_cost_where_they_are_taken),
	    cmocka_unit_test(waits_are_added),
	    cmocka_unit_test(few_samples_have_wide_bars),
	    cmocka_unit_test(calls_get_back_what_they_hide),
	    cmocka_unit_test(calls_that_may_overlap_are_uncertain),
	    cmocka_unit_test(entries_hide_by_their_own_price),
	    cmocka_unit_test(setting_up_a_hook_is_subtracted),
	    cmocka_unit_test(long_stretches_are_the_clocks),
	    cmocka_unit_test(other_processes_make_no_stretch_long),
	    cmocka_unit_test(time_of_others_without_a_sample_is_doubtful),
	    cmocka_unit_test(time_of_others_that_samples_contradict_is_doubtful),
	    cmocka_unit_test(totals_have_the_errors_of_their_parts),
	    cmocka_unit_test(a_share_has_the_errors_of_all),
	    cmocka_unit_test(bars_end_where_times_are_impossible),
	    cmocka_unit_test(there_is_no_step_between_short_and_long),
	    cmocka_unit_test(more_samples_than_fit_a_record_are_not_few),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
