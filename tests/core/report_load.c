/* SPDX-License-Identifier: MIT */
/* report_load.c - what the records of a profile become in the tree of contexts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/load/load.h"
#include "tests/core/profile_loaded.h"

#define CONTEXTS 1000

/*
 * Contexts that have been entered, but not counted a call or a tick yet, are made as the records of
 * lent zones name them: the tree grows, and moves, while these are added up.
 */
static void contexts_that_only_lent_zones_name(void **unused)
{
	(void)unused;
	struct load l = {0};
	struct str text = {0};
	str_add(&text, "counts steps\nthread 1 t 1\n  main 1 10\n");
	for (int i = 0; i < CONTEXTS; i++)
		str_add(&text, "    z%d 0 0\nextra 0:0 %d 0 0 %d\n", i, i + 1, 2 * i + 1);
	profile_loaded(&l, text.text);
	int found = 0;
	for (size_t i = 0; i < l.tree.count; i++) {
		const struct node *n = &l.tree.nodes[i];
		int number;
		if (sscanf(l.zones.list[n->zone].name, "z%d", &number) != 1)
			continue;
		assert_int_equal(n->self.counter[0], 2 * number + 1);
		assert_int_equal(n->visits.returned, number + 1);
		found++;
	}
	assert_int_equal(found, CONTEXTS);
	str_free(&text);
	load_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(contexts_that_only_lent_zones_name),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
