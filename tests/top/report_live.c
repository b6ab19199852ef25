/* SPDX-License-Identifier: MIT */
/* report_live.c - the model of the live view: intervals, averages, rows, keys, lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/text_width.h"
#include "report/top/keys.h"
#include "report/top/sheet.h"
#include "tests/core/profile_builder.h"

#define HEAD "clock fake\npid 17 1\nstarted 1700000000\nbegan 1\ncommand ./prog -x\n"

static struct options options = {.width = -1};
static struct follow follow;
static struct top top;
static struct sheet sheet;

/* Overwrites the profile: to a reader it is the same file, later. */
static void write_profile(const char *text)
{
	size_t n;
	void *bytes = profile_build(text, &n);
	int fd = open("live.zp", O_WRONLY | O_CREAT, 0600);
	assert_non_null(bytes);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	free(bytes);
}

static void open_follow(const char *text)
{
	struct str err = {0};
	unlink("live.zp");
	write_profile(text);
	assert_true(follow_open(&follow, &options, "live.zp", &err));
	top_init(&top);
	top_follow(&top, &follow);
	top_remember(&top);
	top_make(&top);
}

static void read_again(const char *text)
{
	struct str err = {0};
	write_profile(text);
	assert_true(follow_read(&follow, &err));
	top_remember(&top);
	top_make(&top);
}

static void close_follow(void)
{
	top_free(&top);
	follow_close(&follow);
	sheet_free(&sheet);
}

static const struct top_row *row_of(const char *name)
{
	for (size_t i = 0; i < top.row_count; i++)
		if (!strcmp(top.rows[i].name, name))
			return &top.rows[i];
	return NULL;
}

static void press(const char *keys)
{
	for (; *keys; keys++)
		keys_press(&top, *keys);
}

static const char first[] =
    HEAD "thread 1 main 1\n  main 1 100\n    f 10 50\n      g 20 30\n    g 5 40\n"
	 "      f 3 7\n    f2 1 1\n";
static const char later[] =
    HEAD "thread 1 main 1\n  main 1 150\n    f 30 60\n      g 50 90\n    g 5 40\n"
	 "      f 3 7\n    f2 1 1\n      h 4 4\n";

static void all_is_what_a_report_shows(void **state)
{
	(void)state;
	open_follow(first);
	assert_int_equal(top.measure, MEASURE_ALL);
	assert_int_equal(row_of("f")->calls, 13);
	assert_int_equal(row_of("g")->calls, 25);
	assert_int_equal(row_of("f")->self_ns, 57);
	assert_int_equal(row_of("f")->total_ns, 87);
	assert_int_equal(row_of("main")->total_ns, 228);
	assert_string_equal(top.rows[0].name, "main");
	close_follow();
}

/* What was counted between two readings, and nothing else. */
static void an_interval_is_the_difference(void **state)
{
	(void)state;
	open_follow(first);
	read_again(later);
	double seconds = follow.interval.seconds;
	assert_int_equal(follow.interval.calls, 54);
	top_set_measure(&top, MEASURE_NOW);
	assert_true(fabs(row_of("f")->calls * seconds - 20) < 0.01);
	assert_true(fabs(row_of("g")->calls * seconds - 30) < 0.01);
	assert_true(fabs(row_of("h")->calls * seconds - 4) < 0.01);
	assert_true(fabs(row_of("main")->self_ns * seconds - 50) < 0.01);
	assert_null(row_of("f2") && row_of("f2")->calls > 0 ? "f2" : NULL);
	top_set_measure(&top, MEASURE_ALL);
	assert_int_equal(row_of("f")->calls, 33);
	close_follow();
}

/* Averages are right from the first interval on; older intervals weigh less. */
static void averages_fade(void **state)
{
	(void)state;
	struct contexts c = {0};
	struct tree t = {0};
	struct tree_thread thread = {.id = 1, .count = 1};
	uint32_t root = t.threads ? 0 : tree_add_thread(&t, &thread),
		 node = tree_child(&t, root, 1);
	t.nodes[node].calls = 100;
	contexts_add_interval(&c, &t, 1);
	contexts_show(&c, MEASURE_SHORT);
	assert_int_equal(c.tree.nodes[1].calls, 100 * CONTEXTS_COUNTS);
	t.nodes[node].calls = 0;
	for (int i = 0; i < 4; i++)
		contexts_add_interval(&c, &t, 0.5);
	double keep = exp(-2 / CONTEXTS_SHORT_S), one = 1 - exp(-1 / CONTEXTS_SHORT_S);
	double want = 100 * one * keep / (one * keep + 1 - keep);
	contexts_show(&c, MEASURE_SHORT);
	assert_true(fabs((double)c.tree.nodes[1].calls / CONTEXTS_COUNTS - want) < 0.01);
	contexts_show(&c, MEASURE_NOW);
	assert_int_equal(c.tree.nodes[1].calls, 0);
	contexts_show(&c, MEASURE_LONG);
	assert_true((double)c.tree.nodes[1].calls / CONTEXTS_COUNTS > want);
	tree_free(&t);
	contexts_free(&c);
}

/* Resetting counters changes what is shown, not the file. */
static void counters_begin_at_zero(void **state)
{
	(void)state;
	struct str err = {0};
	open_follow(first);
	follow_reset(&follow);
	top_make(&top);
	assert_int_equal(top.row_count, 0);
	read_again(later);
	top_set_measure(&top, MEASURE_ALL);
	assert_int_equal(row_of("f")->calls, 20);
	assert_int_equal(row_of("main")->self_ns, 50);
	assert_int_equal(follow.last.nodes[follow.last.node_count - 1].calls, 4);
	write_profile(first);
	assert_int_equal(rename("live.zp", "base.zp"), 0);
	close_follow();
	open_follow(later);
	assert_true(follow_set_base(&follow, "base.zp", &err));
	top_make(&top);
	assert_int_equal(row_of("g")->calls, 30);
	close_follow();
	open_follow(HEAD "pid 18 1\nthread 1 main 1\n  main 1 1\n");
	assert_false(follow_set_base(&follow, "base.zp", &err));
	assert_non_null(strstr(err.text, "of another process"));
	close_follow();
	str_free(&err);
}

static void the_call_graph_of_a_function(void **state)
{
	(void)state;
	open_follow(first);
	press("/g\r");
	keys_press(&top, KEYS_ENTER);
	assert_int_equal(top.view, TOP_GRAPH);
	assert_int_equal(top.row_count, 4);
	/* main, the larger caller, stands nearer to g */
	assert_string_equal(top.rows[0].name, "f");
	assert_string_equal(top.rows[1].name, "main");
	assert_int_equal(top.rows[1].kind, TOP_CALLER);
	assert_int_equal(top.rows[0].total_ns + top.rows[1].total_ns, top.rows[2].total_ns);
	assert_int_equal(top.rows[2].kind, TOP_OWN);
	assert_int_equal(top.cursor, 2);
	assert_string_equal(top.rows[3].name, "f");
	assert_int_equal(top.rows[3].kind, TOP_CALLEE);
	keys_press(&top, KEYS_BACKSPACE);
	assert_string_equal(top_row(&top)->name, "main");
	keys_press(&top, KEYS_BACKSPACE);
	assert_string_equal(top.message.text, "it has no caller");
	close_follow();
}

static void contexts_open_and_close(void **state)
{
	(void)state;
	open_follow(first);
	press("x");
	assert_int_equal(top.row_count, 2);
	assert_int_equal(top.rows[0].mark, '-');
	press("j+");
	assert_int_equal(top.row_count, 5);
	assert_string_equal(top.rows[2].name, "f");
	press("*");
	assert_int_equal(top.row_count, 6);
	assert_string_equal(top.rows[3].name, "g");
	press("jj-");
	assert_string_equal(top_row(&top)->name, "f");
	press("-");
	assert_int_equal(top.row_count, 5);
	press("-");
	assert_string_equal(top_row(&top)->name, "main");
	press("--");
	press("-");
	assert_int_equal(top.row_count, 1);
	close_follow();
}

/* The cursor stays with its row when the order changes; on the first line it stays on that. */
static void the_cursor_stays_with_its_row(void **state)
{
	(void)state;
	open_follow(first);
	press("/f2\r");
	assert_string_equal(top_row(&top)->name, "f2");
	press("R");
	assert_string_equal(top_row(&top)->name, "f2");
	top_sort_by(&top, TOP_NAME);
	assert_string_equal(top_row(&top)->name, "f2");
	press("gs");
	assert_int_equal(top.cursor, 0);
	press("/nowhere\r");
	assert_string_equal(top.message.text, "no row here has 'nowhere'");
	close_follow();
}

static void filters_and_recursion(void **state)
{
	(void)state;
	open_follow(HEAD "thread 1 main 1\n  main 1 10\n    f 1 5\n      f 2 6\n        f 3 7\n"
			 "thread 2 other 1\n  g 4 9\n");
	assert_int_equal(row_of("f")->calls, 6);
	press("r");
	assert_int_equal(row_of("f'3")->calls, 3);
	assert_int_equal(row_of("f")->calls, 1);
	top_make(&top);
	assert_int_equal(row_of("f'3")->calls, 3);
	press("r");
	press("fg*\r");
	assert_int_equal(top.row_count, 1);
	assert_int_equal(top.more, 2);
	press("u");
	assert_int_equal(top.row_count, 3);
	press("T/other\r\r");
	assert_int_equal(top.row_count, 1);
	assert_string_equal(top.rows[0].name, "g");
	press("u");
	press("m");
	assert_string_equal(top.rows[0].name, "(etc)");
	assert_false(top_select(&top));
	close_follow();
}

/* At every size, the output is as high as the screen and no wider. */
static void lines_fit(void **state)
{
	(void)state;
	static const char *const keys[] = {"s",  "t", "x*",    "m",   "T", "c",
					   "s?", "j", "s/abc", "\r0", "1", "3"};
	open_follow(first);
	read_again(later);
	for (int width = 20; width <= 200; width += 20)
		for (int height = 6; height <= 60; height += 6)
			for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
				press(keys[k]);
				sheet_make(&sheet, &top, width, height, k % 2);
				assert_true((int)sheet.count <= height || height < 8);
				assert_true(top.helping || (int)sheet.count == height ||
					    height < 8);
				for (size_t i = 0; i < sheet.count; i++)
					assert_true(text_width(str_text(&sheet.lines[i].text)) <=
						    width);
			}
	close_follow();
}

/* At 60 by 12: four lines above, seven rows, one below. */
static void a_small_screen(void **state)
{
	(void)state;
	open_follow(first);
	sheet_make(&sheet, &top, 60, 12, false);
	assert_int_equal(sheet.count, 12);
	assert_int_equal(sheet.first_line, 4);
	assert_int_equal(top.page, 7);
	assert_non_null(strstr(sheet.lines[0].text.text, "./prog -x"));
	assert_non_null(strstr(sheet.lines[0].text.text, "pid 17"));
	assert_non_null(strstr(sheet.lines[3].text.text, "*%self"));
	assert_non_null(strstr(sheet.lines[4].text.text, "main"));
	assert_true(sheet.lines[4].cursor);
	assert_int_equal(sheet_column_at(&sheet, 0), TOP_CALLS);
	assert_int_equal(sheet_column_at(&sheet, 59), TOP_NAME);
	close_follow();
}

#define COUNTING                                                                                   \
	HEAD "counts page-faults\ncounts context-switches\ncounts never\ncounts migrations\n"      \
	     "thread 1 main 1\n"

static const char *head_line(int width)
{
	sheet_make(&sheet, &top, width, 24, false);
	return sheet.lines[sheet.head_line].text.text;
}

/* Each counter that counted something has a column. The keys sort by it. */
static void counters_are_columns(void **state)
{
	(void)state;
	open_follow(COUNTING "  main 1 100\nextra 1:1 0 0 0 1 20 0 3\n"
			     "    f 10 50\nextra 1:1 0 0 0 5 2 0 9\n");
	assert_non_null(strstr(head_line(200), " page-faults  context-switches   migrations"));
	assert_null(strstr(head_line(200), "never"));
	assert_int_equal(row_of("f")->counters[3], 9);
	top_sort_by(&top, TOP_COUNTER);
	assert_string_equal(top.rows[0].name, "f");
	press(">");
	assert_int_equal(top.sort, TOP_COUNTER + 1);
	assert_string_equal(top.rows[0].name, "main");
	press(">");
	assert_int_equal(top.sort, TOP_COUNTER + 3);
	assert_string_equal(top.rows[0].name, "f");
	press("R");
	assert_string_equal(top.rows[0].name, "main");
	press("<<");
	assert_int_equal(top.sort, TOP_COUNTER);
	read_again(COUNTING "  main 1 100\nextra 1:1 0 0 0 1 20 0 3\n"
			    "    f 10 50\nextra 1:1 0 0 0 7 2 0 9\n");
	top_set_measure(&top, MEASURE_NOW);
	assert_true(fabs(row_of("f")->counters[0] * follow.interval.seconds - 2) < 0.01);
	assert_null(strstr(head_line(200), "migrations"));
	close_follow();
}

/* Where it is narrow, the last counter goes first, but not the one that rows are sorted by. */
static void counters_give_way(void **state)
{
	(void)state;
	static const char *const names[] = {"page-faults", "context-switches", "migrations"};
	size_t before = 3;
	open_follow(COUNTING "  main 1 100\nextra 1:1 0 0 0 1 20 0 3\n");
	for (int width = 200; width >= 40; width--) {
		size_t shown = 0, all = 0;
		const char *line = head_line(width);
		for (size_t i = 0; i < 3; i++) {
			bool there = strstr(line, names[i]);
			all += there;
			shown += there && shown == i;
		}
		assert_int_equal(shown, all);
		assert_true(shown <= before);
		before = shown;
	}
	assert_int_equal(before, 0);
	top_sort_by(&top, TOP_COUNTER + 3);
	assert_non_null(strstr(head_line(60), "*migrations"));
	assert_null(strstr(head_line(60), "page-faults"));
	close_follow();
}

/* Names come from the program: none of them may steer the terminal. */
static void names_do_no_harm(void **state)
{
	(void)state;
	open_follow("clock fake\ncommand ./p\x1b[2J\nthread 1 m\x1b[31m 1\n  f\x1b[1m 1 10\n");
	for (int view = 0; view < TOP_VIEWS; view++) {
		top_set_view(&top, (enum top_view)view);
		sheet_make(&sheet, &top, 100, 30, true);
		for (size_t i = 0; i < sheet.count; i++)
			assert_null(strchr(str_text(&sheet.lines[i].text), '\x1b'));
	}
	close_follow();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_is_what_a_report_shows),
	    cmocka_unit_test(an_interval_is_the_difference),
	    cmocka_unit_test(averages_fade),
	    cmocka_unit_test(counters_begin_at_zero),
	    cmocka_unit_test(the_call_graph_of_a_function),
	    cmocka_unit_test(contexts_open_and_close),
	    cmocka_unit_test(the_cursor_stays_with_its_row),
	    cmocka_unit_test(filters_and_recursion),
	    cmocka_unit_test(lines_fit),
	    cmocka_unit_test(a_small_screen),
	    cmocka_unit_test(counters_are_columns),
	    cmocka_unit_test(counters_give_way),
	    cmocka_unit_test(names_do_no_harm),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
