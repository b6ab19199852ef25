/* SPDX-License-Identifier: MIT */
/* report_lengthened.c - the error bars of waits, on numbers that are made up (times/lengthened.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/load/load.h"
#include "report/core/times/cost_record.h"
#include "report/core/times/lengthened.h"
#include "report/core/times/measure.h"
#include "tests/core/profile_loaded.h"

static struct load load;

static void load_text(const char *text)
{
	load_init(&load, false);
	profile_loaded(&load, text);
}

/* The sum over a zone's contexts in one thread; -1: in all. */
static struct cost cost_in(const char *name, int thread)
{
	struct cost sum = {0};
	for (size_t i = 0; i < load.tree.count; i++) {
		const struct node *n = &load.tree.nodes[i];
		if (n->zone && !strcmp(load.zones.list[n->zone].name, name) &&
		    (thread < 0 || n->thread == (uint32_t)thread))
			cost_add(&sum, &n->self);
	}
	return sum;
}

static double lengthened(const char *name)
{
	return cost_in(name, -1).lengthened_ns;
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1)
		fail_msg("%f is not %f, within 1", a, b);
}

/* ---- the model alone */

/* share = (3 + 0.5) / (3 + 1); 4 s ran and 2 s stood by. */
static const struct lengthened_by busy = {
    .hooks_ns = 3e9, .program_ns = 1e9, .doubt_ns = 0.5e9, .stood_ns = 2e9};

static void the_bound_is_the_hooks_of_others(void **state)
{
	(void)state;
	assert_near(lengthened_ns(100e9, 0, &busy), 0.875 * 6e9);
}

static void each_wait_may_be_the_hooks_making(void **state)
{
	(void)state;
	assert_near(lengthened_ns(100e9, 1000, &busy), 0.875 * 6e9 + 0.875 * 1e9);
	assert_near(lengthened_ns(100e9, 1e9, &busy), 0.875 * 6e9 + 0.875 * 100e9);
}

static void a_thousandth_of_the_wait_is_left(void **state)
{
	(void)state;
	double most = lengthened_ns(1e9, 1, &busy);
	assert_near(most, 0.999e9);
	assert_false(cost_is_bound(1e9, most));
}

static void without_hooks_and_doubts_waits_are_exact(void **state)
{
	(void)state;
	struct lengthened_by calm = {.program_ns = 5e9, .stood_ns = 3e9};
	assert_true(lengthened_ns(1e9, 9, &calm) == 0);
	assert_true(lengthened_ns(1e9, 9, &(struct lengthened_by){0}) == 0);
}

/* Estimates may come out below zero. */
static void times_below_zero_are_none(void **state)
{
	(void)state;
	struct lengthened_by hooks = {.hooks_ns = 2e9, .program_ns = -1e9, .doubt_ns = 1e9};
	assert_near(lengthened_ns(10e9, 0, &hooks), 2e9);
	hooks = (struct lengthened_by){.hooks_ns = -1e9, .program_ns = 2e9, .stood_ns = -1};
	assert_true(lengthened_ns(10e9, 5, &hooks) == 0);
}

static void doubts_are_no_more_than_the_program(void **state)
{
	(void)state;
	struct lengthened_by by = {.hooks_ns = 1e9, .program_ns = 1e9, .doubt_ns = 7e9};
	assert_near(lengthened_ns(10e9, 0, &by), 2e9);
}

static void threads_add_up_and_are_taken_off(void **state)
{
	(void)state;
	struct lengthened_by all = busy,
			     own = {.hooks_ns = 1, .program_ns = 2, .doubt_ns = 3, .stood_ns = 4};
	lengthened_add(&all, &own);
	struct lengthened_by others = lengthened_others(&all, &own);
	assert_memory_equal(&others, &busy, sizeof busy);
}

/* ---- profiles */

#define COUNTED "clock tsc 1000000000\nmode count\nflags finished fentry "
#define SAMPLED "\nhooks 0 0 0 0\nsampler 1\n"

/* Another thread with 3 s of hooks and 1 s of the program, of which 0.2 s are doubtful: it makes 400
 * calls for each of its samples, so its stretches are short. */
#define WORKER "thread 2 worker 1\n  work 1 0\n    step 4000000 0\nseen 1000 0 3000 1000000\n"

/* What the worker may have added to a long wait. */
static double added_by_worker(void)
{
	struct cost c = cost_in("step", -1);
	double share = (3e9 + c.all_error_ns) / (3e9 + c.cpu_ns);
	assert_true(c.all_error_ns > 0 && c.all_error_ns < c.cpu_ns);
	return share * (3e9 + c.cpu_ns);
}

static void a_thread_alone_has_exact_waits(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED "thread 1 main 1\n  main 1 0\naway 90000000000 2 0 0\n"
				  "    step 4000000 0\nseen 1000 0 3000 1000000\n");
	struct cost c = cost_in("main", -1);
	assert_true(c.lengthened_ns == 0 && c.wait_error_ns == 0);
	load_free(&load);
}

static void hooks_of_another_thread_lengthen_a_wait(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED "thread 1 main 1\n  main 1 0\naway 90000000000 0 0 0\n" WORKER);
	assert_near(lengthened("main"), added_by_worker());
	load_free(&load);
}

/* The worker waits for main, which has no hooks. */
static void own_hooks_lengthen_no_wait(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED "thread 1 main 1\n  main 1 0\n" WORKER
				  "away 90000000000 9 0 0\n");
	struct cost c = cost_in("step", -1);
	assert_true(c.wait_ns > 0 && c.lengthened_ns == 0);
	load_free(&load);
}

static void all_measures_but_the_processors_have_the_doubt(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED "thread 1 main 1\n  main 1 0\nseen 1000 0 0 1000000\n"
				  "away 90000000000 0 0 0\n" WORKER);
	struct cost c = cost_in("main", -1), cpu = measure_cost(TIME_CPU, &c);
	struct cost wait = measure_cost(TIME_WAIT, &c), wall = measure_cost(TIME_WALL, &c);
	assert_true(c.lengthened_ns > 1e9);
	assert_true(wait.ns == 90e9);
	assert_true(cost_self_bar(&wait) == c.lengthened_ns);
	assert_true(cost_total_bar(&wait) == c.lengthened_ns);
	assert_near(wall.error_ns - cpu.error_ns, c.lengthened_ns);
	assert_near(wall.all_error_ns - cpu.all_error_ns, c.lengthened_ns);
	assert_true(cpu.all_error_ns < 0.3e9);
	load_free(&load);
}

/* The contexts of a zone share what its waits in the thread may have; other zones have their own. */
static void contexts_share_the_doubt_of_their_zone(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED "thread 1 main 1\n  main 1 0\n"
				  "    take 1 0\naway 30000000000 0 0 0\n"
				  "    other 1 0\naway 50000000000 0 0 0\n"
				  "      take 1 0\naway 10000000000 0 0 0\n" WORKER);
	double most = added_by_worker();
	assert_near(lengthened("take"), most);
	assert_near(lengthened("other"), most);
	size_t contexts = 0;
	for (size_t i = 0; i < load.tree.count; i++) {
		const struct cost *c = &load.tree.nodes[i].self;
		if (c->wait_ns == 30e9 && ++contexts)
			assert_near(c->lengthened_ns, most * 3 / 4);
		if (c->wait_ns == 10e9 && ++contexts)
			assert_near(c->lengthened_ns, most / 4);
	}
	assert_int_equal(contexts, 2);
	load_free(&load);
}

/* Each thread's waits are bounded by all others' hooks. */
static void each_thread_has_a_bound_of_its_own(void **state)
{
	(void)state;
	load_text(COUNTED SAMPLED
		  "thread 1 main 1\n  main 1 0\n    take 1 0\naway 30000000000 0 0 0\n"
		  "thread 3 more 1\n  work 1 0\n    take 1 0\naway 40000000000 0 0 0\n" WORKER);
	double most = added_by_worker();
	assert_near(cost_in("take", 0).lengthened_ns, most);
	assert_near(cost_in("take", 1).lengthened_ns, most);
	assert_near(lengthened("take"), 2 * most);
	load_free(&load);
}

/* 202 is futex(2), 35 nanosleep(2), 0 read(2); -2 a page fault. Two waits have no name. */
static void sleeps_stay_exact_where_their_names_are_known(void **state)
{
	(void)state;
	load_text(COUNTED "offcpu" SAMPLED "thread 1 main 1\n  main 1 0\naway 95000000000 0 0 0\n"
			  "for 202 0x100 1 30000000000 1\n"
			  "for 35 0 0 20000000000 1\n"
			  "for 0 0 0 15000000000 1\n"
			  "for -2 0 0 10000000000 1\n" WORKER);
	double most = added_by_worker(), share = most / 4e9;
	assert_near(lengthened("[wait] lock 0x100"), most + share * 1e6);
	assert_near(lengthened("[wait] read"), most + share * 1e6);
	assert_true(cost_in("[wait] nanosleep", -1).wait_ns == 20e9);
	assert_true(lengthened("[wait] nanosleep") == 0);
	assert_true(cost_in("[wait] page fault or stop", -1).wait_ns == 10e9);
	assert_true(lengthened("[wait] page fault or stop") == 0);
	load_free(&load);
}

static void raw_times_have_no_doubt(void **state)
{
	(void)state;
	load_init(&load, true);
	profile_loaded(&load, COUNTED SAMPLED
		       "thread 1 main 1\n  main 1 0\naway 90000000000 0 0 0\n" WORKER);
	assert_true(lengthened("main") == 0);
	load_free(&load);
}

/* A merged profile keeps the doubt, in a record of the node's waits. */
static void records_keep_the_doubt(void **state)
{
	(void)state;
	struct cost c = {
	    .ns = 9, .cpu_ns = 4, .wait_ns = 5, .waits = 3, .variance = 2, .samples = 6};
	c.lengthened_ns = 2;
	c.wait_error_ns = 3;
	c.all_error_ns = 7;
	c.error_ns = 8;
	struct cost waits = cost_waits(&c), rest = c, sum = {0};
	cost_subtract(&rest, &waits);
	const struct cost *parts[] = {&rest, &waits};
	for (int i = 0; i < 2; i++) {
		struct zprof_cost record = cost_to_record(parts[i], 1);
		struct cost read = cost_of_record(&record);
		cost_add(&sum, &read);
	}
	assert_memory_equal(&sum, &c, sizeof c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_bound_is_the_hooks_of_others),
	    cmocka_unit_test(each_wait_may_be_the_hooks_making),
	    cmocka_unit_test(a_thousandth_of_the_wait_is_left),
	    cmocka_unit_test(without_hooks_and_doubts_waits_are_exact),
	    cmocka_unit_test(times_below_zero_are_none),
	    cmocka_unit_test(doubts_are_no_more_than_the_program),
	    cmocka_unit_test(threads_add_up_and_are_taken_off),
	    cmocka_unit_test(a_thread_alone_has_exact_waits),
	    cmocka_unit_test(hooks_of_another_thread_lengthen_a_wait),
	    cmocka_unit_test(own_hooks_lengthen_no_wait),
	    cmocka_unit_test(all_measures_but_the_processors_have_the_doubt),
	    cmocka_unit_test(contexts_share_the_doubt_of_their_zone),
	    cmocka_unit_test(each_thread_has_a_bound_of_its_own),
	    cmocka_unit_test(sleeps_stay_exact_where_their_names_are_known),
	    cmocka_unit_test(raw_times_have_no_doubt),
	    cmocka_unit_test(records_keep_the_doubt),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
