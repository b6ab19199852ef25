/* SPDX-License-Identifier: MIT */
/* report_divided.c - self times divided by the addresses of samples (below.h), on made-up profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/core/load/below.h"
#include "report/core/load/load.h"
#include "tests/core/profile_loaded.h"

static struct load load;

#define HEAD                                                                                       \
	"clock tsc 1000000000\nmode count\nflags finished fentry\nhooks 0 0 0 0\nsampler 1\n"      \
	"module 1 /nowhere/prog 0x10000 0x20000 0x10000\n"                                         \
	"module 2 /nowhere/libx.so 0x30000 0x40000 0x30000\nthread 1 main 1\n"

static void load_text(const char *text)
{
	load_init(&load, false);
	profile_loaded(&load, text);
}

static struct cost whole(void)
{
	struct cost sum = {0};
	for (size_t i = 0; i < load.tree.count; i++)
		cost_add(&sum, &load.tree.nodes[i].self);
	return sum;
}

/* The self cost of ZONE where its caller is in OF. */
static struct cost self_of(const char *of, const char *zone)
{
	struct cost sum = {0};
	for (size_t i = 0; i < load.tree.count; i++) {
		const struct node *n = &load.tree.nodes[i];
		const struct zone *z = load.zones.list;
		if (n->zone && !strcmp(z[n->zone].name, zone) &&
		    !strcmp(z[load.tree.nodes[n->parent].zone].name, of))
			cost_add(&sum, &n->self);
	}
	return sum;
}

static struct cost all_of(const char *zone)
{
	struct cost sum = {0};
	for (size_t i = 0; i < load.tree.count; i++)
		if (load.tree.nodes[i].zone &&
		    !strcmp(load.zones.list[load.tree.nodes[i].zone].name, zone))
			cost_add(&sum, &load.tree.nodes[i].self);
	return sum;
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1)
		fail_msg("%g is not %g", a, b);
}

static void libraries_and_the_kernel_have_rows(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 80 20 0 1000000\n"
		       "at @1+0x10 30 30000000\nat @2+0x10 40 40000000\nat @2+0x20 10 10000000\n"
		       "at @2+0x30 20 20000000 kernel\n");
	struct cost before = whole(), f = self_of("main", "f");
	below_divide(&load);
	struct cost after = whole(), own = self_of("main", "f");
	struct cost x = self_of("f", "[libx.so] (sampled)"),
		    kernel = self_of("f", "[kernel] (sampled)");
	struct cost prog = self_of("f", "[prog] (sampled)");
	assert_true(before.ticks == after.ticks);
	assert_true(own.ticks + x.ticks + kernel.ticks + prog.ticks == f.ticks);
	assert_near(own.ns + x.ns + kernel.ns + prog.ns, f.ns);
	assert_near(x.ns, f.ns * 0.5);
	assert_near(kernel.ns, f.ns * 0.2);
	assert_near(prog.ns, f.ns * 0.3);
	assert_true(x.variance > 0 && fabs(x.variance - f.variance * 0.5) < 1);
	assert_true(tree_check(&load.tree));
	load_free(&load);
}

#define KERNEL "module 3 [kernel] 0xffffff0000000000 0xffffffffffffffff 0xffffff0000000000\n"

/* Names a function of a module, from START to START + SIZE. */
static void tell_in(uint32_t module, const char *name, uint64_t start, uint64_t size)
{
	struct profile_name told = {.fixed = {.start = start, .size = size},
				    .name = (char *)name,
				    .linkage = (char *)name,
				    .file = (char *)"",
				    .compiler = (char *)""};
	told_add_name(&load.zones.told, module, &told);
	told_seal(&load.zones.told);
}

/* Names a function of the kernel. */
static void tell(const char *name, uint64_t start, uint64_t size)
{
	uint32_t module = 0;
	while (module < load.zones.module_count && !load.zones.modules[module].is_kernel)
		module++;
	assert_true(module < load.zones.module_count);
	tell_in(module, name, start, size);
}

/* Of 60 samples in the kernel, 50 have their place there, and 10 of these are in no known function. */
static void the_kernels_functions_have_rows(void **state)
{
	(void)state;
	load_text(HEAD KERNEL "  main 1 0\n    f 1 0\nseen 40 60 0 1000000\n"
			      "at @2+0x10 40 40000000\nat @2+0x30 60 60000000 kernel\n"
			      "kernel @3+0x1010 10 10000000\nkernel @3+0x1020 20 20000000\n"
			      "kernel @3+0x2000 10 10000000\nkernel @3+0x9000 10 10000000\n");
	struct cost before = whole(), f = self_of("main", "f");
	tell("copy_page", 0x1000, 0x100);
	tell("clear_page", 0x2000, 0x100);
	below_divide(&load);
	struct cost after = whole(), own = self_of("main", "f");
	struct cost copy = self_of("f", "[kernel] copy_page (sampled)"),
		    clear = self_of("f", "[kernel] clear_page (sampled)"),
		    rest = self_of("f", "[kernel] (sampled)"),
		    x = self_of("f", "[libx.so] (sampled)");
	assert_true(before.ticks == after.ticks);
	assert_near(copy.ns, f.ns * 0.3);
	assert_near(clear.ns, f.ns * 0.1);
	assert_near(rest.ns, f.ns * 0.2);
	assert_near(x.ns, f.ns * 0.4);
	assert_near(own.ns, 0);
	assert_true(copy.variance > 0 && fabs(copy.variance - f.variance * 0.3) < 1);
	assert_true(tree_check(&load.tree));
	load_free(&load);
}

/* The place in the program of 20 of the 60 samples gave way: as much time is the kernel's as before. */
static void the_kernels_rows_have_no_more_than_the_kernel_had(void **state)
{
	(void)state;
	load_text(HEAD KERNEL "  main 1 0\n    f 1 0\nseen 40 60 0 1000000\n"
			      "at @2+0x10 40 40000000\nat @2+0x30 40 40000000 kernel\n"
			      "kernel @3+0x1010 45 45000000\nkernel @3+0x2010 15 15000000\n");
	struct cost f = self_of("main", "f");
	tell("copy_page", 0x1000, 0x100);
	tell("clear_page", 0x2000, 0x100);
	below_divide(&load);
	assert_near(self_of("f", "[kernel] copy_page (sampled)").ns, f.ns * 0.5 * 0.75);
	assert_near(self_of("f", "[kernel] clear_page (sampled)").ns, f.ns * 0.5 * 0.25);
	assert_near(self_of("f", "[libx.so] (sampled)").ns, f.ns * 0.5);
	assert_near(all_of("[kernel] (sampled)").ns, 0);
	load_free(&load);
}

/* A damaged file: places in the kernel that are of a module which is not the kernel, or of none. */
static void other_modules_are_not_the_kernel(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 40 60 0 1000000\n"
		       "at @2+0x10 40 40000000\nat @2+0x30 60 60000000 kernel\n"
		       "kernel @2+0x10 30 30000000\nkernel @9+0x10 30 30000000\n");
	struct cost f = self_of("main", "f");
	below_divide(&load);
	assert_near(self_of("f", "[kernel] (sampled)").ns, f.ns * 0.6);
	assert_near(self_of("f", "[libx.so] (sampled)").ns, f.ns * 0.4);
	load_free(&load);
}

/* No symbol tells whether the code is another function's. */
static void nameless_code_of_its_own_module_stays(void **state)
{
	(void)state;
	load_text(HEAD "  @1+0x100 1 0\nseen 100 0 0 1000000\n"
		       "at @1+0x110 60 60000000\nat @2+0x10 40 40000000\n");
	below_divide(&load);
	assert_near(all_of("[prog] (sampled)").ns, 0);
	assert_near(all_of("[libx.so] (sampled)").ns, whole().ns * 0.4);
	load_free(&load);
}

/* A full ring: of 100 samples, 50 have an address. Of 10 more, 3 have. */
static void what_has_no_address_is_divided_where_enough_has(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\n"
		       "at @2+0x10 40 40000000\nat @1+0x10 10 10000000\n"
		       "    g 1 0\nseen 10 0 0 1000000\nat @2+0x10 3 3000000\n");
	struct cost f = self_of("main", "f"), g = self_of("main", "g");
	below_divide(&load);
	struct cost x = self_of("f", "[libx.so] (sampled)");
	assert_near(x.ns, f.ns * 0.8);
	assert_true(x.error_ns >= f.error_ns * 0.8 + x.ns * 0.5 * 0.29);
	assert_near(self_of("g", "[libx.so] (sampled)").ns, g.ns * 0.3);
	assert_near(self_of("main", "g").ns, g.ns * 0.7);
	load_free(&load);
}

static void without_addresses_nothing_changes(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\n");
	size_t nodes = load.tree.count;
	below_divide(&load);
	assert_int_equal(load.tree.count, nodes);
	assert_false(load.places_by_sample);
	load_free(&load);
}

/* ---- chains of functions */

/* Names functions of the library: of 0x100 bytes each, from 0x100 on. */
static void tell_library(void)
{
	uint32_t module = 0;
	while (module < load.zones.module_count && !strstr(load.zones.modules[module].path, "libx"))
		module++;
	assert_true(module < load.zones.module_count);
	tell_in(module, "leaf", 0x100, 0x100);
	tell_in(module, "middle", 0x200, 0x100);
	tell_in(module, "top", 0x300, 0x100);
}

/* Of 60 samples in leaf, 10 have no chain. */
static void a_row_is_divided_among_its_chains(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\n"
		       "at @2+0x110 20 20000000\nat @2+0x120 40 40000000\nat @2+0x210 40 40000000\n"
		       "chain 45 45000000 @2+0x100 @2+0x200 @2+0x300\n"
		       "chain 5 5000000 @2+0x100 @2+0x300\nchain 40 40000000 @2+0x200 @2+0x300\n");
	struct cost before = whole(), f = self_of("main", "f");
	tell_library();
	below_divide(&load);
	struct cost after = whole(), deep = self_of("middle (sampled)", "leaf (sampled)"),
		    middle = self_of("top (sampled)", "middle (sampled)"),
		    top = self_of("f", "top (sampled)"),
		    near = self_of("top (sampled)", "leaf (sampled)"),
		    none = self_of("f", "leaf (sampled)"), own = self_of("main", "f");
	assert_true(before.ticks == after.ticks);
	assert_true(own.ticks + deep.ticks + middle.ticks + top.ticks + near.ticks + none.ticks ==
		    f.ticks);
	assert_near(deep.ns, f.ns * 0.45);
	assert_near(near.ns, f.ns * 0.05);
	assert_near(none.ns, f.ns * 0.1);
	assert_near(all_of("leaf (sampled)").ns, f.ns * 0.6);
	assert_near(middle.ns, f.ns * 0.4);
	assert_near(top.ns, 0);
	assert_near(own.ns, 0);
	assert_true(deep.variance > 0 && fabs(deep.variance - f.variance * 0.45) < 1);
	assert_true(tree_check(&load.tree));
	load_free(&load);
}

/* Addresses of 30 samples in leaf gave way, and their chains did not; all samples in middle lost theirs. */
static void a_row_has_no_more_than_without_chains(void **state)
{
	(void)state;
	load_text(HEAD
		  "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\n"
		  "at @2+0x110 30 30000000\nat @2+0x210 40 40000000\n"
		  "chain 45 45000000 @2+0x100 @2+0x200\nchain 15 15000000 @2+0x100 @2+0x300\n");
	struct cost f = self_of("main", "f");
	double seen = 70; /* what has no address is divided as this is */
	tell_library();
	below_divide(&load);
	assert_near(self_of("middle (sampled)", "leaf (sampled)").ns, f.ns * 22.5 / seen);
	assert_near(self_of("top (sampled)", "leaf (sampled)").ns, f.ns * 7.5 / seen);
	assert_near(self_of("f", "middle (sampled)").ns, f.ns * 40 / seen);
	assert_near(self_of("f", "leaf (sampled)").ns, 0);
	load_free(&load);
}

/* 30 samples have their place in the kernel, 20 have none there; 10 of these have no chain. */
static void the_kernel_stands_below_its_caller(void **state)
{
	(void)state;
	load_text(HEAD KERNEL "  main 1 0\n    f 1 0\nseen 50 50 0 1000000\n"
			      "at @2+0x110 50 50000000\nat @2+0x210 50 50000000 kernel\n"
			      "kernel @3+0x1010 30 30000000\n"
			      "chain kernel 20 20000000 @3+0x1010 @2+0x200 @2+0x300\n"
			      "chain kernel 10 10000000 @3+0x1020 @2+0x200\n"
			      "chain kernel 10 10000000 @0+0 @2+0x200\n");
	struct cost before = whole(), f = self_of("main", "f");
	tell("copy_page", 0x1000, 0x100);
	tell_library();
	below_divide(&load);
	struct cost after = whole();
	assert_true(before.ticks == after.ticks);
	assert_near(self_of("middle (sampled)", "[kernel] copy_page (sampled)").ns, f.ns * 0.3);
	assert_near(self_of("middle (sampled)", "[kernel] (sampled)").ns, f.ns * 0.1);
	assert_near(self_of("f", "[kernel] (sampled)").ns, f.ns * 0.1);
	assert_near(self_of("f", "leaf (sampled)").ns, f.ns * 0.5);
	assert_near(all_of("middle (sampled)").ns, 0);
	assert_true(tree_check(&load.tree));
	load_free(&load);
}

/* Functions of a stripped library are one row, however many call one another. */
static void nameless_callers_are_one_row(void **state)
{
	(void)state;
	load_text(HEAD
		  "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\n"
		  "at @2+0x110 100 100000000\nchain 100 100000000 @2+0x100 @2+0x200 @2+0x300\n");
	struct cost f = self_of("main", "f");
	below_divide(&load);
	assert_near(self_of("f", "[libx.so] (sampled)").ns, f.ns);
	assert_near(self_of("[libx.so] (sampled)", "[libx.so] (sampled)").ns, 0);
	load_free(&load);
}

/* What stays in the zone's self is no step, as a function that has hooks (@1+0x500), before the first. */
static void a_zones_own_code_is_no_step(void **state)
{
	(void)state;
	load_text(HEAD "  @1+0x500 1 0\n    @1+0x100 1 0\nseen 100 0 0 1000000\n"
		       "at @2+0x110 60 60000000\nat @1+0x110 40 40000000\n"
		       "chain 60 60000000 @2+0x100 @1+0x500 @1+0x300 @2+0x200\n"
		       "chain 40 40000000 @1+0x100 @2+0x200\n");
	struct cost before = whole();
	tell_library();
	below_divide(&load);
	assert_near(self_of("middle (sampled)", "leaf (sampled)").ns, before.ns * 0.6);
	assert_near(all_of("leaf (sampled)").ns, before.ns * 0.6);
	assert_near(all_of("[prog] (sampled)").ns, 0);
	assert_near(all_of("middle (sampled)").ns, 0);
	load_free(&load);
}

static void a_damaged_chain_is_left_out(void **state)
{
	(void)state;
	load_text(HEAD "  main 1 0\n    f 1 0\nseen 100 0 0 1000000\nat @2+0x110 100 100000000\n"
		       "chain 50 50000000\n"
		       "chain 50 50000000 @2+0 @2+1 @2+2 @2+3 @2+4 @2+5 @2+6 @2+7 @2+8 @2+9 @2+10"
		       " @2+11 @2+12 @2+13 @2+14 @2+15 @2+16 @2+17 @2+18 @2+19 @2+20\n");
	struct cost f = self_of("main", "f");
	tell_library();
	below_divide(&load);
	assert_near(self_of("f", "leaf (sampled)").ns, f.ns);
	assert_int_equal(load.chains.count, 0);
	load_free(&load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(libraries_and_the_kernel_have_rows),
	    cmocka_unit_test(the_kernels_functions_have_rows),
	    cmocka_unit_test(the_kernels_rows_have_no_more_than_the_kernel_had),
	    cmocka_unit_test(other_modules_are_not_the_kernel),
	    cmocka_unit_test(nameless_code_of_its_own_module_stays),
	    cmocka_unit_test(what_has_no_address_is_divided_where_enough_has),
	    cmocka_unit_test(without_addresses_nothing_changes),
	    cmocka_unit_test(a_row_is_divided_among_its_chains),
	    cmocka_unit_test(a_row_has_no_more_than_without_chains),
	    cmocka_unit_test(the_kernel_stands_below_its_caller),
	    cmocka_unit_test(nameless_callers_are_one_row),
	    cmocka_unit_test(a_zones_own_code_is_no_step),
	    cmocka_unit_test(a_damaged_chain_is_left_out),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
