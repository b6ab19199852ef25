/* SPDX-License-Identifier: MIT */
/* report_patterns.c - what patterns match, and which are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "report/core/pattern/pattern.h"

static bool matches(const char *pattern, const struct pattern_subject *s)
{
	struct patterns p = {0};
	struct str err = {0};
	if (!pattern_list_add_prefixed(&p, pattern, &err))
		fail_msg("'%s': %s", pattern, str_text(&err));
	bool yes = pattern_matches(&p.list[0], s);
	pattern_list_free(&p);
	str_free(&err);
	return yes;
}

static const struct pattern_subject cpp = {"ns::scan(int (*)(char), long) const",
					   "_ZNK2ns4scanEPFicEl", "/home/u/proj/src/scan_a.cc",
					   "/usr/lib/libscan.so.2", 0x1234};

static void functions(void **unused)
{
	const struct pattern_subject anonymous = {"(anonymous namespace)::go", "", "", "", 0};
	const struct pattern_subject call = {"op::operator()(int)", "", "", "", 0};
	const struct pattern_subject words = {"2DUP", "2DUP", "", "", 0};
	(void)unused;
	assert_true(matches("ns::scan", &cpp));
	assert_true(matches("ns::*", &cpp));
	assert_true(matches("_ZNK2ns*", &cpp));
	assert_true(matches("ns::scan(int (\\*)(char), long) const", &cpp));
	assert_true(matches("/::sc[a-z]n/", &cpp));
	assert_true(matches("/^ns::(scan|parse)/", &cpp));
	assert_true(matches("func:ns::scan", &cpp));
	assert_true(matches("scan", &cpp));
	assert_true(matches("sc*n", &cpp));
	assert_true(matches("scan(*long) const", &cpp));
	assert_false(matches("can", &cpp));
	assert_false(matches("ns", &cpp));
	assert_false(matches("/^scan/", &cpp));
	assert_true(matches("(anonymous namespace)::go", &anonymous));
	assert_false(matches("(anonymous namespace)", &anonymous));
	assert_true(matches("go", &anonymous));
	assert_true(matches("op::operator()", &call));
	assert_true(matches("operator()", &call));
	assert_true(matches("2DUP", &words));
	assert_true(matches("?DUP", &words));
}

static void templates(void **unused)
{
	const struct pattern_subject f = {
	    "std::map<ns::A, int>* ns::Grid<ns::B>::walk<long>(ns::C::D const&)", "_Z1", "", "", 0};
	const struct pattern_subject shift = {"ns::operator<< <int>(ns::A)", "_Z2", "", "", 0};
	const struct pattern_subject arrow = {"ns::Ptr<A>::operator->() const", "_Z3", "", "", 0};
	const struct pattern_subject lambda = {
	    "ns::run(int)::{lambda(ns::A)#1}::operator()(ns::A) const", "_Z4", "", "", 0};
	const struct pattern_subject version = {
	    "void fmt::v9::put<char>(std::vector<int, std::allocator<int> >)", "_Z5", "", "", 0};
	const struct pattern_subject by_hand = {"load the level", "load the level", "", "", 0};
	(void)unused;
	assert_true(matches("walk", &f));
	assert_true(matches("walk<long>", &f));
	assert_true(matches("ns::Grid<ns::B>::walk", &f));
	assert_true(matches("Grid<*>::walk", &f));
	assert_false(matches("D const&)", &f));
	assert_false(matches("B>::walk", &f));
	assert_false(matches("A, int>*", &f));
	assert_true(matches("operator<<*", &shift));
	assert_true(matches("operator->", &arrow));
	assert_false(matches("A>::operator->", &arrow));
	assert_true(matches("operator()", &lambda));
	assert_true(matches("{lambda(ns::A)#1}::operator()", &lambda));
	assert_false(matches("A", &lambda));
	assert_true(matches("fmt::v9::put", &version));
	assert_true(matches("fmt::put", &version));
	assert_true(matches("fmt::put<char>(std::vector<int>)", &version));
	assert_false(matches("fmt::put(std::vector<int>)", &version));
	assert_true(matches("load the level", &by_hand));
	assert_false(matches("level", &by_hand));
}

static void paths(void **unused)
{
	(void)unused;
	assert_true(matches("file:scan_a.cc", &cpp));
	assert_true(matches("file:src/scan*.cc", &cpp));
	assert_true(matches("file:/home/u/*", &cpp));
	assert_true(matches("file:/scan_.\\.cc$/", &cpp));
	assert_false(matches("file:can_a.cc", &cpp));
	assert_true(matches("module:libscan.so*", &cpp));
	assert_false(matches("module:libscan", &cpp));
	const struct pattern_subject method = {"file::open", "", "", "", 0};
	assert_true(matches("file::open", &method));
}

static void ranges(void **unused)
{
	(void)unused;
	assert_true(matches("addr:libscan.so.2:0x1234-0x1235", &cpp));
	assert_true(matches("addr:libscan.so*:0x1000-0x2000", &cpp));
	assert_false(matches("addr:libscan.so.2:0x1000-0x1234", &cpp));
	assert_false(matches("addr:other.so:0x1000-0x2000", &cpp));
}

static void nonsense_is_refused(void **unused)
{
	static const char *const bad[] = {
	    "", "/(/", "addr:x", "addr:x:1", "addr:x:0x20-0x10", "addr:x:0x10-0x20z"};
	(void)unused;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct patterns p = {0};
		struct str err = {0};
		assert_false(pattern_list_add_prefixed(&p, bad[i], &err));
		assert_true(err.used > 5);
		assert_int_equal(p.count, 0);
		pattern_list_free(&p);
		str_free(&err);
	}
}

/* Each is refused; otherwise compiling them would take minutes and more memory than there is. */
static void costly_expressions_are_refused(void **unused)
{
	static const char *const bad[] = {
	    "/((((a{1,100}){1,100}){1,100}){1,100})/",
	    "/(((((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)/",
	    "/([[:alpha:]{]{90}){90}/",
	    "/([]{1}]{50}x{50}){90}/",
	    "/a{1,1001}/",
	    "/((a{500,}){500,}){500,}/",
	    "/(a*)*\\1/",
	};
	(void)unused;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct patterns p = {0};
		struct str err = {0};
		assert_false(pattern_list_add_prefixed(&p, bad[i], &err));
		assert_non_null(strstr(str_text(&err), "bad regular expression"));
		str_free(&err);
	}
}

/* Parentheses without end are refused before they are followed. */
static void deep_expressions_are_refused(void **unused)
{
	static char deep[1000003];
	struct patterns p = {0};
	struct str err = {0};
	(void)unused;
	memset(deep, '(', sizeof deep - 1);
	deep[0] = deep[sizeof deep - 2] = '/';
	assert_false(pattern_list_add(&p, PATTERN_FUNC, deep, &err));
	assert_true(err.used < 200);
	str_free(&err);
}

static void usual_expressions_are_accepted(void **unused)
{
	const struct pattern_subject s = {"a{1}b]c", "", "", "", 0};
	(void)unused;
	assert_true(matches("/^a\\{1}b[]]c$/", &s));
	assert_true(matches("/^[[:alpha:]_]{1,64}[{][0-9]+[}]/", &s));
	assert_true(matches("/^((a|b){0,10}.*){0,20}/", &s));
	assert_true(matches("/^a[^]x[.-.]]1/", &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions),
	    cmocka_unit_test(templates),
	    cmocka_unit_test(paths),
	    cmocka_unit_test(ranges),
	    cmocka_unit_test(nonsense_is_refused),
	    cmocka_unit_test(costly_expressions_are_refused),
	    cmocka_unit_test(deep_expressions_are_refused),
	    cmocka_unit_test(usual_expressions_are_accepted),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
