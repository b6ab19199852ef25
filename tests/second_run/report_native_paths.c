/* SPDX-License-Identifier: MIT */
/*
 * report_native_paths.c - stacks are led to contexts: those of a drawing by hand, and stacks of random trees, of
 * which a slower search that shares no code tells which contexts fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "report/second_run/native_paths.h"

enum { MAIN = 1, AI, PHYSICS, CAST, MARCH, ZONES };

/* main > ai > cast > march, main > physics > cast > march; a zone without code around physics' cast. */
static struct native_context drawn[] = {
    {.parent = NATIVE_NO_CONTEXT},
    {.zone = MAIN, .parent = 0, .weight = 1},
    {.zone = AI, .parent = 1, .weight = 1},
    {.zone = CAST, .parent = 2, .weight = 1},
    {.zone = MARCH, .parent = 3, .weight = 3},
    {.zone = PHYSICS, .parent = 1, .weight = 2},
    {.parent = 5, .weight = 6},
    {.zone = CAST, .parent = 6, .weight = 1},
    {.zone = MARCH, .parent = 7, .weight = 1},
};
enum { IN_AI = 4, IN_PHYSICS = 8, COUNT = sizeof drawn / sizeof *drawn };

static struct native_paths paths;

static int begin(void **state)
{
	(void)state;
	native_paths_init(&paths, drawn, COUNT, ZONES);
	return 0;
}

static int end(void **state)
{
	(void)state;
	native_paths_free(&paths);
	return 0;
}

/* A stack, innermost first; the number of frames after which the context was known, 0: it was not. */
static int take(const uint32_t *zones, int count)
{
	int known = 0;
	for (int i = 0; i < count && !known; i++)
		if (native_paths_add(&paths, zones[i]))
			known = i + 1;
	assert_true(native_paths_end(&paths, false));
	return known;
}
#define TAKE(...)                                                                                  \
	take((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void walks_end_where_one_context_is_left(void **state)
{
	(void)state;
	assert_int_equal(3, TAKE(MARCH, CAST, AI, MAIN));
	assert_int_equal(3, TAKE(MARCH, CAST, PHYSICS, MAIN));
	assert_int_equal(1, TAKE(AI, MAIN));
	native_paths_share(&paths);
	assert_true(drawn[IN_AI].samples == 1 && drawn[IN_PHYSICS].samples == 1);
	assert_true(drawn[2].samples == 1 && drawn[IN_AI].divided == 0);
}

static void what_fits_several_is_divided_by_weight(void **state)
{
	(void)state;
	assert_int_equal(0, TAKE(MARCH, CAST));
	native_paths_share(&paths);
	assert_true(fabs(drawn[IN_AI].samples - 0.75) < 1e-12);
	assert_true(fabs(drawn[IN_PHYSICS].samples - 0.25) < 1e-12);
	assert_true(drawn[IN_AI].divided == drawn[IN_AI].samples);
}

static void a_function_that_left_the_stack_is_passed_over(void **state)
{
	(void)state;
	assert_int_equal(2, TAKE(MARCH, AI)); /* cast ended by jumping to march */
	native_paths_share(&paths);
	assert_true(drawn[IN_AI].samples == 1);
}

static void nothing_is_further_out_than_a_whole_stack(void **state)
{
	struct native_context c[] = {{.parent = NATIVE_NO_CONTEXT},
				     {.zone = CAST, .parent = 0, .weight = 1},
				     {.zone = AI, .parent = 0, .weight = 1},
				     {.zone = CAST, .parent = 2, .weight = 9}};
	(void)state;
	native_paths_init(&paths, c, 4, ZONES);
	for (int whole = 0; whole <= 1; whole++) {
		native_paths_add(&paths, CAST);
		assert_true(native_paths_end(&paths, whole));
	}
	native_paths_share(&paths);
	assert_true(fabs(c[1].samples - 1.1) < 1e-12 && fabs(c[3].samples - 0.9) < 1e-12);
	assert_true(fabs(c[1].divided - 0.1) < 1e-12);
	native_paths_free(&paths);
}

static void a_function_of_no_path_is_passed_over(void **state)
{
	(void)state;
	assert_int_equal(4, TAKE(MARCH, MARCH, CAST, PHYSICS, MAIN));
	native_paths_share(&paths);
	assert_true(drawn[IN_PHYSICS].samples == 1);
}

static void zones_without_code_share_their_functions_samples(void **state)
{
	(void)state;
	assert_int_equal(0, TAKE(PHYSICS, MAIN));
	native_paths_share(&paths);
	assert_true(fabs(drawn[5].samples - 0.25) < 1e-12);
	assert_true(fabs(drawn[6].samples - 0.75) < 1e-12);
}

static void what_is_dropped_or_unknown_counts_nowhere(void **state)
{
	(void)state;
	native_paths_add(&paths, AI);
	native_paths_drop(&paths);
	assert_false(native_paths_end(&paths, true));
	native_paths_share(&paths);
	for (int i = 0; i < COUNT; i++)
		assert_true(drawn[i].samples == 0);
}

/* ---- random trees */

enum { TREES = 300, MOST = 60, KINDS = 6, STACKS = 200 };

static unsigned seed;

static unsigned draw(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (unsigned)((uint64_t)(seed >> 8) * n >> 24);
}

static int make_tree(struct native_context *c)
{
	int count = 1;
	c[0] = (struct native_context){.parent = NATIVE_NO_CONTEXT};
	for (int tries = 0; tries < MOST - 1; tries++) {
		uint32_t parent = draw((unsigned)count), zone = draw(KINDS);
		bool there = false;
		for (int i = 1; i < count; i++)
			there |= c[i].parent == parent && c[i].zone == zone;
		if (!there)
			c[count++] = (struct native_context){
			    .zone = zone, .parent = parent, .weight = draw(4)};
	}
	return count;
}

/* The functions from a context outwards. */
static int stack_of(const struct native_context *c, uint32_t context, uint32_t *stack)
{
	int n = 0;
	for (; context != NATIVE_NO_CONTEXT; context = c[context].parent)
		if (c[context].zone)
			stack[n++] = c[context].zone;
	return n;
}

static bool begins_with(const uint32_t *path, int length, const uint32_t *stack, int n)
{
	for (int i = 0; i < n; i++)
		if (i >= length || path[i] != stack[i])
			return false;
	return true;
}

/* Contexts whose path begins with a stack, all of it: as many of them as the walk needed. */
static void expect(const struct native_context *c, int count, const uint32_t *stack, int n,
		   double *samples)
{
	uint32_t path[MOST];
	bool fits[MOST];
	double weights = 0;
	int all = count;
	for (int used = 1; used <= n && all > 1; used++) {
		all = 0;
		for (int i = 0; i < count; i++) {
			int length = stack_of(c, (uint32_t)i, path);
			fits[i] = begins_with(path, length, stack, used);
			all += fits[i];
		}
	}
	for (int i = 0; i < count; i++)
		weights += fits[i] ? c[i].weight : 0;
	for (int i = 0; i < count; i++)
		if (fits[i])
			samples[i] += weights > 0 ? c[i].weight / weights : 1.0 / all;
}

static void stacks_lead_to_every_context_that_fits(void **state)
{
	struct native_context c[MOST];
	uint32_t stack[MOST];
	(void)state;
	for (seed = 1; seed <= TREES; seed++) {
		unsigned start = seed;
		int count = make_tree(c), taken = 0;
		double expected[MOST] = {0}, sum = 0;
		native_paths_init(&paths, c, (size_t)count, KINDS);
		for (int i = 0; i < STACKS; i++) {
			int n = stack_of(c, draw((unsigned)count), stack);
			if (!n)
				continue;
			for (int k = 0; k < n && !native_paths_add(&paths, stack[k]); k++)
				;
			assert_true(native_paths_end(&paths, false));
			expect(c, count, stack, n, expected);
			taken++;
		}
		native_paths_share(&paths);
		for (int i = 0; i < count; i++) {
			assert_true(fabs(c[i].samples - expected[i]) < 1e-9);
			sum += c[i].samples;
		}
		assert_true(fabs(sum - taken) < 1e-6);
		native_paths_free(&paths);
		seed = start;
	}
}

int main(void)
{
#define DRAWN(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
	    DRAWN(walks_end_where_one_context_is_left),
	    DRAWN(what_fits_several_is_divided_by_weight),
	    DRAWN(a_function_that_left_the_stack_is_passed_over),
	    DRAWN(a_function_of_no_path_is_passed_over),
	    DRAWN(zones_without_code_share_their_functions_samples),
	    DRAWN(what_is_dropped_or_unknown_counts_nowhere),
	    cmocka_unit_test(nothing_is_further_out_than_a_whole_stack),
	    cmocka_unit_test(stacks_lead_to_every_context_that_fits),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
