/* SPDX-License-Identifier: MIT */
/* report_near.c - which names are meant by one that was not found: each once, the nearest first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "report/core/base/near.h"

static void suggested(void **unused)
{
	static const struct {
		const char *word, *tried[6][2], *text;
	} cases[] = {
	    {"normalise", {{"parse", "parse"}}, ""},
	    {"nromalise", {{"normalise", "c::normalise"}}, " (did you mean 'c::normalise'?)"},
	    /* A name with several forms is suggested once, at the distance of its nearest form. */
	    {"scan", {{"scna", "s"}, {"scan", "s"}}, " (did you mean 's'?)"},
	    {"scan", {{"scan", "s"}, {"scna", "s"}}, " (did you mean 's'?)"},
	    {"scanner",
	     {{"scanneee", "far"}, {"scannex", "near"}, {"scanner", "far"}},
	     " (did you mean 'far' or 'near'?)"},
	    /* Three are suggested, whatever the order they come in. */
	    {"scanner",
	     {{"scannexy", "b"}, {"scannerx", "a"}, {"scannexy", "c"}, {"scannexy", "d"}},
	     " (did you mean 'a', 'b' or 'c'?)"},
	    {"scanner",
	     {{"scannexy", "b"}, {"scannexy", "c"}, {"scannexy", "d"}, {"scannerx", "a"}},
	     " (did you mean 'a', 'b' or 'c'?)"},
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct near n;
		struct str to = {0};
		near_init(&n, cases[i].word);
		for (size_t k = 0; k < 6 && cases[i].tried[k][0]; k++)
			near_try(&n, cases[i].tried[k][0], cases[i].tried[k][1]);
		near_add(&n, &to);
		assert_string_equal(str_text(&to), cases[i].text);
		str_free(&to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(suggested),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
