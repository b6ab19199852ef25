/* SPDX-License-Identifier: MIT */
/* Names as the linker has them and as the source has them; and the store of strings below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "symbolize/demangle.h"

static void assert_name(const char *linkage, const char *want)
{
	struct intern in = {0};

	assert_string_equal(demangle_name(&in, linkage), want);
	intern_fini(&in);
}

static void names_of_c_stay(void **state)
{
	(void)state;
	assert_name("main", "main");
	assert_name("_Zebra", "_Zebra");
	assert_name("_Rnot_rust", "_Rnot_rust");
	assert_name("", "");
	assert_name("a.b", "a.b");
	assert_name(".hidden", ".hidden");
	assert_name("memcpy.avx2", "memcpy.avx2");
}

static void names_of_cxx(void **state)
{
	(void)state;
	assert_name("_Z3fooi", "foo(int)");
	assert_name("_ZN3geo6square4areaEv", "geo::square::area()");
	assert_name("_ZNKSt6vectorIiSaIiEE4sizeEv",
		    "std::vector<int, std::allocator<int> >::size() const");
	assert_name("_ZN12_GLOBAL__N_16hiddenEi", "(anonymous namespace)::hidden(int)");
	assert_name("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const");
	assert_name("_ZTv0_n24_N5shapeD1Ev", "virtual thunk to shape::~shape()");
}

/* Both manglings, after the examples of Rust's RFC 2603 and of libiberty's own tests. */
static void names_of_rust(void **state)
{
	(void)state;
	assert_name("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		    "core::fmt::Write::write_fmt");
	assert_name("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
		    "3bar17h930b740aa94f1d3aE",
		    "<Test + 'static as foo::Bar<Test>>::bar");
	assert_name("_RNvC6_123foo3bar", "123foo::bar");
	assert_name("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
	assert_name("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>");
}

static void copies_have_the_name_of_the_original(void **state)
{
	(void)state;
	assert_name("foo.constprop.0", "foo");
	assert_name("foo.isra.0.cold", "foo");
	assert_name("foo.part.0.lto_priv.12", "foo");
	assert_name("inner.3", "inner");
	assert_name("foo.llvm.1234567890", "foo");
	assert_name("_Z3fooi.constprop.0", "foo(int)");
	assert_name("memcpy@@GLIBC_2.14", "memcpy");
	assert_name("@odd", "@odd");
}

static void long_and_broken_names_do_no_harm(void **state)
{
	static char name[200001];

	(void)state;
	assert_name("_Z", "_Z");
	assert_name("_ZN", "_ZN");
	assert_name("_Z999999999999999999999x", "_Z999999999999999999999x");
	assert_name("_R", "_R");
	memset(name, 'P', sizeof(name) - 1);
	memcpy(name, "_Z1f", 4);
	assert_name(name, name);
	memset(name + 2, 'N', sizeof(name) - 3);
	assert_name(name, name);
}

static void a_text_is_kept_once_and_stays(void **state)
{
	struct intern in = {0};
	const char *first = intern_text(&in, "first", 5), *big;
	static char text[100000];

	(void)state;
	for (int i = 0; i < 20000; i++)
		assert_non_null(intern_format(&in, "text %d", i));
	memset(text, 'x', sizeof(text));
	big = intern_text(&in, text, sizeof(text));
	assert_int_equal(strlen(big), sizeof(text));
	assert_ptr_equal(intern_text(&in, "first and more", 5), first);
	assert_ptr_equal(intern_text(&in, text, sizeof(text)), big);
	assert_ptr_not_equal(intern_text(&in, "first and more", 6), first);
	assert_string_equal(first, "first");
	assert_string_equal(intern_format(&in, "text %d", 12345), "text 12345");
	assert_int_equal(in.used, 20000 + 3);
	intern_fini(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_of_c_stay),
	    cmocka_unit_test(names_of_cxx),
	    cmocka_unit_test(names_of_rust),
	    cmocka_unit_test(copies_have_the_name_of_the_original),
	    cmocka_unit_test(long_and_broken_names_do_no_harm),
	    cmocka_unit_test(a_text_is_kept_once_and_stays),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
