/* SPDX-License-Identifier: MIT */
/*
 * report_outside.c - which of a process's programs is the one that the user named, as the kernel tells of
 * samples, of files that are mapped, and of programs that take each other's place:
 *
 *     sample   exec   map ...             a sample of the very call that starts the program is the program's
 *     exec     map    exec   map ...      a program without samples leaves the name to the next
 *     exec     map    sample exec ...     one with samples keeps it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "report/second_run/outside.h"
#include "report/second_run/rings.h"

static struct outside o;

static void sample(uint64_t time)
{
	struct rings_sample s = {.header = {.type = PERF_RECORD_SAMPLE,
					    .misc = PERF_RECORD_MISC_KERNEL,
					    .size = sizeof s},
				 .pid = (uint32_t)getpid(),
				 .tid = (uint32_t)getpid(),
				 .time = time};

	outside_take(&o, &s.header);
}

/* With the process, the thread and the time behind the name, as the kernel writes them. */
static void becomes(const char *name, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[16];
		uint32_t pid_again, tid_again;
		uint64_t time;
	} n = {.header = {.type = PERF_RECORD_COMM,
			  .misc = PERF_RECORD_MISC_COMM_EXEC,
			  .size = sizeof n},
	       .pid = (uint32_t)getpid(),
	       .tid = (uint32_t)getpid(),
	       .time = time};

	strncpy(n.name, name, sizeof n.name - 1);
	outside_take(&o, &n.header);
}

static void map(uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t address, bytes, offset;
		char path[8];
		uint64_t id, time;
	} m = {.header = {.type = PERF_RECORD_MMAP, .size = sizeof m},
	       .pid = (uint32_t)getpid(),
	       .tid = (uint32_t)getpid(),
	       .address = 0x10000,
	       .bytes = 0x1000,
	       .path = "no/file",
	       .time = time};

	outside_take(&o, &m.header);
}

static int begin(void **state)
{
	(void)state;
	outside_init(&o, getpid(), false, 1000000);
	return 0;
}

static int end(void **state)
{
	(void)state;
	outside_free(&o);
	return 0;
}

static void a_sample_of_the_call_that_starts_the_program_is_the_programs(void **state)
{
	(void)state;
	sample(1);
	becomes("program", 2);
	map(3);
	sample(4);
	assert_int_equal(1, o.image_count);
	assert_int_equal(2, o.images[0]->samples);
	assert_true(o.images[0]->first);
	assert_string_equal("program", o.images[0]->name);
}

static void a_program_without_samples_leaves_the_name_to_the_next(void **state)
{
	(void)state;
	becomes("env", 1);
	map(2);
	becomes("program", 3);
	map(4);
	sample(5);
	assert_int_equal(2, o.image_count);
	assert_false(o.images[0]->first);
	assert_true(o.images[1]->first);
	assert_int_equal(1, o.images[1]->samples);
}

static void a_program_with_samples_keeps_it(void **state)
{
	(void)state;
	becomes("shell", 1);
	map(2);
	sample(3);
	becomes("program", 4);
	map(5);
	sample(6);
	assert_int_equal(2, o.image_count);
	assert_true(o.images[0]->first);
	assert_true(o.images[0]->ended);
	assert_false(o.images[1]->first);
	assert_int_equal(1, o.images[1]->samples);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_sample_of_the_call_that_starts_the_program_is_the_programs),
	    TEST(a_program_without_samples_leaves_the_name_to_the_next),
	    TEST(a_program_with_samples_keeps_it),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
