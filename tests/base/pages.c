/* SPDX-License-Identifier: MIT */
/*
 * pages.c - what depends on the size of the system's pages, which this test makes up: 4, 16 and 64 KiB.
 * (Whole programs on such systems: tests/arm64/pages.sh.)
 */
#include "preload/base/sys.h"
#include "preload/profile/planes.h"
#include "preload/sample/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static uint32_t page;

uint32_t __real_sys_page_bytes(void);
uint32_t __wrap_sys_page_bytes(void);

uint32_t __wrap_sys_page_bytes(void)
{
	return page ? page : __real_sys_page_bytes();
}

static const uint32_t sizes[] = {4096, 16384, 65536};

static void the_system_says_how_large_its_pages_are(void **state)
{
	(void)state;
	page = 0;
	assert_int_equal(sys_page_bytes(), getpagesize());
}

static void bytes_are_rounded_up_to_pages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		page = sizes[i];
		assert_int_equal(sys_whole_pages(1), page);
		assert_int_equal(sys_whole_pages(page), page);
		assert_int_equal(sys_whole_pages(page + 1), 2 * page);
		assert_int_equal(PLANES_TWIN % page, 0);
		assert_int_equal(SYS_PAGE_MOST % page, 0);
	}
}

static void a_ring_has_a_page_for_notes_at_least(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		page = sizes[i];
		assert_int_equal(event_room(4096), page);
		assert_int_equal(event_room(262144), 262144);
	}
}

/* A note that goes on at the beginning of the ring. */
static void notes_stand_behind_the_first_page(void **state)
{
	static uint64_t memory[3 * SYS_PAGE_MOST / 8];
	const uint64_t note[] = {1, 2, 3};
	uint64_t copy[3];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint32_t room;

		page = sizes[i];
		room = event_room(4096);
		memset(memory, 0, sizeof(memory));
		memory[(page + room) / 8 - 1] = note[0];
		memory[page / 8] = note[1];
		memory[page / 8 + 1] = note[2];
		event_copy((const char *)memory, room, 7 * (uint64_t)room - 8, copy, sizeof(copy));
		assert_memory_equal(copy, note, sizeof(note));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_system_says_how_large_its_pages_are),
	    cmocka_unit_test(bytes_are_rounded_up_to_pages),
	    cmocka_unit_test(a_ring_has_a_page_for_notes_at_least),
	    cmocka_unit_test(notes_stand_behind_the_first_page),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
