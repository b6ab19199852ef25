/* SPDX-License-Identifier: MIT */
/* report_options.c - tables of options within tables, and what the words of a command are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/options/options.h"

struct own {
	bool flag;
	const char *text;
};

static bool take_maybe(struct options *o, const char *value, struct str *err)
{
	((struct own *)o->own)->text = value ? value : "nothing";
	return !value || strcmp(value, "bad") || str_fail(err, "--maybe is not 'bad'");
}

static const struct option_spec inner[] = {
    {0, "json", NULL, NULL, OPTION_FLAG(json), "in a table"},
    {0, "since", "FILE", "Second", OPTION_TEXT(since), "under a heading"},
    OPTIONS_END,
};

static const struct option_spec lent[] = {
    {0, "waits", NULL, NULL, OPTION_FLAG(waits), "a feature's"},
    OPTIONS_END,
};

static const struct option_spec *lent_at(size_t i)
{
	return i < 1 ? lent : NULL;
}

static const struct option_spec table[] = {
    {'o', "output", "FILE", NULL, OPTION_TEXT(output), "kept"},
    OPTIONS_UNDER("First", inner),
    {'x', "own_flag", NULL, NULL, OPTION_OWN_FLAG(own, flag), "the command's own"},
    {0, "maybe", NULL, NULL, OPTION_MAYBE(take_maybe), "with a value, or without"},
    OPTIONS_OF_EACH(lent_at),
    {'h', "help", NULL, NULL, OPTION_HELP, "asks"},
    OPTIONS_END,
};

static char line[200];
static struct str err;
static struct own own;
static struct options o;

/* Parses WORDS, which spaces divide. */
static bool parse(enum option_words words, const char *text)
{
	static char *argv[20];
	int argc = 0;
	strcpy(line, text);
	for (char *at = strtok(line, " "); at; at = strtok(NULL, " "))
		argv[argc++] = at;
	argv[argc] = NULL;
	own = (struct own){0};
	o = (struct options){.own = &own};
	str_clear(&err);
	return options_parse(&o, table, words, argc, argv, &err);
}

static void a_table_stands_for_its_rows(void **state)
{
	(void)state;
	static const char *const names[] = {"output", "json",  "since", "own_flag",
					    "maybe",  "waits", "help"},
				 *const headings[] = {"",       "First",  "Second", "Second",
						      "Second", "Second", "Second"};
	struct option_row *rows = options_flatten(table);
	for (size_t i = 0; i < 7; i++) {
		assert_string_equal(rows[i].option->name, names[i]);
		assert_string_equal(rows[i].heading, headings[i]);
	}
	assert_null(rows[7].option);
	free(rows);
}

static void each_does_what_its_row_says(void **state)
{
	(void)state;
	assert_true(
	    parse(WORDS_ANYWHERE, "zprof a -o x --json b --own-flag --waits --maybe=some c"));
	assert_string_equal(o.output, "x");
	assert_true(o.json && o.waits && own.flag && !o.help);
	assert_string_equal(own.text, "some");
	assert_int_equal(o.path_count, 3);
	assert_true(parse(WORDS_ANYWHERE, "zprof --maybe a --own_flag"));
	assert_string_equal(own.text, "nothing");
	assert_true(own.flag);
	assert_true(parse(WORDS_ANYWHERE, "zprof -xh --since"));
	assert_true(own.flag && o.help);
}

static void errors_name_the_option(void **state)
{
	(void)state;
	static const char *const wrong[][2] = {
	    {"zprof --since", "option '--since' needs a value: FILE"},
	    {"zprof -o", "option '--output' needs a value: FILE"},
	    {"zprof --json=1", "option '--json=1' takes no value"},
	    {"zprof --waits=1", "option '--waits=1' takes no value"},
	    {"zprof -q", "unknown option '-q'"},
	    {"zprof --sinse=1", "unknown option '--sinse=1' (did you mean '--since'?)"},
	    {"zprof --maybe=bad", "--maybe is not 'bad'"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(parse(WORDS_ANYWHERE, wrong[i][0]));
		assert_string_equal(err.text, wrong[i][1]);
	}
}

static void words_are_what_the_command_says(void **state)
{
	(void)state;
	assert_true(parse(WORDS_PROGRAM, "zprof --json prog -o x"));
	assert_int_equal(o.path_count, 3);
	assert_string_equal(o.paths[1], "-o");
	assert_true(parse(WORDS_OR_PROGRAM, "zprof a -- prog --json"));
	assert_int_equal(o.path_count, 1);
	assert_string_equal(o.program[1], "--json");
	assert_true(parse(WORDS_OR_PROGRAM, "zprof a --"));
	assert_null(o.program);
	assert_true(parse(WORDS_SIDES, "zprof a -- b --json"));
	assert_int_equal(o.path_count, 3);
	assert_true(options_is_between(o.paths[1]) && o.json);
	assert_true(parse(WORDS_ANYWHERE, "zprof a -- --json"));
	assert_string_equal(o.paths[1], "--json");
	assert_false(o.json);
}

static int free_message(void **state)
{
	(void)state;
	str_free(&err);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_table_stands_for_its_rows),
	    cmocka_unit_test(each_does_what_its_row_says),
	    cmocka_unit_test(errors_name_the_option),
	    cmocka_unit_test(words_are_what_the_command_says),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, free_message);
}
