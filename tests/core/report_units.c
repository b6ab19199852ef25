/* SPDX-License-Identifier: MIT */
/* report_units.c - numbers are printed as people read them: fitting units, three digits, thousands
 * separated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "report/core/base/units.h"

static void times(void **unused)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {-5, "0"},
	    {0.001, "0"},
	    {0.25, "0.25 ns"},
	    {7.5, "7.50 ns"},
	    {9.994, "9.99 ns"},
	    {9.996, "10.0 ns"},
	    {99.94, "99.9 ns"},
	    {99.96, "100 ns"},
	    {999.4, "999 ns"},
	    {999.6, "1.00 us"},
	    {12345, "12.3 us"},
	    {999499.0, "999 us"},
	    {999501.0, "1.00 ms"},
	    {2240000000.0, "2.24 s"},
	    {3723e9, "3,723 s"},
	    {5e27, "1,000,000,000,000,000,000 s"},
	};
	char text[UNITS_TEXT];
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_time(text, cases[i].ns, false), cases[i].text);
	assert_string_equal(units_time(text, 1234567, true), "1,234,567");
	assert_string_equal(units_time(text, -1, true), "0");
	assert_string_equal(units_time(text, 0.0 / 0.0, false), "0");
}

static void counts(void **unused)
{
	char text[UNITS_TEXT];
	(void)unused;
	assert_string_equal(units_count(text, 0), "0");
	assert_string_equal(units_count(text, 999), "999");
	assert_string_equal(units_count(text, 1000), "1,000");
	assert_string_equal(units_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(units_of(text, 0, "sample"), "0 samples");
	assert_string_equal(units_of(text, 1, "sample"), "1 sample");
	assert_string_equal(units_of(text, 1620, "process"), "1,620 processes");
	assert_string_equal(units_of(text, UINT64_MAX, "execution"),
			    "18,446,744,073,709,551,615 executions");
	assert_string_equal(units_digits(text, 0.984), "0.98");
	assert_string_equal(units_digits(text, 16.21), "16.2");
	assert_string_equal(units_digits(text, 999.4), "999");
	assert_string_equal(units_digits(text, 999.6), "1,000");
	assert_string_equal(units_digits(text, 1623.7), "1,620");
	assert_string_equal(units_digits(text, 98765432), "98,800,000");
}

static void bounds(void **unused)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
	    {0, "0"},           {-5, "0"},
	    {0.001, "<0.1 ns"}, {0.3, "<0.3 ns"},
	    {0.31, "<0.4 ns"},  {0.95, "<1 ns"},
	    {1, "<1 ns"},       {8.99, "<9 ns"},
	    {9.01, "<10 ns"},   {811, "<900 ns"},
	    {901, "<1 us"},     {1000, "<1 us"},
	    {2300000, "<3 ms"}, {20000000, "<20 ms"},
	    {950e6, "<1 s"},    {1234e9, "<2,000 s"},
	};
	char text[UNITS_TEXT];
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_below(text, cases[i].ns, false), cases[i].text);
	assert_string_equal(units_below(text, 1234, true), "<2,000");
	assert_string_equal(units_below(text, 0.0 / 0.0, false), "0");
	assert_string_equal(units_percent_below(text, 1, 3), "<40");
	assert_string_equal(units_percent_below(text, 1, 1e6), "<0.1");
	assert_string_equal(units_percent_below(text, 0.41, 100), "<0.5");
	assert_string_equal(units_percent_below(text, 4, 3), "<100");
	assert_string_equal(units_percent_below(text, 1, 0), "<100");
	assert_string_equal(units_percent_below(text, -1, 3), "0.0");
}

static void the_rest(void **unused)
{
	char text[UNITS_TEXT];
	(void)unused;
	assert_string_equal(units_percent(text, 1, 3), "33.3");
	assert_string_equal(units_percent(text, 1, 0), "0.0");
	assert_string_equal(units_percent(text, -1, 3), "0.0");
	assert_string_equal(units_percent(text, 4, 3), "100.0");
	assert_string_equal(units_bar(text, 84e6, 593e6), "84");
	assert_string_equal(units_bar(text, 0.236e9, 1.24e9), "0.24");
	assert_string_equal(units_bar(text, 5.04e6, 8.66e6), "5.0");
	assert_string_equal(units_bar(text, 54.7e6, 64.2e6), "55");
	assert_string_equal(units_bar(text, 9.96e6, 64.2e6), "10");
	assert_string_equal(units_bar(text, 0.2e6, 64.2e6), "0.2");
	assert_string_equal(units_bar(text, 0.04e6, 64.2e6), "<0.1");
	assert_string_equal(units_bar(text, 1e5, 181e6), "<1");
	assert_string_equal(units_bar(text, 2e9, 12e6), "2000");
	assert_string_equal(units_bar(text, 30, 999.6), "0.03");
	assert_string_equal(units_bar(text, 4e9, 5000e9), "4");
	assert_string_equal(units_bar(text, 0, 1000), "");
	assert_string_equal(units_bytes(text, 4096), "4,096 bytes");
	assert_string_equal(units_bytes(text, 12300000), "12.3 MB");
	assert_string_equal(units_bytes(text, 9999499), "9,999 kB");
	assert_string_equal(units_bytes(text, 9999500), "10.0 MB");
	assert_string_equal(units_rate(text, 2.5961e9), "2.596 GHz");
	assert_string_equal(units_rate(text, 1e6), "1.000 MHz");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(times),
	    cmocka_unit_test(counts),
	    cmocka_unit_test(bounds),
	    cmocka_unit_test(the_rest),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
