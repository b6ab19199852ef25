/* SPDX-License-Identifier: MIT */
/* report_visible.c - which characters of a text are shown as they are, and which are escaped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "report/core/base/visible.h"

static void shown(void **unused)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
	    {"", ""},
	    {"plain ~!\\x1b", "plain ~!\\x1b"},
	    {"Größe 語 \xf0\x9f\x9a\x80", "Größe 語 \xf0\x9f\x9a\x80"},
	    {"\033[31m\a\r\n\t\x7f", "\\x1b[31m\\x07\\x0d\\x0a\\x09\\x7f"},
	    {"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009b\\u009f\xc2\xa0"},
	    {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\\u061c\\u200e\\u200f"},
	    {"\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9", "\\u202a\\u202e\\u2066\\u2069"},
	    {"\xe2\x80\xa8\xef\xbb\xbf\xe2\x80\x93", "\\u2028\\ufeff\xe2\x80\x93"},
	    {"\xf3\xa0\x81\x81", "\\ue0041"},
	    {"\x80\xff\xfe", "\\x80\\xff\\xfe"},
	    {"\xc3", "\\xc3"},
	    {"\xe2\x80", "\\xe2\\x80"},
	    {"\xe2\x80z", "\\xe2\\x80z"},
	    {"\xc0\x9b\xe0\x82\x9b", "\\xc0\\x9b\\xe0\\x82\\x9b"}, /* longer than necessary */
	    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                   /* half a pair */
	    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},          /* beyond Unicode */
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str s = {0};
		visible_add(&s, cases[i].text);
		assert_string_equal(str_text(&s), cases[i].shown);
		str_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shown)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
