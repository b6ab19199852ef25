/* SPDX-License-Identifier: MIT */
/*
 * plan_damage.c - damaged plans. The plan is this program's own; it stands at the end of a page that
 * none follows, so whoever reads behind it is killed. Whatever the checked reader lets through must
 * be within bounds, which is looked at here by other means.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "preload/displace/plan_read.h"
#include "symbolize/plan/planner.h"

static void *good;
static size_t good_bytes;
static char *end; /* of the last page that can be read */

/* A copy of the good plan, as near to the end as its alignment allows. */
static char *copy(size_t size)
{
	char *at = end - ((size + 7) & ~(size_t)7);
	memcpy(at, good, size);
	return at;
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_number(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

/* What the library would do with a plan: no step may leave the image, the tables or a window. */
static void use(const struct plan *plan)
{
	const struct plan_header *h = plan->header;
	for (uint32_t n = 0; n < h->codes; n++) {
		const struct plan_code *c = &plan->codes[n];
		assert_true((uint64_t)c->start + c->bytes <= h->image_bytes);
		assert_true(c->owner == PLAN_NOBODY || c->owner < h->codes);
		assert_true(plan_find(plan, c->start + c->bytes - 1) == n);
		assert_true(n == 0 || plan_find(plan, c->start - 1) != n);
		assert_true(plan_function_at(plan, c->start) == c->owner);
	}
	assert_true(plan_function_at(plan, h->image_bytes) == PLAN_NOBODY);
	uint64_t overwritten = 0;
	for (uint32_t n = 0; n < h->windows; n++) {
		const struct plan_window *w = &plan->windows[n];
		assert_true(w->patch >= overwritten);
		overwritten = (uint64_t)w->patch + w->bytes;
		assert_true(overwritten <= h->image_bytes && w->bytes >= PLAN_JUMP_BYTES &&
			    w->bytes <= PLAN_WINDOW_BYTES);
		assert_true((uint64_t)w->first_instruction + w->instructions <= h->instructions);
		for (unsigned k = 0; k < w->instructions; k++) {
			const struct plan_instruction *i =
			    &plan->instructions[w->first_instruction + k];
			assert_true(i->at + i->length <= w->bytes && i->target < h->image_bytes);
			assert_true(i->displacement_at == 0 || i->displacement_at + 4 <= i->length);
			assert_true(i->modrm_at < i->length && i->condition < 16);
		}
	}
}

static void the_plan_is_good(void **state)
{
	struct plan plan;
	(void)state;
	assert_true(plan_check(copy(good_bytes), good_bytes, &plan));
	assert_true(plan.header->functions > 20 && plan.header->windows > 20);
	use(&plan);
}

static void a_plan_that_ends_early_or_late_is_refused(void **state)
{
	struct plan plan;
	(void)state;
	for (size_t size = 0; size < good_bytes; size += size < 400 ? 1 : 97)
		assert_false(plan_check(copy(size), size, &plan));
	char *longer = end - ((good_bytes + 15) & ~(size_t)7);
	memcpy(longer, good, good_bytes);
	memset(longer + good_bytes, 0, 8);
	assert_false(plan_check(longer, good_bytes + 8, &plan));
	assert_false(plan_check(end - good_bytes - 4 - (good_bytes % 8), good_bytes, &plan));
}

static void a_changed_byte_is_noticed(void **state)
{
	struct plan plan;
	(void)state;
	char *at = copy(good_bytes);
	for (unsigned tries = 0; tries < 2000; tries++) {
		size_t k = random_number(good_bytes);
		char was = at[k];
		at[k] = (char)(at[k] ^ (1 + (char)random_number(255)));
		assert_true(at[k] == was || !plan_check(at, good_bytes, &plan));
		at[k] = was;
	}
}

/* The sum is right again, as that of a plan that was made to deceive. */
static void what_is_let_through_is_within_bounds(void **state)
{
	static const uint32_t edges[] = {0,    1,          5,          0x7f,      0x80,
					 0xff, 0x7fffffff, 0x80000000, 0xffffffff};
	struct plan plan;
	unsigned refused = 0, tries = 100000;
	(void)state;
	char *at = copy(good_bytes);
	for (unsigned n = 0; n < tries; n++) {
		uint32_t was[3];
		size_t word[3];
		unsigned changes = 1 + (unsigned)random_number(3);
		for (unsigned k = 0; k < changes; k++) {
			/* The header and the first of each table more often than others. */
			word[k] = random_number(random_number(4) ? good_bytes / 4 : 60);
			memcpy(&was[k], at + 4 * word[k], 4);
			uint32_t now = random_number(2) ? edges[random_number(9)]
							: was[k] ^ 1u << random_number(32);
			memcpy(at + 4 * word[k], &now, 4);
		}
		struct plan_header *h = (void *)at;
		h->sum = plan_sum(at, good_bytes);
		if (plan_check(at, good_bytes, &plan))
			use(&plan);
		else
			refused++;
		for (unsigned k = changes; k-- > 0;)
			memcpy(at + 4 * word[k], &was[k], 4);
	}
	assert_true(refused > tries / 4);
}

/* Single fields that the library would follow. */
static void fields_out_of_bounds_are_refused(void **state)
{
	struct plan plan;
	(void)state;
	struct plan_header *h = (void *)copy(good_bytes);
	assert_true(plan_check(h, good_bytes, &plan));
	struct plan_code *c = (void *)(h + 1);
	struct plan_window *w = (void *)(c + h->codes);
	struct plan_instruction *i = (void *)(w + h->windows);
#define REFUSED(field, value)                                                                      \
	do {                                                                                       \
		__typeof__(field) was = field;                                                     \
		field = (value);                                                                   \
		h->sum = plan_sum(h, good_bytes);                                                  \
		assert_false(plan_check(h, good_bytes, &plan));                                    \
		field = was;                                                                       \
	} while (0)
	REFUSED(h->magic[0], 'y');
	REFUSED(h->version, PLAN_VERSION + 1);
	REFUSED(h->header_bytes, 8);
	REFUSED(h->module, PLAN_MODULE_LARGE);
	REFUSED(h->image_bytes, PLAN_IMAGE_BYTES + 1);
	REFUSED(h->image_bytes, c[h->codes - 1].start);
	REFUSED(h->functions, h->functions + 1);
	REFUSED(h->build_id_bytes, PLAN_BUILD_ID + 1);
	REFUSED(c[1].start, c[0].start);
	REFUSED(c[1].bytes, 0);
	REFUSED(c[1].bytes, 0xfffffff0);
	REFUSED(c[1].class, PLAN_CLASSES);
	REFUSED(c[1].refusal, PLAN_REFUSALS);
	REFUSED(c[1].owner, h->codes);
	REFUSED(c[w[1].code].owner, w[0].code);
	REFUSED(c[w[1].code].window, 0);
	REFUSED(c[w[1].code].window, h->windows);
	REFUSED(w[1].code, h->codes);
	REFUSED(w[1].patch, w[1].patch + 1);
	REFUSED(w[1].bytes, 4);
	REFUSED(w[1].bytes, PLAN_WINDOW_BYTES + 1);
	REFUSED(w[1].relay, 1);
	REFUSED(w[1].reserved[1], 1);
	REFUSED(w[1].reserved_2[2], 1);
	REFUSED(w[1].instructions, 0);
	REFUSED(w[1].instructions, PLAN_INSTRUCTIONS + 1);
	REFUSED(w[1].first_instruction, 0);
	REFUSED(i[0].at, 1);
	REFUSED(i[0].length, 0);
	REFUSED(i[0].length, 16);
	REFUSED(i[0].kind, PLAN_KINDS);
	REFUSED(i[0].target, h->image_bytes);
	REFUSED(i[0].reserved[0], 1);
	/* The original bytes say where a branch or an operand leads to, so the target must agree. */
	bool tried[PLAN_KINDS] = {false};
	for (uint32_t n = 0; n < h->instructions; n++) {
		unsigned kind = i[n].kind;
		if (kind == PLAN_KIND_COPY || kind == PLAN_KIND_END || !i[n].target || tried[kind])
			continue;
		tried[kind] = true;
		REFUSED(i[n].target, i[n].target ^ 4);
		if (kind == PLAN_KIND_OPERAND || kind == PLAN_KIND_OPERAND_END)
			REFUSED(i[n].displacement_at, i[n].length - 3);
		if (kind == PLAN_KIND_JCC)
			REFUSED(i[n].condition, i[n].condition ^ 1);
	}
	assert_true(tried[PLAN_KIND_OPERAND]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_plan_is_good),
	    cmocka_unit_test(a_plan_that_ends_early_or_late_is_refused),
	    cmocka_unit_test(a_changed_byte_is_noticed),
	    cmocka_unit_test(what_is_let_through_is_within_bounds),
	    cmocka_unit_test(fields_out_of_bounds_are_refused),
	};
	const char *error = planner_make("/proc/self/exe", &good, &good_bytes);
	size_t room = (good_bytes + 3 * 4096) & ~(size_t)4095;
	char *pages =
	    mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (error || pages == MAP_FAILED || mprotect(pages + room, 4096, PROT_NONE) != 0)
		return 2;
	end = pages + room;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
