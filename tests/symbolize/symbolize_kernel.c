/* SPDX-License-Identifier: MIT */
/*
 * Names of the kernel's functions: of lists that are made up here, and of the kernel that runs, if this
 * user may read its list.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "symbolize/kernel.h"
#include "symbolize/symbolize.h"

#define BITS(address) ((address) & (SYMBOLIZE_KERNEL_BYTES - 1))

static struct kernel_symbols symbols;

static void read_text(const char *text)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(f);
	kernel_read(&symbols, f);
	fclose(f);
}

static const char *name_at(uint64_t address)
{
	const struct kernel_symbol *s = kernel_find(&symbols, BITS(address));

	return s ? s->name : "?";
}

static void functions_have_names(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T first\n"
		  "ffffffff81000100 D data_is_not_code\n"
		  "ffffffff81000200 t second\n"
		  "ffffffffc0001000 t of_module\t[nf_tables]\n"
		  "ffffffff81000300 W third\n");
	assert_string_equal(name_at(0xffffffff81000000), "first");
	assert_string_equal(name_at(0xffffffff810001ff), "first");
	assert_string_equal(name_at(0xffffffff81000200), "second");
	assert_string_equal(name_at(0xffffffff810003ff), "third");
	assert_string_equal(name_at(0xffffffffc0001010), "of_module");
	assert_int_equal(kernel_find(&symbols, BITS(0xffffffff81000210))->size, 0x100);
	kernel_fini(&symbols);
}

/* Code that is not in the list, before it, and far behind a function. */
static void unknown_code_has_none(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T first\nffffffffc0001000 t last\t[m]\n");
	assert_string_equal(name_at(0xffffffff80ffffff), "?");
	assert_string_equal(name_at(0xffffffff81000000 + KERNEL_FUNCTION_MOST - 1), "first");
	assert_string_equal(name_at(0xffffffff81000000 + KERNEL_FUNCTION_MOST), "?");
	assert_string_equal(name_at(0xffffffffc0001000 + KERNEL_FUNCTION_MOST - 1), "last");
	assert_string_equal(name_at(0xffffffffc0001000 + KERNEL_FUNCTION_MOST), "?");
	kernel_fini(&symbols);
}

static void of_several_names_the_functions_own_is_taken(void **state)
{
	(void)state;
	read_text("ffffffff81000000 T _text\nffffffff81000000 T start\nffffffff81000000 t local\n"
		  "ffffffff81000100 W memcpy\nffffffff81000100 T __memcpy\n"
		  "ffffffff81000200 t zeta\nffffffff81000200 t alpha\n");
	assert_string_equal(name_at(0xffffffff81000010), "start");
	assert_string_equal(name_at(0xffffffff81000110), "__memcpy");
	assert_string_equal(name_at(0xffffffff81000210), "alpha");
	kernel_fini(&symbols);
}

static void without_addresses_there_are_no_symbols(void **state)
{
	static const char *const lists[] = {
	    "",
	    "\n\n",
	    "0000000000000000 T first\n0000000000000000 t second\n",
	    "no list\nat all\n",
	    "ffffffff81000000\nffffffff81000000 \nffffffff81000000 T\nffffffff81000000 T \n",
	    "ffffffff81000000 T cut_off",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		read_text(lists[i]);
		assert_int_equal(symbols.count, 0);
		assert_string_equal(name_at(0xffffffff81000000), "?");
		kernel_fini(&symbols);
	}
}

static void long_lists_are_read(void **state)
{
	size_t bytes;
	char *text;
	FILE *f = open_memstream(&text, &bytes);

	(void)state;
	for (unsigned i = 0; i < 100000; i++)
		fprintf(f, "%llx t f%u\n", 0xffffffff81000000 + 16ull * i, i);
	fclose(f);
	read_text(text);
	assert_int_equal(symbols.count, 100000);
	assert_string_equal(name_at(0xffffffff81000000 + 16 * 99999), "f99999");
	assert_string_equal(name_at(0xffffffff81000000 + 16 * 54321 + 15), "f54321");
	kernel_fini(&symbols);
	free(text);
}

/* A function of the running kernel, alone at its address. */
static bool find_function(uint64_t *address, char name[128])
{
	FILE *f = fopen("/proc/kallsyms", "r");
	bool found = false;
	char type;

	while (f && !found && fscanf(f, "%lx %c %127s%*[^\n]", address, &type, name) >= 3)
		found = *address && !strcmp(name, "vfs_read");
	if (f)
		fclose(f);
	return found;
}

static void the_running_kernel_is_named_in_its_boot_alone(void **state)
{
	struct symbolizer *s = symbolize_new();
	struct symbolize_result r;
	unsigned char id[SYMBOLIZE_BOOT_ID_BYTES];
	uint64_t address;
	char name[128];

	(void)state;
	assert_true(symbolize_boot_id(id));
	bool known = find_function(&address, name);
	struct symbolize_module *m = symbolize_add(s, "[kernel]", id, sizeof(id), SYMBOLIZE_KERNEL);
	if (known) {
		symbolize_lookup(m, BITS(address) + 1, &r);
		assert_string_equal(r.name, name);
		assert_int_equal(r.start, BITS(address));
		assert_int_equal(r.quality, SYMBOLIZE_KALLSYMS);
		assert_int_equal(r.frame_count, 1);
	}
	assert_null(symbolize_notice(m));
	id[5] ^= 1;
	m = symbolize_add(s, "[kernel]", id, sizeof(id), SYMBOLIZE_KERNEL);
	symbolize_lookup(m, known ? BITS(address) + 1 : 0x1001, &r);
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	assert_non_null(strstr(r.name, "[kernel]+0x"));
	assert_int_equal(symbolize_lines(m, 0, 1000, NULL, NULL), 0);
	assert_int_equal(symbolize_functions(m, true, NULL, NULL), 0);
	m = symbolize_add(s, "[kernel]", NULL, 0, SYMBOLIZE_KERNEL);
	symbolize_lookup(m, 0x1001, &r);
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	symbolize_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions_have_names),
	    cmocka_unit_test(unknown_code_has_none),
	    cmocka_unit_test(of_several_names_the_functions_own_is_taken),
	    cmocka_unit_test(without_addresses_there_are_no_symbols),
	    cmocka_unit_test(long_lists_are_read),
	    cmocka_unit_test(the_running_kernel_is_named_in_its_boot_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
