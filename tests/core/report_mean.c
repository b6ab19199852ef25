/* SPDX-License-Identifier: MIT */
/* report_mean.c - means of samples and their error bars (report/compare/mean.h), worked out by hand. */
#include "report/compare/mean.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NEAR 0.001

static struct mean mean_of_values(const double *values, size_t count, size_t samples, double bar,
				  double variance)
{
	struct mean_sum sum = {0};
	for (size_t i = 0; i < count; i++) {
		struct mean_sample sample = {0};
		mean_measure(&sample, values[i], bar, variance, 1);
		mean_add(&sum, &sample);
	}
	return mean_of(&sum, samples);
}

static void a_mean_is_as_the_header_says(void **state)
{
	(void)state;
	struct mean m = mean_of_values((double[]){100, 104, 102}, 3, 3, 3, 1.25);
	assert_float_equal(m.value, 102, NEAR);
	assert_float_equal(m.bar, hypot(2, 4.303 * 2 / sqrt(3)), NEAR);
}

static void one_sample_keeps_its_bar(void **state)
{
	(void)state;
	struct mean m = mean_of_values((double[]){100}, 1, 1, 3, 0);
	assert_float_equal(m.value, 100, NEAR);
	assert_float_equal(m.bar, 3, NEAR);
	m = mean_of_values((double[]){100}, 1, 1, 3, 1);
	assert_float_equal(m.bar, 3, NEAR); /* in two parts, which add up to it */
}

static void equal_samples_have_no_noise(void **state)
{
	(void)state;
	double values[7];
	for (int i = 0; i < 7; i++)
		values[i] = 1e15 + 0.125;
	struct mean m = mean_of_values(values, 7, 7, 0, 0);
	assert_true(m.value == 1e15 + 0.125 && m.bar == 0);
}

static void a_sample_without_the_number_counts_as_zero(void **state)
{
	(void)state;
	struct mean m = mean_of_values((double[]){30, 60}, 2, 3, 0, 0);
	assert_float_equal(m.value, 30, NEAR);
	assert_float_equal(m.bar, 4.303 * 30 / sqrt(3), NEAR);
	m = mean_of(&(struct mean_sum){0}, 3);
	assert_true(m.value == 0 && m.bar == 0);
}

/* The quantiles of Student's t for 95 %, two-sided, beyond the table: 29 and 99 degrees of freedom. */
static void many_samples_have_the_normal_bar(void **state)
{
	(void)state;
	static const struct {
		size_t samples;
		double t;
	} of[] = {{30, 2.045}, {100, 1.984}};
	for (size_t i = 0; i < 2; i++) {
		double values[100], n = (double)of[i].samples;
		for (size_t k = 0; k < of[i].samples; k++)
			values[k] = k % 2 ? 11 : 9;
		struct mean m = mean_of_values(values, of[i].samples, of[i].samples, 0, 0);
		assert_float_equal(m.bar, of[i].t * sqrt(n / (n - 1) / n), 0.002);
	}
}

static void a_merged_profile_is_the_mean_of_its_runs(void **state)
{
	(void)state;
	struct mean_sample sample = {0};
	struct mean_sum sum = {0};
	mean_measure(&sample, 300, 6, 0, 1.0 / 3);
	mean_measure(&sample, 30, 3, 0, 1.0 / 3);
	mean_add(&sum, &sample);
	struct mean m = mean_of(&sum, 1);
	assert_float_equal(m.value, 110, NEAR);
	assert_float_equal(m.bar, 3, NEAR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_mean_is_as_the_header_says),
	    cmocka_unit_test(one_sample_keeps_its_bar),
	    cmocka_unit_test(equal_samples_have_no_noise),
	    cmocka_unit_test(a_sample_without_the_number_counts_as_zero),
	    cmocka_unit_test(many_samples_have_the_normal_bar),
	    cmocka_unit_test(a_merged_profile_is_the_mean_of_its_runs),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("mean", tests, NULL, NULL);
}
