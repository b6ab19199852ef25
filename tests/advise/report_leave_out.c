/* SPDX-License-Identifier: MIT */
/* report_leave_out.c - functions' names as gcc's -finstrument-functions-exclude-function-list sees
 * them (tests/advise/report-tune.sh compares with gcc itself). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/advise/leave_out.h"

static void assert_name(const char *demangled, const char *name)
{
	struct str s = {0};
	assert_true(leave_out_name(&s, demangled));
	assert_string_equal(s.text, name);
	str_free(&s);
}

static void names_lose_types_and_arguments(void **unused)
{
	(void)unused;
	assert_name("aim", "aim");
	assert_name("aim.constprop.0", "aim");
	assert_name("ns::A::get(int) const", "ns::A::get");
	assert_name("int ns::A::conv<int>(int)", "ns::A::conv");
	assert_name("P<3, int>::get(int)", "P::get");
	assert_name("std::map<int, std::vector<int, std::allocator<int> > >::at(int const&)",
		    "std::map::at");
	assert_name("std::pair<int, long> make<std::pair<int, long> >(int)", "make");
	assert_name("(anonymous namespace)::anon(int)", "{anonymous}::anon");
	assert_name("S::~S()", "S::~S");
	assert_name("(anonymous namespace)::f((anonymous namespace)::T const&, void (*)(int))",
		    "{anonymous}::f");
}

static void operators_keep_their_signs(void **unused)
{
	(void)unused;
	assert_name("S::operator()(int)", "S::operator()");
	assert_name("S::operator<(S const&) const", "S::operator<");
	assert_name("bool operator<< (S const&, int)", "operator<< ");
	assert_name("S::operator->()", "S::operator->");
	assert_name("std::vector<int>::operator[](unsigned long)", "std::vector::operator[]");
	assert_name("S::operator int()", "S::operator int");
}

static void functions_in_functions_have_no_name(void **unused)
{
	struct str s = {0};
	(void)unused;
	assert_false(leave_out_name(&s, "main::{lambda(int)#1}::operator()(int) const"));
	assert_false(leave_out_name(&s, "f(int)::Local::get()"));
	assert_false(leave_out_name(&s, ""));
	str_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_lose_types_and_arguments),
	    cmocka_unit_test(operators_keep_their_signs),
	    cmocka_unit_test(functions_in_functions_have_no_name),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
