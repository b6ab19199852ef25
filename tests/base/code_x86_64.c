/* SPDX-License-Identifier: MIT */
/* code_x86_64.c - which system call a piece of code makes (preload/base/cpu/x86_64.h), as the C libraries write it. */
#define _GNU_SOURCE
#include "preload/base/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

/* Code behind 64 bytes without meaning, which the functions may look at. */
static unsigned char room[128];

static uintptr_t behind(const char *code, size_t size)
{
	memset(room, 0x90, sizeof(room));
	memcpy(room + 64, code, size);
	return (uintptr_t)room + 64 + size;
}
#define BEHIND(code) behind(code, sizeof(code) - 1)

static void the_number_is_a_constant(void **state)
{
	(void)state;
	assert_int_equal(cpu_system_call_before(BEHIND("\xb8\xca\x00\x00\x00\x0f\x05")), 0xca);
	assert_int_equal(cpu_system_call_before(BEHIND("\xb8\xe6\x00\x00\x00\x48\x89\xdf\x0f\x05")),
			 0xe6);
	assert_int_equal(cpu_system_call_before(BEHIND("\x31\xc0\x0f\x05")), 0);
}

static void no_constant_is_made_up(void **state)
{
	(void)state;
	assert_int_equal(cpu_system_call_before(BEHIND("\x0f\x05")), -1);
	assert_int_equal(cpu_system_call_before(BEHIND("\x0f\x0b")), -1);
	/* of r8d; then one that no system has; then of another register's value */
	assert_int_equal(cpu_system_call_before(BEHIND("\x41\xb8\x07\x00\x00\x00\x0f\x05")), -1);
	assert_int_equal(cpu_system_call_before(BEHIND("\xb8\x00\x00\x01\x00\x0f\x05")), -1);
	assert_int_equal(cpu_system_call_before(BEHIND("\xb8\x07\x00\x00\x00\x89\xd8\x0f\x05")),
			 -1);
}

static void the_number_is_on_the_stack(void **state)
{
	(void)state;
	assert_int_equal(cpu_system_call_slot(BEHIND("\x48\x8b\x44\x24\x10\x0f\x05")), 0x10);
	assert_int_equal(cpu_system_call_slot(BEHIND("\x48\x8b\x44\x24\x10\x90\x0f\x05")), -1);
	assert_int_equal(cpu_system_call_slot(BEHIND("\x48\x8b\x44\x24\x10")), -1);
}

/* mov 32(%rsp),%rsi; call. The inner function has the return address above its stack pointer. */
static void the_number_is_on_the_callers_stack(void **state)
{
	unsigned char caller[64 + 11];
	uintptr_t returns_to = (uintptr_t)caller + sizeof(caller);
	uintptr_t at = BEHIND("\x48\x89\xf0\x90\x90\x0f\x05");

	(void)state;
	memset(caller, 0x90, sizeof(caller));
	memcpy(caller + 64, "\x48\x8b\x74\x24\x20\x90\xe8\0\0\0\0", 11);
	assert_int_equal(cpu_system_call_slot_of_caller(at, returns_to), 32 + 8);
	caller[64 + 6] = 0xff;
	assert_int_equal(cpu_system_call_slot_of_caller(at, returns_to), -1);
	caller[64 + 6] = 0xe8;
	caller[64] = 0x90;
	assert_int_equal(cpu_system_call_slot_of_caller(at, returns_to), -1);
	caller[64] = 0x48;
	at = BEHIND("\x48\x89\xc0\x90\x90\x0f\x05");
	assert_int_equal(cpu_system_call_slot_of_caller(at, returns_to), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_number_is_a_constant),
	    cmocka_unit_test(no_constant_is_made_up),
	    cmocka_unit_test(the_number_is_on_the_stack),
	    cmocka_unit_test(the_number_is_on_the_callers_stack),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
