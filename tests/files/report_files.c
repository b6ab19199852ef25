/* SPDX-License-Identifier: MIT */
/*
 * report_files.c - how a file is replaced (base/replace.h), and by which names the recorder's files
 * are known (files/own_names.h). In the current folder.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/core/base/replace.h"
#include "report/files/own_names.h"

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	assert_true(!fchmod(fd, mode) && !close(fd));
}

static void assert_holds(const char *name, const char *text)
{
	char bytes[64] = {0};
	int fd = open(name, O_RDONLY);
	assert_true(fd >= 0 && read(fd, bytes, sizeof bytes - 1) >= 0 && !close(fd));
	assert_string_equal(bytes, text);
}

static bool replace(const char *name, const char *text, struct str *err)
{
	struct replacement r;
	if (!replace_begin(&r, name, 0640, err))
		return false;
	fputs(text, r.to);
	return replace_end(&r, err);
}

static int count_files(void)
{
	FILE *list = popen("ls -A | wc -l", "r");
	int count = 0;
	assert_true(list && fscanf(list, "%d", &count) == 1 && !pclose(list));
	return count;
}

static void new_file(void **unused)
{
	struct str err = {0};
	struct stat st;
	(void)unused;
	umask(022);
	assert_true(replace("new", "one", &err));
	assert_holds("new", "one");
	assert_true(!stat("new", &st) && (st.st_mode & 07777) == 0640);
	umask(077);
	assert_true(replace("private", "one", &err));
	assert_true(!stat("private", &st) && (st.st_mode & 07777) == 0600);
	umask(022);
	str_free(&err);
}

static void what_stays(void **unused)
{
	struct str err = {0};
	struct stat st;
	char value[8] = {0};
	(void)unused;
	write_file("target", "old", 04751);
	bool root = !geteuid();
	assert_true(!root || (!chown("target", 12, 34) && !chmod("target", 04751)));
	bool attributes = !setxattr("target", "user.note", "kept", 4, 0);
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(symlink("link", "link of a link"), 0);
	assert_true(replace("link of a link", "new", &err));
	assert_holds("target", "new");
	assert_true(!stat("target", &st) && (st.st_mode & 07777) == 04751);
	assert_true(!root || (st.st_uid == 12 && st.st_gid == 34));
	assert_true(!attributes || getxattr("target", "user.note", value, sizeof value) == 4);
	assert_true(!attributes || !strcmp(value, "kept"));
	assert_true(!lstat("link of a link", &st) && S_ISLNK(st.st_mode));
	assert_true(!lstat("link", &st) && S_ISLNK(st.st_mode));
	str_free(&err);
}

static void link_to_nothing(void **unused)
{
	struct str err = {0};
	(void)unused;
	assert_int_equal(symlink("not there yet", "early"), 0);
	assert_true(replace("early", "made", &err));
	assert_holds("not there yet", "made");
	assert_int_equal(symlink("circle", "circle"), 0);
	assert_false(replace("circle", "never", &err));
	str_free(&err);
}

/* Until the end, the old content is there, and no other name. */
static void until_the_end(void **unused)
{
	struct str err = {0};
	struct replacement r;
	(void)unused;
	write_file("file", "old", 0600);
	int before = count_files();
	assert_true(replace_begin(&r, "file", 0600, &err));
	fputs("new", r.to);
	fflush(r.to);
	assert_holds("file", "old");
	assert_int_equal(count_files(), before);
	replace_cancel(&r);
	assert_holds("file", "old");
	assert_int_equal(count_files(), before);
	str_free(&err);
}

/* A file that somebody else makes meanwhile is theirs. */
static void made_meanwhile(void **unused)
{
	struct str err = {0};
	struct replacement r;
	(void)unused;
	assert_true(replace_begin(&r, "raced", 0600, &err));
	fputs("ours", r.to);
	write_file("raced", "theirs", 0600);
	assert_false(replace_end(&r, &err));
	assert_non_null(strstr(err.text, "another process has made it meanwhile"));
	assert_holds("raced", "theirs");
	str_free(&err);
}

static void full_disk(void **unused)
{
	struct str err = {0};
	struct replacement r;
	(void)unused;
	write_file("small", "old", 0600);
	assert_true(replace_begin(&r, "small", 0600, &err));
	int full = open("/dev/full", O_WRONLY);
	assert_true(full >= 0 && dup2(full, fileno(r.to)) >= 0 && !close(full));
	fputs("new", r.to);
	assert_false(replace_end(&r, &err));
	assert_non_null(strstr(err.text, "cannot write 'small': No space left"));
	assert_holds("small", "old");
	str_free(&err);
}

static void streams(void **unused)
{
	struct str err = {0};
	struct stat st;
	char byte = 0;
	(void)unused;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	int reader = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(replace("pipe", "x", &err));
	assert_true(read(reader, &byte, 1) == 1 && byte == 'x' && !close(reader));
	assert_true(!stat("pipe", &st) && S_ISFIFO(st.st_mode));
	assert_true(replace("/dev/null", "x", &err));
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_false(replace("folder", "x", &err));
	str_free(&err);
}

static void hidden_names(void **unused)
{
	(void)unused;
	assert_true(replace_is_hidden(".all.zp.zprof-4711"));
	assert_false(replace_is_hidden("all.zp.zprof-4711"));
	assert_false(replace_is_hidden(".hidden.zp"));
}

static void patterns(void **unused)
{
	static const struct {
		const char *name;
		unsigned pid;
		const char *pattern;
	} cases[] = {
	    {"zprof.out.4711", 4711, "zprof.out.%p"},
	    {"runs/zprof.out.4711", 4711, "zprof.out.%p"},
	    {"zprof.out.4711.2", 4711, "zprof.out.%p"},
	    {"zprof.out.4711", 471, "zprof.out"},
	    {"sim.zp", 4711, "sim.zp"},
	    {"sim.zp.2", 4711, "sim.zp"},
	    {"sim.zp.1", 4711, "sim.zp.1"}, /* never appended */
	    {"sim.zp.02", 4711, "sim.zp.02"},
	    {"4711.zp.3", 4711, "%p.zp"},
	    {"100%.4711", 4711, "100%%.%p"},
	    {"v2.10", 4711, "v2"},
	    {"14711.zp", 4711, "14711.zp"},
	};
	struct str pattern = {0};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		own_names_pattern(cases[i].name, cases[i].pid, &pattern);
		assert_string_equal(pattern.text, cases[i].pattern);
		assert_true(own_names_fit(pattern.text, cases[i].name, cases[i].pid));
	}
	assert_true(own_names_fit("zprof.out.%p", "zprof.out.12", 12));
	assert_true(own_names_fit("zprof.out.%p", "x/zprof.out.12.13", 12));
	assert_false(own_names_fit("zprof.out.%p", "zprof.out.13", 12));
	assert_false(own_names_fit("zprof.out.%p", "zprof.out.12.bak", 12));
	assert_false(own_names_fit("zprof.out.%p", "zprof.out.12~", 12));
	assert_false(own_names_fit("sim.zp", "sim.zp.base", 12));
	str_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(new_file),        cmocka_unit_test(what_stays),
	    cmocka_unit_test(link_to_nothing), cmocka_unit_test(until_the_end),
	    cmocka_unit_test(made_meanwhile),  cmocka_unit_test(full_disk),
	    cmocka_unit_test(streams),         cmocka_unit_test(hidden_names),
	    cmocka_unit_test(patterns),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
