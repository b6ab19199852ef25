/* SPDX-License-Identifier: MIT */
/* cxx_names.c - long C++ names in few columns, each still telling which function it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "report/core/base/text_width.h"
#include "report/cxx/library_name.h"
#include "report/cxx/plain_name.h"
#include "report/cxx/short_name.h"
#include "report/cxx/short_names.h"
#include "symbolize/demangle.h"

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
	    {"std::vector<int>::push_back(int const&)", 31, "std::vector<int>::push_back"},
	    {"std::vector<int>::push_back(int const&)", 26, "vector<...>::push_back"},
	    {"std::vector<int>::push_back(int const&)", 12, "push_back"},
	    {"void sort<int*>(int*, int*)", 24, "sort<int*>(int*, int*)"},
	    {"std::map<int, A>& of<std::map<int, A> >(A)", 12, "of<...>(A)"},
	    {"a::b::operator<(a::b const&)", 14, "b::operator<"},
	    {"a::b::operator()(int) const", 13, "b::operator()"},
	    {"a::operator bool() const", 20, "a::operator bool"},
	    {"(anonymous namespace)::deep::f(int)", 12, "deep::f"},
	    {"std::_Handler<void (int), main::{lambda(int)#1}>::_M_invoke(A const&)", 24,
	     "_Handler<...>::_M_invoke"},
	    {"std::_Handler<void (int), main::{lambda(int)#1}>::_M_invoke(A const&)", 18,
	     "_Handl~::_M_invoke"},
	    {"a::size() const", 10, "a::size"},
	    {"non-virtual thunk to a::f(int)", 30, "non-virtual thunk to a::f(int)"},
	    {"f(int) [clone .constprop.0]", 10, "f"},
	    {"main::{lambda(int, int)#1}::operator()(int, int) const", 36,
	     "main::{lambda(...)#1}::operator()"},
	    {"main::{lambda(int, int)#1}::operator()(int, int) const", 30,
	     "{lambda(...)#1}::operator()"},
	    {"f(int)::local::g(int)", 20, "f(int)::local::g"},
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
	assert_string_equal(str_text(&s), "Value::Value~std::string const&");
	short_name_fit(&s, "Json::Value::Value(int)", "Json::Value::Value(std::string const&)", 24);
	assert_string_equal(str_text(&s), "Json::Value::Value(int)");
	str_free(&s);
}

/* What is left out of any C++ name, however short it is. */
static void plain(void **unused)
{
	static const struct {
		const char *name, *form;
	} cases[] = {
	    {"std::vector<int, std::allocator<int> >::vector()", "std::vector<int>::vector()"},
	    {"std::pair<int, std::allocator<long> >::f()",
	     "std::pair<int, std::allocator<long>>::f()"},
	    {"std::map<A, B, std::less<A>, std::allocator<std::pair<A const, B> > >::size() const",
	     "std::map<A, B>::size() const"},
	    {"std::map<A, B, std::greater<A>, std::allocator<std::pair<A const, B> > >::size() const",
	     "std::map<A, B, std::greater<A>>::size() const"},
	    {"std::unordered_set<A, std::hash<A>, std::equal_to<A>, std::allocator<A> >::clear()",
	     "std::unordered_set<A>::clear()"},
	    {"std::unique_ptr<A, std::default_delete<A> >::~unique_ptr()",
	     "std::unique_ptr<A>::~unique_ptr()"},
	    {"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)",
	     "f(std::string)"},
	    {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::"
	     "~basic_string()",
	     "std::string::~string()"},
	    {"std::__1::vector<int, std::__1::allocator<int> >::clear()",
	     "std::vector<int>::clear()"},
	    {"fmt::v9::detail::count_digits(unsigned long)",
	     "fmt::detail::count_digits(unsigned long)"},
	    {"category::message[abi:cxx11](int) const", "category::message(int) const"},
	    {"void sort<int*>(int*, int*)", "sort<int*>(int*, int*)"},
	    {"decltype ((a)<(b)) ns::less<int, int>(int, int)", "ns::less<int, int>(int, int)"},
	    {"char __vector(4) ns::packet<char __vector(4)>(long) const",
	     "ns::packet<char __vector(4)>(long) const"},
	    {"main::{lambda()#1} const& std::get<0ul, main::{lambda()#1}>(int)",
	     "std::get<0, main::{lambda()#1}>(int)"},
	    {"void f(int) const::{lambda(int)#2}::operator()<int>(int) const",
	     "f(int) const::{lambda(int)#2}::operator()<int>(int) const"},
	    {"f(int)::operator()(int) const::g(int)", "f(int)::operator()(int) const::g(int)"},
	    {"bool operator< <int>(A<int> const&, A<int> const&)",
	     "operator< <int>(A<int> const&, A<int> const&)"},
	    {"bool ns::operator==<int, A<int> >(A<int>)", "ns::operator==<int, A<int>>(A<int>)"},
	    {"A::operator std::vector<int, std::allocator<int> >() const",
	     "A::operator std::vector<int>() const"},
	    {"void (*f<int>(int))(char)", "void (*f<int>(int))(char)"},
	    {"char const (&g<char const (&) [2]>(int)) [2]",
	     "char const (&g<char const (&) [2]>(int)) [2]"},
	    {"void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>(int)"},
	    {"non-virtual thunk to A::f(int)", "non-virtual thunk to A::f(int)"},
	    {"f(int) (open)", "f(int) (open)"},
	    {"main (open)", "main (open)"},
	    {"int f<int>(int)'2", "f<int>(int)'2"},
	    {"<a::Map<I, F> as Iterator>::next", "<a::Map<I, F> as Iterator>::next"},
	    {"f<", "f<"},
	    {"f)>(", "f)>("},
	    {"", ""},
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str s = {0};
		plain_name(&s, cases[i].name);
		assert_string_equal(plain_name_behind_type(str_text(&s)), cases[i].form);
		str_free(&s);
	}
}

static const struct {
	const char *linkage, *form;
} real[] = {
#define NAME(linkage, form) {linkage, form},
#include "tests/cxx/short_names.def"
};
#define REAL (sizeof real / sizeof *real)

static void real_names(void **unused)
{
	struct short_names_of names[REAL] = {{0}};
	struct intern strings = {0};
	size_t wide = 0;
	(void)unused;
	for (size_t i = 0; i < REAL; i++)
		names[i].name = demangle_name(&strings, real[i].linkage);
	short_names(names, REAL);
	for (size_t i = 0; i < REAL; i++) {
		assert_string_equal(names[i].shortened, real[i].form);
		wide += text_width(names[i].shortened) > SHORT_NAME_MOST;
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(names[i].shortened, names[k].shortened);
	}
	assert_int_equal(REAL, 100);
	assert_in_range(wide, 0, 10);
	for (size_t i = 0; i < REAL; i++)
		free(names[i].shortened);
	intern_fini(&strings);
}

static void internal_names(void **unused)
{
	static const char *const internal[] = {
	    "void std::vector<int, std::allocator<int> >::_M_realloc_insert<int>(int&&)",
	    "std::_Rb_tree<int, int>::~_Rb_tree()",
	    "std::__detail::_Hash_node<int>::_M_next() const",
	    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_create()",
	    "__gnu_cxx::__normal_iterator<int*, A>::operator*() const",
	    "std::__1::__tree<int>::destroy()",
	    "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke(std::_Any_data const&)",
	};
	static const char *const public[] = {
	    "std::vector<int, std::allocator<int> >::push_back(int&&)",
	    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()",
	    "std::__1::vector<int>::clear()",
	    "std::_V2::error_category::name()",
	    "std::_Select1st<int>* ns::f<int>(int)",
	    "std::vector<std::_Box>::vector(std::_Box const&)",
	    "std::operator==<_Box>(_Box)",
	    "my::_M_own()",
	    "__libc_start_main",
	    "_Znwm",
	    "main",
	};
	(void)unused;
	for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
		if (!library_internal(internal[i]))
			fail_msg("%s", internal[i]);
	for (size_t i = 0; i < sizeof public / sizeof *public; i++)
		if (library_internal(public[i]))
			fail_msg("%s", public[i]);
}

/* Names whose plain forms are alike, and a name that is not C++. */
static void alike(void **unused)
{
	struct short_names_of names[] = {
	    {.name = "fmt::v8::f()"},
	    {.name = "fmt::v9::f()"},
	    {.name = "int f<int>(int)"},
	    {.name = "long f<int>(int)"},
	    {.name = "a_long_namespace_to_fill_the_line::f<A<1, B>, C>(a_long_namespace::D, E)"},
	    {.name = "a_long_namespace_to_fill_the_line::f<A<2, B>, C>(a_long_namespace::D, E)"},
	    {.name = "a_long_namespace_to_fill_the_line::f<A<2, B>, C>(a_long_namespace::D, F)"},
	    {.name = "word [12] <of> a Forth", .as_is = true},
	    {.name = "main"},
	    {.name = "main"},
	};
	static const char *const forms[] = {
	    "fmt::v8::f()",
	    "fmt::v9::f()",
	    "int f<int>(int)",
	    "long f<int>(int)",
	    "a_long_namespace_to_fill_the_line::f<A<1, B>, C>(...)",
	    "a_long_namespace_to_fill_the_line::f<A<2, B>, C>(..., E)",
	    "a_long_namespace_to_fill_the_line::f<A<2, B>, C>(..., F)",
	    "word [12] <of> a Forth",
	    "main",
	    "main",
	};
	size_t count = sizeof names / sizeof *names;
	(void)unused;
	short_names(names, count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(names[i].shortened, forms[i]);
		free(names[i].shortened);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(forms), cmocka_unit_test(apart),
	    cmocka_unit_test(plain), cmocka_unit_test(real_names),
	    cmocka_unit_test(alike), cmocka_unit_test(internal_names)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
