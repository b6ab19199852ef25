/* SPDX-License-Identifier: MIT */
/*
 * arm64.c - code of arm64: the hash that stays when a function is linked elsewhere, and the blocks that
 * count themselves. (What single instructions do, Capstone is asked: instructions-oracle.sh.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "symbolize/blocks.h"
#include "symbolize/codeprint.h"

#define WORDS(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the hash */

static uint64_t print_of(const uint32_t *words, size_t bytes)
{
	struct image_code code = {.bytes = (const unsigned char *)words, .machine = EM_AARCH64};
	uint64_t print = 0;

	assert_true(codeprint(&code, bytes, &print));
	return print;
}

/* A function whose addresses, and where it keeps one, are left open. */
struct made {
	uint32_t page, in_page, call, constant, field, jump;
};

static uint64_t made_print(struct made m)
{
	const uint32_t words[] = {
	    0xa9be7bfd,                    /* stp  x29, x30, [sp, #-32]! */
	    0x90000000 | m.page << 5,      /* adrp x0, page */
	    0x52800061,                    /* mov  w1, #3 */
	    0x91000000 | m.in_page << 10,  /* add  x0, x0, #in_page */
	    0xb9400002 | m.field << 10,    /* ldr  w2, [x0, #4 * field] */
	    0x11000042 | m.constant << 10, /* add  w2, w2, #constant */
	    0x94000000 | m.call,           /* bl   call */
	    0x54000000 | m.jump << 5,      /* b.eq jump */
	    0xa8c27bfd,                    /* ldp  x29, x30, [sp], #32 */
	    0xd65f03c0,                    /* ret */
	};

	return print_of(words, sizeof(words));
}

static const struct made usual = {
    .page = 16, .in_page = 0x28, .call = 0x45, .constant = 1, .field = 2, .jump = 1};

static void addresses_do_not_matter(void **state)
{
	struct made m = usual;

	(void)state;
	m.page = 3;
	m.in_page = 0xff0;
	m.call = 0x3ffff00;
	assert_true(made_print(m) == made_print(usual));
}

static void all_else_does(void **state)
{
	struct made m = usual;

	(void)state;
	m.constant = 2;
	assert_false(made_print(m) == made_print(usual));
	m = usual;
	m.field = 3; /* by x0, which is no page any more */
	assert_false(made_print(m) == made_print(usual));
	m = usual;
	m.jump = 2;
	assert_false(made_print(m) == made_print(usual));
}

/* b.eq out of the function, to where the linker has put another. */
static void jumps_out_of_the_function_do_not_matter(void **state)
{
	struct made near = usual, far = usual;

	(void)state;
	near.jump = 100;
	far.jump = 0x7ff00;
	assert_true(made_print(near) == made_print(far));
}

/*
 *     cbz  x3, L
 *     adrp x0, page
 *     b    M
 *  L: adrp x0, other page
 *     mov  x0, x1             x0 is no page here
 *     adrp x0, a third
 *     b    M
 *     mov  x0, x1
 *  M: ldr  x2, [x0, #in_page] but here, where two jumps lead
 */
static uint64_t joined_print(uint32_t page, uint32_t in_page)
{
	const uint32_t words[] = {
	    0xb4000063,             /* cbz  x3, +3 */
	    0x90000000 | page << 5, /* adrp x0, page */
	    0x14000006,             /* b    +6 */
	    0x90000000 | page << 5,
	    0xaa0103e0,
	    0x90000000 | page << 5,
	    0x14000002,                 /* b    +2 */
	    0xaa0103e0,                 /* mov  x0, x1 */
	    0xf9400002 | in_page << 10, /* ldr  x2, [x0, #8 * in_page] */
	    0xd65f03c0,
	};

	return print_of(words, sizeof(words));
}

static void addresses_go_with_jumps(void **state)
{
	(void)state;
	assert_true(joined_print(1, 2) == joined_print(9, 5));
}

static void other_processors_code_has_no_hash(void **state)
{
	const struct image_code code = {.bytes = (const unsigned char *)"\0\0\0\0",
					.machine = EM_ARM};
	uint64_t print;

	(void)state;
	assert_false(codeprint(&code, 4, &print));
}

/* ---- blocks */

enum { START = 0x4000, STUB = 0x3000 };

/* bl STUB, as word `i` of the function */
#define COUNTS(i) (0x94000000 | (((uint32_t)(STUB - START) / 4 - (i)) & 0x3ffffff))

struct seen {
	struct symbolize_block block[8];
	size_t count;
};

static bool keep(void *context, const struct symbolize_block *block)
{
	struct seen *s = context;

	s->block[s->count++] = *block;
	return s->count < WORDS(s->block);
}

/*
 *      0  stp  x29, x30, [sp, #-16]!
 *      1  bl   stub                 the first block
 *      2  cbz  w0, 6                leaves it
 *      3  bl   stub                 the second
 *      4  tbz  w1, #0, 6            leaves it
 *      5  bl   other                after the jump: of no block
 *      6  bl   stub                 the third, which goes on
 *      7  b.ne 9                    ... since this jump stays in it
 *      8  add  w0, w0, #1
 *      9  ldp  x29, x30, [sp], #16
 *     10  ret
 */
static void blocks_are_found(void **state)
{
	const uint32_t words[] = {0xa9bf7bfd, COUNTS(1),  0x34000080, COUNTS(3),
				  0x36000041, 0x94000100, COUNTS(6),  0x54000041,
				  0x11000400, 0xa8c17bfd, 0xd65f03c0};
	const struct image_code code = {.bytes = (const unsigned char *)words,
					.machine = EM_AARCH64};
	const struct symbolize_callee callee = {.stub = STUB};
	struct seen seen = {.count = 0};

	(void)state;
	blocks_each(&code, START, sizeof(words), &callee, keep, &seen);
	assert_int_equal(3, seen.count);
	assert_true(seen.block[0].first);
	assert_false(seen.block[1].first);
	assert_int_equal(START + 4, seen.block[0].call);
	assert_int_equal(START + 8, seen.block[0].start);
	assert_int_equal(START + 12, seen.block[0].end);
	assert_int_equal(START + 16, seen.block[1].start);
	assert_int_equal(START + 20, seen.block[1].end);
	assert_int_equal(START + 28, seen.block[2].start);
	assert_int_equal(START + 44, seen.block[2].end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_do_not_matter),
	    cmocka_unit_test(all_else_does),
	    cmocka_unit_test(jumps_out_of_the_function_do_not_matter),
	    cmocka_unit_test(addresses_go_with_jumps),
	    cmocka_unit_test(other_processors_code_has_no_hash),
	    cmocka_unit_test(blocks_are_found),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
