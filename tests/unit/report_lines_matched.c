/* SPDX-License-Identifier: MIT */
/* report_lines_matched.c - which lines of two texts are the same: in examples, and by rules that hold for random
 * edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/line_match.h"

#define MOST 64

/* TEXT has a line for each letter. WANT: for each of BEFORE the place in AFTER, as a letter from 'a' on, or '-'. */
static void holds(const char *before, const char *after, const char *want)
{
	static char texts[256][3];
	const char *b[MOST], *a[MOST];
	char got[MOST + 1] = "";
	for (int i = 0; i < 256; i++)
		snprintf(texts[i], sizeof texts[i], "%c", i);
	for (size_t i = 0; before[i]; i++)
		b[i] = texts[(unsigned char)before[i]];
	for (size_t i = 0; after[i]; i++)
		a[i] = texts[(unsigned char)after[i]];
	uint32_t *to = line_match(b, strlen(before), a, strlen(after));
	for (size_t i = 0; before[i]; i++)
		got[i] = to[i] == LINE_GONE ? '-' : (char)('a' + to[i]);
	assert_string_equal(got, want);
	free(to);
}

static void by_hand(void **unused)
{
	(void)unused;
	holds("", "", "");
	holds("xyz", "xyz", "abc");
	holds("xyz", "", "---");
	holds("", "xyz", "");
	holds("xyz", "xnyz", "acd");        /* one is new */
	holds("xnyz", "xyz", "a-bc");       /* one is gone */
	holds("xoz", "xnz", "abc");         /* one was edited */
	holds("xopz", "xnz", "a--c");       /* two became one: it is unknown which */
	holds("}f}g}", "}f}n}g}", "abcfg"); /* equal lines are told apart by their neighbours */
	holds("abab", "baba", "-abc");      /* none is unique: the longest common run */
	holds("xyab", "abxy", "--ab"); /* of lines that changed places, only one run is matched */
}

static void white_space(void **unused)
{
	const char *before[] = {"if (x)", "\tf();", "g();"},
		   *after[] = {"if(x) ", "", "f();\r", "\t\tg( );"};
	(void)unused;
	uint32_t *to = line_match(before, 3, after, 4);
	assert_int_equal(to[0], 0);
	assert_int_equal(to[1], 2);
	assert_int_equal(to[2], 3);
	free(to);
}

static void edited(void **unused)
{
	const char *before[] = {"{", "\tprint(fib(15));", "\tprint(other(100));", "}"};
	const char *after[] = {"{", "\tputs(new);", "\tprint(fib(16));", "\tprint(another(100));",
			       "}"};
	(void)unused;
	uint32_t *to = line_match(before, 4, after, 5);
	assert_int_equal(to[1], 2);
	assert_int_equal(to[2], 3);
	free(to);
	to = line_match(after, 5, before, 4);
	assert_int_equal(to[1], LINE_GONE);
	assert_int_equal(to[2], 1);
	assert_int_equal(to[3], 2);
	free(to);
}

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state % n);
}

/* What line_match() must never do: name a line twice, cross over, or miss an equal beginning or end. */
static void random_edits(void **unused)
{
	static char letters[8][2];
	(void)unused;
	for (int i = 0; i < 8; i++)
		letters[i][0] = (char)('a' + i);
	for (int round = 0; round < 20000; round++) {
		const char *b[MOST], *a[MOST];
		size_t before = below(MOST / 2), after = 0;
		for (size_t i = 0; i < before; i++)
			b[i] = letters[below(8)];
		for (size_t i = 0; i < before && after < MOST - 1; i++) {
			uint32_t what = below(10);
			if (what == 0)
				a[after++] = letters[below(8)];
			if (what != 1)
				a[after++] = b[i];
		}
		uint32_t *to = line_match(b, before, a, after);
		uint32_t least = 0;
		for (size_t i = 0; i < before; i++) {
			if (to[i] == LINE_GONE)
				continue;
			assert_true(to[i] >= least && to[i] < after);
			least = to[i] + 1;
		}
		for (size_t i = 0; i < before && i < after && b[i] == a[i]; i++)
			assert_int_equal(to[i], i);
		free(to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(white_space),
					   cmocka_unit_test(edited),
					   cmocka_unit_test(random_edits)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("lines_matched", tests, NULL, NULL);
}
