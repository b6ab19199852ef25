/* SPDX-License-Identifier: MIT */
/* report_names.c - long C++ names in few columns, each still telling which function it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/core/names/short_name.h"

static void forms(void **unused)
{
	static const struct {
		const char *name;
		int room;
		const char *form;
	} cases[] = {
	    {"main", 2, "main"}, /* the caller cuts */
	    {"std::vector<int>::push_back(int const&)", 40,
	     "std::vector<int>::push_back(int const&)"},
	    {"std::vector<int>::push_back(int const&)", 34, "std::vector<int>::push_back(...)"},
	    {"std::vector<int>::push_back(int const&)", 32, "std::vector<int>::push_back(...)"},
	    {"std::vector<int>::push_back(int const&)", 31, "std::vector<...>::push_back"},
	    {"std::vector<int>::push_back(int const&)", 26, "vector<...>::push_back"},
	    {"std::vector<int>::push_back(int const&)", 12, "push_back"},
	    {"void sort<int*>(int*, int*)", 24, "sort<int*>(int*, int*)"},
	    {"std::map<int, A>& of<std::map<int, A> >(A)", 12, "of<...>(...)"},
	    {"a::b::operator<(a::b const&)", 14, "b::operator<"},
	    {"a::b::operator()(int) const", 13, "b::operator()"},
	    {"a::operator bool() const", 20, "a::operator bool"},
	    {"(anonymous namespace)::deep::f(int)", 12, "deep::f"},
	    {"a::size() const", 10, "a::size"},
	    {"non-virtual thunk to a::f(int)", 30, "non-virtual thunk to a::f(int)"},
	    {"f(int) [clone .constprop.0]", 10, "f"},
	    {"main::{lambda(int, int)#1}::operator()(int, int) const", 36,
	     "main::{lambda(...)#1}::operator()"},
	    {"main::{lambda(int, int)#1}::operator()(int, int) const", 30,
	     "{lambda(...)#1}::operator()"},
	    {"f(int)::local::g(int)", 20, "f(...)::local::g"},
	    {"<core::iter::Map<I, F> as Iterator>::next", 10, "next"},
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str s = {0};
		short_name_fit(&s, cases[i].name, NULL, cases[i].room);
		assert_string_equal(str_text(&s), cases[i].form);
		str_free(&s);
	}
}

/* Two names with the same short form differ where their full names do. */
static void apart(void **unused)
{
	struct str s = {0};
	(void)unused;
	short_name_fit(&s, "Json::Value::Value(std::string const&)", "Json::Value::Value(int)", 24);
	assert_string_equal(str_text(&s), "Value::Value~std::string const&)");
	short_name_fit(&s, "Json::Value::Value(int)", "Json::Value::Value(std::string const&)", 24);
	assert_string_equal(str_text(&s), "Value::Value~int)");
	str_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(apart)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
