/* SPDX-License-Identifier: MIT */
/*
 * Damaged files, and files that are not programs: every lookup still answers, and the notice says
 * what is wrong. The damaged program is a small one, built by the test itself.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/symbolize.h"

static char dir[] = "/tmp/zprof-damage.XXXXXX";
static char victim[64], copy[64];
static char *whole;
static size_t whole_bytes;
static size_t named; /* how many addresses got names */

static void put(const char *path, const void *bytes, size_t count)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, count), count);
	close(fd);
}

static bool see_function(void *context, const struct symbolize_function *f)
{
	assert_non_null(f->name);
	assert_non_null(f->linkage);
	(void)context;
	return true;
}

static bool see_line(void *context, const struct symbolize_line *line)
{
	assert_true(line->size > 0);
	(void)context;
	return true;
}

/* Asks everything there is to ask. */
static void interrogate(const char *path)
{
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = symbolize_add(s, path, NULL, 0, SYMBOLIZE_FILE);
	struct symbolize_result r;

	for (uint64_t address = 0; address < 0x3000; address += 8) {
		symbolize_lookup(m, address, &r);
		assert_non_null(r.name);
		assert_non_null(r.linkage);
		assert_true(r.frame_count >= 1);
		for (size_t i = 0; i < r.frame_count; i++)
			assert_non_null(r.frames[i].name);
		named += r.quality != SYMBOLIZE_NONE;
	}
	symbolize_lookup(m, UINT64_MAX, &r);
	assert_non_null(r.name);
	symbolize_functions(m, true, see_function, NULL);
	symbolize_lines(m, 0, UINT64_MAX, see_line, NULL);
	symbolize_lines(m, 0x1000, 0x2000, see_line, NULL);
	symbolize_notice(m);
	symbolize_free(s);
}

static int set_up(void **state)
{
	char command[300];
	struct stat st;
	int fd;

	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	snprintf(copy, sizeof(copy), "%s/copy", dir);
	snprintf(command, sizeof(command),
		 "cd %s && printf 'static inline __attribute__((always_inline)) int in(int a) "
		 "{ return a * 3; }\\nint f(int a) { return in(a) + 1; }\\n"
		 "int main(int c, char **v) { return f(c) + !v; }\\n' >v.c && "
		 "gcc -g -O1 -gz=none v.c -o victim",
		 dir);
	if (system(command) != 0 || (fd = open(victim, O_RDONLY | O_CLOEXEC)) < 0)
		return -1;
	if (fstat(fd, &st) != 0 || !(whole = malloc(st.st_size)))
		return -1;
	whole_bytes = read(fd, whole, st.st_size);
	close(fd);
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	free(whole);
	return system(command);
}

static void the_whole_file_is_understood(void **state)
{
	(void)state;
	named = 0;
	interrogate(victim);
	assert_true(named > 10);
}

/* Cuts at every byte of the headers, and in the rest so often that each section is cut. */
static void cut_at_many_lengths(void **state)
{
	(void)state;
	for (size_t bytes = 0; bytes < whole_bytes; bytes += bytes < 1024 ? 1 : 37) {
		put(copy, whole, bytes);
		interrogate(copy);
	}
}

/* xorshift64: the same damage every time. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void with_bytes_changed(void **state)
{
	uint64_t seed = 0x5eed;
	char *damaged = malloc(whole_bytes);

	(void)state;
	for (int i = 0; i < 400; i++) {
		memcpy(damaged, whole, whole_bytes);
		for (int n = 1 + next_random(&seed) % 16; n > 0; n--)
			damaged[next_random(&seed) % whole_bytes] = next_random(&seed);
		put(copy, damaged, whole_bytes);
		interrogate(copy);
	}
	free(damaged);
}

static void assert_refused(const char *path, const char *why)
{
	struct symbolizer *s = symbolize_new();
	struct symbolize_module *m = symbolize_add(s, path, NULL, 0, SYMBOLIZE_FILE);
	struct symbolize_result r;
	char want[100];

	symbolize_lookup(m, 0x1f, &r);
	snprintf(want, sizeof(want), "%s+0x1f", strrchr(path, '/') + 1);
	assert_string_equal(r.name, want);
	assert_int_equal(r.quality, SYMBOLIZE_NONE);
	assert_non_null(symbolize_notice(m));
	assert_non_null(strstr(symbolize_notice(m), path));
	if (!strstr(symbolize_notice(m), why))
		fail_msg("'%s' does not say '%s'", symbolize_notice(m), why);
	symbolize_free(s);
}

static void files_that_are_not_programs_are_refused_by_name(void **state)
{
	char pipe[64], text[64], empty[64], archive[64], gone[64];

	(void)state;
	snprintf(pipe, sizeof(pipe), "%s/pipe", dir);
	snprintf(text, sizeof(text), "%s/text", dir);
	snprintf(empty, sizeof(empty), "%s/empty", dir);
	snprintf(archive, sizeof(archive), "%s/archive", dir);
	snprintf(gone, sizeof(gone), "%s/gone", dir);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	put(text, "no program\n", 11);
	put(empty, "", 0);
	put(archive, "!<arch>\n", 8);
	assert_refused(pipe, "not a regular file");
	assert_refused(dir, "not a regular file");
	assert_refused(text, "not an ELF file");
	assert_refused(empty, "empty");
	assert_refused(archive, "not an ELF file");
	assert_refused(gone, "gone");
	if (geteuid() != 0) {
		assert_int_equal(chmod(text, 0), 0);
		assert_refused(text, "cannot be read");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_whole_file_is_understood),
	    cmocka_unit_test(cut_at_many_lengths),
	    cmocka_unit_test(with_bytes_changed),
	    cmocka_unit_test(files_that_are_not_programs_are_refused_by_name),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
