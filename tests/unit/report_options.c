/* SPDX-License-Identifier: MIT */
/* report_options.c - options whose letter means something else to another command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "report/core/options/options.h"

#define SET_A (1u << 0)
#define SET_B (1u << 1)

/* The table of this test, in place of the commands'. */
const struct option_spec options_table[] = {
    {'o', "one", "TEXT", SET_A, NULL, {.text = offsetof(struct options, output)}, "for A"},
    {'o', "other", "NUMBER", SET_B, NULL, {.text = offsetof(struct options, average)}, "for B"},
    {0},
};

static void a_letter_is_the_commands_own(void **state)
{
	(void)state;
	struct options o;
	struct str err = {0};
	bool help;
	char name[] = "zprof", letter[] = "-o", value[] = "x",
	     *argv[] = {name, letter, value, NULL};
	assert_true(options_parse(&o, SET_A, 3, argv, &help, &err));
	assert_string_equal(o.output, "x");
	assert_null(o.average);
	options_free(&o);
	assert_true(options_parse(&o, SET_B, 3, argv, &help, &err));
	assert_string_equal(o.average, "x");
	assert_null(o.output);
	options_free(&o);
}

static void a_missing_value_is_named_as_the_command_has_it(void **state)
{
	(void)state;
	struct options o;
	struct str err = {0};
	bool help;
	char name[] = "zprof", letter[] = "-o", *argv[] = {name, letter, NULL};
	assert_false(options_parse(&o, SET_B, 2, argv, &help, &err));
	assert_string_equal(err.text, "option '--other' needs a value: NUMBER");
	options_free(&o);
	str_free(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_letter_is_the_commands_own),
	    cmocka_unit_test(a_missing_value_is_named_as_the_command_has_it),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
