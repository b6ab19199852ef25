/* SPDX-License-Identifier: MIT */
/* buckets: the map from addresses to classes of buckets that nest and overlap, and what is charged
 * to metrics through it, compared with counting each bucket by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "vm-6502/profile/forth-buckets.h"
#include "vm-6502/native/forth-next.h"

enum { CORE_CELL = 0x0300, CORE_END = 0x1000, BUCKETS = 12, NEXTS = 20000 };

struct fixture {
	struct m6502 m;
	struct forth_image image;
	struct forth_names *names;
	struct forth_buckets *b;
};

static void ignore(void *context, uint16_t xt)
{
	(void)context;
	(void)xt;
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	m6502_init(&f->m, M6502_NMOS);
	f->image.core = CORE_CELL;
	f->image.buckets = f->image.metrics = f->image.voclink = 0x0310;
	m6502_poke(&f->m, CORE_CELL + 1, CORE_END >> 8);
	f->names = forth_names_new(&f->m, &f->image, NULL, ignore, NULL);
	f->b = forth_buckets_new(&f->m, &f->image, f->names);
	*state = f;
	return f->names && f->b ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	forth_buckets_free(f->b);
	forth_names_free(f->names);
	free(f);
	return 0;
}

static void a_class_is_a_set_of_buckets(void **state)
{
	struct forth_buckets *b = ((struct fixture *)*state)->b;

	forth_buckets_add(b, "[outer]", 0x2000, 0x3000);
	forth_buckets_add(b, "[inner]", 0x2400, 0x2800);
	forth_buckets_add(b, "[across]", 0x2600, 0x3200);
	assert_true(forth_buckets_begin(b));
	assert_int_equal(b->class_at[0x0fff], CLASS_KEEP);
	assert_int_equal(b->class_at[0x1000], CLASS_ETC);
	assert_int_equal(b->class_at[0x3200], CLASS_ETC);
	assert_int_equal(b->class_at[0xffff], CLASS_ETC);
	assert_int_equal(b->classes, 6); /* none, o, o i, o i a, o a, a */
	assert_int_equal(b->class[b->class_at[0x2700]].buckets, 3);
	assert_int_equal(b->class[b->class_at[0x27ff]].inner, 1);
	assert_int_equal(b->class_at[0x2000], b->class_at[0x23ff]);
}

static void a_class_has_a_name_of_its_own(void **state)
{
	struct forth_buckets *b = ((struct fixture *)*state)->b;
	char group[64];

	a_class_is_a_set_of_buckets(state);
	assert_string_equal(forth_class_name(b, CLASS_ETC), "(etc)");
	assert_string_equal(forth_class_name(b, b->class_at[0x2500]), "[inner]");
	assert_string_equal(forth_class_name(b, b->class_at[0x2700]), "[outer]+[inner]+[across]");
	assert_string_equal(forth_class_name(b, b->class_at[0x2500]), "[inner]");
	forth_bucket_group(&b->bucket[0], group);
	assert_string_equal(group, "outer");
}

/* The loop is asked to look where the class is left, and nowhere else. */
static void the_loop_asks_where_the_class_is_left(void **state)
{
	struct forth_buckets *b = ((struct fixture *)*state)->b;
	const uint8_t *ask;

	a_class_is_a_set_of_buckets(state);
	ask = forth_buckets_ask(b, b->class_at[0x2400]);
	assert_non_null(ask);
	for (uint32_t at = 0; at < 0x10000; at++)
		assert_int_equal(!!(ask[at] & FORTH_ASK),
				 at >= CORE_END && (at < 0x2400 || at >= 0x2600));
	forth_buckets_add(b, "late", 0x2500, 0x2501);
	assert_true(forth_buckets_begin(b));
	assert_true(ask[0x2500] & FORTH_ASK);
	assert_false(ask[0x2501] & FORTH_ASK);
}

/* Charges NEXTs at random addresses, and counts each metric as a guest does. */
static void charge(struct forth_buckets *b, const struct forth_metric *metric, uint64_t *counted)
{
	uint32_t slot = 0;
	uint64_t cycles = 0;

	for (int i = 0; i < NEXTS; i++) {
		uint16_t ip = rand() % 4 ? 0x1000 + rand() % 0x3000 : rand() % 0x1000;
		if (b->class_at[ip] != CLASS_KEEP)
			forth_buckets_move(b, b->class_at[ip], i, cycles);
		if (ip >= CORE_END) {
			slot = 0;
			for (uint32_t k = metric->buckets; k-- > 0;) {
				const struct forth_bucket *bucket = &b->bucket[metric->bucket[k]];
				if (bucket->start <= ip && ip < bucket->end)
					slot = k + 1;
			}
		}
		counted[slot]++;
		cycles += 34;
	}
	forth_buckets_move(b, b->now, NEXTS, cycles);
}

static void a_metric_counts_as_its_buckets_alone_would(void **state)
{
	struct forth_buckets *b = ((struct fixture *)*state)->b;
	uint32_t order[BUCKETS];
	uint64_t counted[BUCKETS + 1] = {0}, all = 0;

	srand(6502);
	for (int i = 0; i < BUCKETS; i++) {
		uint32_t start = 0x1000 + rand() % 0x2800;
		forth_buckets_add(b, "b", start, start + 1 + rand() % 0x800);
		order[i] = BUCKETS - 1 - i;
	}
	assert_true(forth_buckets_begin(b));
	assert_int_equal(forth_buckets_add_metric(b, "m", order, BUCKETS), 0);
	charge(b, &b->metric[0], counted);
	for (uint32_t i = 0; i <= BUCKETS; i++) {
		struct forth_charge sum = forth_buckets_charge(b, &b->metric[0], i);
		assert_int_equal(sum.nexts, counted[i]);
		assert_int_equal(sum.as_run, 34 * sum.nexts);
		all += sum.nexts;
	}
	assert_int_equal(all, NEXTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_class_is_a_set_of_buckets, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_class_has_a_name_of_its_own, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(the_loop_asks_where_the_class_is_left, set_up,
					    tear_down),
	    cmocka_unit_test_setup_teardown(a_metric_counts_as_its_buckets_alone_would, set_up,
					    tear_down),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
