/* SPDX-License-Identifier: MIT */
/* report_groups.c - the groups file: what it can say, which group a zone is in, and how mistakes
 * are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/pattern/groups.h"

static const char *write_file(const char *text)
{
	static char path[] = "/tmp/zprof-groups-XXXXXX";
	strcpy(path + sizeof path - 7, "XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return path;
}

static void load(struct groups *g, const char *text)
{
	struct str err = {0};
	const char *path = write_file(text);
	if (!groups_load(g, path, false, &err))
		fail_msg("%s", str_text(&err));
	unlink(path);
	str_free(&err);
}

static void assert_refused(const char *text, const char *because)
{
	struct groups g;
	struct str err = {0};
	const char *path = write_file(text);
	assert_false(groups_load(&g, path, false, &err));
	if (!strstr(str_text(&err), because) || !strstr(str_text(&err), path))
		fail_msg("'%s' does not say '%s'", str_text(&err), because);
	unlink(path);
	str_free(&err);
}

static void add_zone(struct zones *z, const char *name, const char *file, const char *group)
{
	z->list = realloc(z->list, (z->count + 1) * sizeof *z->list);
	z->room = z->count + 1;
	z->list[z->count++] = (struct zone){.name = strdup(name),
					    .linkage = strdup(name),
					    .file = strdup(file),
					    .group = strdup(group),
					    .kind = 4,
					    .module = ZONE_NO_MODULE};
}

/* Checks which group a zone is in under a metric. */
static void assert_group(const struct groups *g, const char *metric, const char *zone,
			 const char *group)
{
	struct zones z;
	struct group_map map;
	struct str err = {0};
	zones_init(&z);
	add_zone(&z, zone, "src/f.c", "");
	assert_true(groups_map(&map, g, metric, &z, &err));
	const char *got = map.of_zone[1] == GROUP_NONE ? "" : g->list[map.of_zone[1]].name;
	if (strcmp(got, group))
		fail_msg("%s under %s: '%s', not '%s'", zone, metric ? metric : "all", got, group);
	groups_map_free(&map);
	zones_free(&z);
}

static const char nested[] = "# a comment\n"
			     "[group scanner]\n"
			     "func = scan_* next_token\n"
			     "[group io]\n"
			     "func = read_*\n"
			     "  write_*    ; goes on\n"
			     "func = /^sc(an)?_(io|file)$/ /^put_/ \"two words\"\n"
			     "[group numbers]\n"
			     "parent = scanner\n"
			     "func = scan_number scan_digit\n"
			     "[group digits]\n"
			     "parent = numbers\n"
			     "func = scan_digit\n"
			     "[metric compile]\n"
			     "groups = scanner io\n"
			     "[metric both]\n"
			     "groups = io scanner numbers\n"
			     "[metric inner]\n"
			     "groups = numbers\n";

static void precedence(void **unused)
{
	(void)unused;
	struct groups g;
	load(&g, nested);
	assert_int_equal(g.count, 4);
	assert_group(&g, NULL, "scan_word", "scanner");
	assert_group(&g, NULL, "write_all", "io");
	assert_group(&g, NULL, "two words", "io");
	assert_group(&g, NULL, "sc_io", "io");
	assert_group(&g, NULL, "put_char", "io");
	assert_group(&g, NULL, "main", "");
	/* of nested groups the innermost; under a metric the nearest listed */
	assert_group(&g, NULL, "scan_digit", "digits");
	assert_group(&g, "both", "scan_digit", "numbers");
	assert_group(&g, "compile", "scan_digit", "scanner");
	assert_group(&g, "inner", "scan_digit", "numbers");
	assert_group(&g, "inner", "scan_word", "");
	/* of two that do not nest, the one listed first */
	assert_group(&g, NULL, "scan_io", "scanner");
	assert_group(&g, "compile", "scan_io", "scanner");
	assert_group(&g, "both", "scan_io", "io");
	groups_free(&g);
}

static void membership_includes_what_is_nested(void **unused)
{
	(void)unused;
	struct groups g;
	const struct pattern_subject digit = {"scan_digit", "scan_digit", "", "", 0};
	const struct pattern_subject word = {"w", "w", "", "", 0};
	load(&g, nested);
	assert_true(groups_contains(&g, groups_find(&g, "scanner"), &digit, ""));
	assert_true(groups_contains(&g, groups_find(&g, "digits"), &digit, ""));
	assert_false(groups_contains(&g, groups_find(&g, "io"), &digit, ""));
	assert_false(groups_contains(&g, groups_find(&g, "io"), &word, ""));
	assert_true(groups_contains(&g, groups_find(&g, "io"), &word, "io"));
	groups_free(&g);
}

static void lent_groups_are_there(void **unused)
{
	(void)unused;
	struct groups g = {0};
	struct zones z;
	struct group_map map;
	struct str err = {0};
	zones_init(&z);
	add_zone(&z, "DUP", "core.fs", "words");
	add_zone(&z, "SWAP", "core.fs", "words");
	groups_add_lent(&g, &z);
	assert_int_equal(g.count, 1);
	assert_true(groups_map(&map, &g, NULL, &z, &err));
	assert_string_equal(g.list[map.of_zone[2]].name, "words");
	groups_map_free(&map);
	assert_false(groups_map(&map, &g, "none", &z, &err));
	groups_free(&g);
	zones_free(&z);
	str_free(&err);
}

/* Longer than any line that libinih accepts. */
static void long_lines(void **unused)
{
	(void)unused;
	struct groups g;
	struct str text = {0};
	str_add(&text, "[group big]\nfunc =");
	for (int i = 0; i < 2000; i++)
		str_add(&text, " function_number_%d", i);
	str_add(&text, "\n[group after]\nfunc = x\n");
	load(&g, text.text);
	assert_int_equal(g.list[0].patterns.count, 2000);
	assert_string_equal(g.list[0].patterns.list[1999].text, "function_number_1999");
	assert_group(&g, NULL, "x", "after");
	groups_free(&g);
	str_add(&text, "nonsense\n");
	assert_refused(text.text, "line 5: neither '[section]' nor 'key = value'");
	str_free(&text);
}

static void mistakes_are_reported(void **unused)
{
	(void)unused;
	assert_refused("[group a]\nfunc = x\nfun = y\n", "line 3: unknown key 'fun' in group 'a'");
	assert_refused("[group a]\nfunc = /(/\n", "line 2: bad regular expression");
	assert_refused("[grp a]\nfunc = x\n", "line 2: section '[grp a]' is neither");
	assert_refused("[group a]\nparent = b\nfunc = x\n",
		       "has the parent 'b', which is not a group");
	assert_refused("[group a]\nparent = b\n[group b]\nparent = a\n", "nested in itself");
	assert_refused("[metric m]\ngroups = a\n", "metric 'm' lists 'a', which is not a group");
	assert_refused("[metric m]\ngroup = a\n", "line 2: unknown key 'group' in metric 'm'");
	assert_refused("[group a]\naddr = libc.so\n", "line 2: bad range 'libc.so'");
	struct groups g;
	struct str err = {0};
	assert_false(groups_load(&g, "/nonexistent/file", false, &err));
	assert_string_equal(str_text(&err),
			    "cannot open '/nonexistent/file': No such file or directory");
	str_free(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(precedence),
	    cmocka_unit_test(membership_includes_what_is_nested),
	    cmocka_unit_test(lent_groups_are_there),
	    cmocka_unit_test(long_lines),
	    cmocka_unit_test(mistakes_are_reported),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
