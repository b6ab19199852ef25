/* SPDX-License-Identifier: MIT */
/* report_reader.c - any bytes give a profile, or an error that says what is wrong and where;
 * correct ones are read as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/tree/derive.h"
#include "report/core/load/load.h"
#include "tests/core/profile_builder.h"

static const char small[] = "clock fake\n"
			    "command ./prog a\n"
			    "note taken for a test\n"
			    "flags finished\n"
			    "module 7 /nowhere/libx.so 0x10000 0x20000 0x10000\n"
			    "zone word group=words file=x.fs line=3\n"
			    "section 2\n"
			    "thread 11 main 1\n"
			    "  outside 4\n"
			    "  main 1 10\n"
			    "    word 2 20\n"
			    "via @7+0x50 0x777\n"
			    "      @7+0x123 3 30\n"
			    "    @7+0x123 1 5 open\n"
			    "thread 12 worker 3\n"
			    "  main 2 7\n"
			    "  (table) 0 0 overflow\n"
			    "    main 0 0 overflow\n"
			    "      word 3 2 overflow\n";

struct sample {
	uint8_t *bytes;
	size_t n;
};

static struct sample make(const char *text)
{
	struct sample s;
	s.bytes = profile_build(text, &s.n);
	assert_non_null(s.bytes);
	return s;
}

static struct zprof_header *header(struct sample *s)
{
	return (struct zprof_header *)s->bytes;
}

/* Offset of the N-th section of a type; the test is wrong when there is none. */
static size_t section_at(const struct sample *s, uint32_t type, int nth)
{
	for (size_t at = ZPROF_GRANULE; at < s->n;) {
		struct zprof_section head;
		memcpy(&head, s->bytes + at, sizeof head);
		if (head.type == type && nth-- == 0)
			return at;
		at += head.bytes;
	}
	fail();
	return 0;
}

static struct zprof_section *section(struct sample *s, uint32_t type, int nth)
{
	return (struct zprof_section *)(s->bytes + section_at(s, type, nth));
}

static struct zprof_node *node(struct sample *s, int nth_section, int i)
{
	return (struct zprof_node *)(section(s, ZPROF_SECTION_NODES, nth_section) + 1) + i;
}

/* Loads all the way to functions, as a command does. */
static void use(const struct profile *p)
{
	struct load l;
	struct derived d;
	const char *wrong;
	load_init(&l, false);
	load_profile(&l, p);
	assert_true(tree_check(&l.tree));
	derive(&d, &l.tree, l.zones.count);
	assert_true(derive_check(&d, &l.tree, &wrong));
	for (size_t i = 0; i < l.vias.count; i++) {
		const struct via_way *way = &l.vias.ways[i];
		struct via_names names;
		assert_true(via_names_of(&l.vias, &l.zones, way->caller, way->callee, &names));
		via_names_free(&names);
	}
	derive_free(&d);
	load_free(&l);
}

static void assert_refused(const struct sample *s, const char *because)
{
	struct profile p;
	struct str err = {0};
	assert_false(profile_parse(&p, "the-file", s->bytes, s->n, &err));
	if (!strstr(str_text(&err), because) || !strstr(str_text(&err), "'the-file'"))
		fail_msg("'%s' does not say '%s'", str_text(&err), because);
	str_free(&err);
}

static void what_was_written_is_read(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	struct profile p;
	struct str err = {0};
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	assert_int_equal(p.damage.used, 0);
	assert_int_equal(p.command_count, 2);
	assert_string_equal(p.command[1], "a");
	assert_string_equal(p.notes[0], "taken for a test");
	assert_int_equal(p.thread_count, 2);
	assert_int_equal(p.threads[1].count, 3);
	assert_int_equal(p.node_count, 10);
	assert_int_equal(p.range_count, 5);
	assert_string_equal(profile_find_module(&p, 7)->path, "/nowhere/libx.so");
	assert_null(profile_find_module(&p, 8));
	assert_string_equal(p.zones[0].group, "words");
	assert_int_equal(p.via_count, 1);
	assert_int_equal(p.vias[0].fixed.node, 2);
	assert_int_equal(p.vias[0].fixed.count, 2);
	assert_true(p.vias[0].fixed.whole);
	assert_true(p.vias[0].addresses[0] == 0x10050 && p.vias[0].addresses[1] == 0x777);
	struct load l;
	struct derived d;
	load_init(&l, false);
	load_profile(&l, &p);
	derive(&d, &l.tree, l.zones.count);
	assert_int_equal(d.whole.ticks, 74);
	assert_int_equal(d.functions[0].self.ticks, 4);
	assert_int_equal(d.calls, 12);
	assert_int_equal(d.zones_used, 3);
	derive_free(&d);
	load_free(&l);
	profile_free(&p);
	free(s.bytes);
}

/* In the file a parent may come behind its child, in another section, as with a signal handler's
 * nodes. */
static void parents_may_come_later(void **unused)
{
	(void)unused;
	struct sample s = make("section 2\nthread 1 t 1\n  a 1 1\n    b 1 2\n      c 1 4\n");
	struct zprof_node root = *node(&s, 0, 0), a = *node(&s, 0, 1), b = *node(&s, 1, 0),
			  c = *node(&s, 1, 1);
	uint32_t first = (uint32_t)(((uint8_t *)node(&s, 0, 0) - s.bytes) / 32);
	uint32_t last = (uint32_t)(((uint8_t *)node(&s, 1, 1) - s.bytes) / 32);
	/* sections (c b) and (a root): each node's parent comes after it */
	a.parent = last;
	b.parent = last - 1;
	c.parent = first + 1;
	*node(&s, 0, 0) = c;
	*node(&s, 0, 1) = b;
	*node(&s, 1, 0) = a;
	*node(&s, 1, 1) = root;
	struct zprof_thread *t = (struct zprof_thread *)(section(&s, ZPROF_SECTION_THREADS, 0) + 1);
	t->root = last;
	struct profile p;
	struct str err = {0};
	if (!profile_parse(&p, "x", s.bytes, s.n, &err))
		fail_msg("%s", str_text(&err));
	struct load l;
	struct derived d;
	load_init(&l, false);
	load_profile(&l, &p);
	assert_int_equal(l.tree.thread_count, 1);
	assert_int_equal(l.tree.count, 4);
	derive(&d, &l.tree, l.zones.count);
	assert_int_equal(d.arc_count, 3);
	assert_int_equal(d.whole.ticks, 7);
	derive_free(&d);
	load_free(&l);
	profile_free(&p);
	free(s.bytes);
}

static void twins_are_one_context(void **unused)
{
	(void)unused;
	struct sample s =
	    make("thread 1 t 1\n  a 1 10\n    b 2 20\n      c 5 1\n    b 3 30\n      c 6 2\n");
	struct profile p;
	struct str err = {0};
	struct load l;
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	load_init(&l, false);
	load_profile(&l, &p);
	assert_int_equal(l.tree.count, 4);
	assert_int_equal(l.tree.nodes[2].calls, 5);
	assert_int_equal(l.tree.nodes[2].self.ticks, 50);
	assert_int_equal(l.tree.nodes[3].calls, 11);
	load_free(&l);
	profile_free(&p);
	free(s.bytes);
}

/* The two layers: ticks stay as they are, ns lose the hooks' cost at the callee and at the caller,
 * signed. */
static void hooks_are_subtracted_node_by_node(void **unused)
{
	(void)unused;
	struct sample s = make("clock tsc 1000000000\nhooks 2000 3000 500\nthread 1 t 1\n"
			       "  a 1 100\n    b 10 15\n");
	struct profile p;
	struct str err = {0};
	struct load l;
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	load_init(&l, false);
	load_profile(&l, &p);
	const struct node *root = &l.tree.nodes[0], *a = &l.tree.nodes[1], *b = &l.tree.nodes[2];
	assert_true(root->self.ns == -3);
	assert_true(a->self.ns == 100 - 2 - 10 * 3);
	assert_true(b->self.ns == 15 - 10 * 2);
	assert_int_equal(b->self.ticks, 15);
	assert_true(a->self.error_ns == 0.5 + 5 && b->self.error_ns == 5);
	assert_true(a->self.all_error_ns == 0.5 && b->self.all_error_ns == 5);
	assert_true(load_hook_ns(&l) == 11 * 5);
	load_free(&l);
	load_init(&l, true);
	load_profile(&l, &p);
	assert_true(l.tree.nodes[1].self.ns == 100 && l.tree.nodes[1].self.error_ns == 0);
	load_free(&l);
	profile_free(&p);
	free(s.bytes);
}

/* The clock's rate is that of the recording, unless it was short, or one of its two clocks did not go forward. */
static void the_rate_is_measured_where_it_can_be(void **unused)
{
	(void)unused;
	struct zprof_header h = {.start_ticks = 1000,
				 .now_ticks = 1000 + 500000000,
				 .start_ns = 7,
				 .now_ns = 7 + 1000000000,
				 .ticks_hz = 4000000000};
	assert_true(profile_ns_per_tick(&h) == 2.0);
	h.now_ns = 7 + 99999999;
	assert_true(profile_ns_per_tick(&h) == 0.25);
	h.now_ns = 7 + 1000000000;
	h.now_ticks = 1000;
	assert_true(profile_ns_per_tick(&h) == 0.25);
	h.now_ticks = 1000 + 500000000;
	h.start_ns = h.now_ns + 1;
	assert_true(profile_ns_per_tick(&h) == 0.25);
	h.ticks_hz = 0;
	assert_true(profile_ns_per_tick(&h) == 1.0);
}

static void cut_at_every_byte(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	size_t results = 0;
	for (size_t n = 0; n < s.n; n++) {
		struct profile p;
		struct str err = {0};
		/* a separate copy, so that a sanitizer sees a read past its end */
		uint8_t *cut = malloc(n ? n : 1);
		memcpy(cut, s.bytes, n);
		if (profile_parse(&p, "x", cut, n, &err)) {
			assert_non_null(strstr(str_text(&p.damage), "cut short at offset"));
			results++;
			if (n % 7 == 0)
				use(&p);
			profile_free(&p);
		} else {
			assert_true(strstr(str_text(&err), "offset") ||
				    strstr(str_text(&err), "byte"));
		}
		str_free(&err);
		free(cut);
	}
	assert_int_equal(results, s.n - ZPROF_GRANULE);
	free(s.bytes);
}

/* The message for each damaged field names the damage and its place. */
static void damage_is_named(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	uint32_t saved;
	assert_refused(&(struct sample){(uint8_t *)"hello", 5}, "not a profile");
	assert_refused(&(struct sample){(uint8_t *)"hello, world", 12}, "not a profile");
	header(&s)->version = 2;
	assert_refused(&s, "profile of version 2, this zprof reads version 1");
	header(&s)->version = 1;
	header(&s)->byte_order = 0x04030201;
	assert_refused(&s, "the other byte order");
	header(&s)->byte_order = ZPROF_BYTE_ORDER;
	header(&s)->node_bytes = 48;
	assert_refused(&s, "at offset");
	header(&s)->node_bytes = 32;

	struct zprof_section *nodes = section(&s, ZPROF_SECTION_NODES, 1);
	nodes->bytes = 100;
	assert_refused(&s, "a section's size makes no sense");
	nodes->bytes = 4096;
	nodes->used = 5000;
	assert_refused(&s, "a section uses more than it has");
	nodes->used = 64 + 2 * 32;

	struct zprof_node *word = node(&s, 1, 0);
	saved = word->parent;
	word->parent = (uint32_t)(((uint8_t *)word - s.bytes) / 32);
	assert_refused(&s, "a node is among its own callers");
	word->parent = 77777;
	assert_refused(&s, "a node's parent is not a node");
	word->parent = 0;
	assert_refused(&s, "a node's parent is not a node");
	word->parent = saved;

	struct zprof_module *m = (struct zprof_module *)(section(&s, ZPROF_SECTION_MODULES, 0) + 1);
	m->path_bytes = 4000;
	assert_refused(&s, "a module's path is longer than its record");
	m->path_bytes = 3;
	saved = m->bytes;
	m->bytes = 13;
	assert_refused(&s, "a record's size makes no sense");
	m->bytes = 4096;
	assert_refused(&s, "a record goes beyond the end of its section");
	m->bytes = saved;

	struct zprof_via *via = (struct zprof_via *)(section(&s, ZPROF_SECTION_VIA, 0) + 1);
	via->count = 3;
	assert_refused(&s, "addresses of callers are more than their record holds");
	via->count = UINT32_MAX;
	assert_refused(&s, "addresses of callers are more than their record holds");
	via->count = 2;
	saved = via->node;
	via->node = 77777;
	assert_refused(&s, "names offset 2488864, which is not a node");
	via->node = saved;
	saved = header(&s)->mode;
	header(&s)->mode = 2;
	assert_refused(&s, "its calls were timed in a way that this zprof does not know (mode 2)");
	header(&s)->mode = (uint32_t)saved;
	struct profile p;
	struct str err = {0};
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	profile_free(&p);
	free(s.bytes);
}

static void the_offset_is_the_right_one(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	char offset[64];
	struct zprof_node *n = node(&s, 2, 0);
	n->parent = 77777;
	snprintf(offset, sizeof offset, "at offset %zu:", (size_t)((uint8_t *)n - s.bytes));
	assert_refused(&s, offset);
	free(s.bytes);
}

/* In a file that is being written, what cannot be placed yet is left out, and reported. */
static void running_files_are_forgiven(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	struct profile p;
	struct str err = {0};
	header(&s)->flags = 0;
	node(&s, 1, 0)->parent = 77777;
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	assert_non_null(strstr(str_text(&p.damage), "x': 1 context was just being written"));
	use(&p);
	profile_free(&p);
	free(s.bytes);
}

static void unknown_sections_are_skipped(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	struct profile p;
	struct str err = {0};
	section(&s, ZPROF_SECTION_TEXT, 0)->type = 4711;
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	assert_int_equal(p.command_count, 0);
	assert_int_equal(p.node_count, 10);
	profile_free(&p);
	free(s.bytes);
}

/* Who called the callers in it is unknown; how often they called, and the cost, is known. */
static void the_overflow_table_has_arcs(void **unused)
{
	(void)unused;
	struct sample s = make("thread 1 t 1\n  a 1 10\n    b 2 20 spilled\n"
			       "  (table) 0 0 overflow\n    b 0 0 overflow\n      c 7 5 overflow\n"
			       "    c 0 0 overflow\n      d 8 6 overflow\n");
	struct profile p;
	struct str err = {0};
	struct load l;
	struct derived d;
	const char *wrong;
	assert_true(profile_parse(&p, "x", s.bytes, s.n, &err));
	load_init(&l, false);
	load_profile(&l, &p);
	assert_int_equal(l.tree.thread_count, 1);
	assert_true(tree_check(&l.tree));
	assert_int_equal(l.limits.overflow_calls, 15);
	derive(&d, &l.tree, l.zones.count);
	assert_true(derive_check(&d, &l.tree, &wrong));
	const struct function *a = &d.functions[1], *b = a + 1, *c = b + 1, *dd = c + 1;
	assert_true(a->low && b->low && c->low && !dd->low);
	assert_int_equal(b->total.ticks, 25);
	assert_int_equal(c->total.ticks, 11);
	assert_int_equal(c->calls, 7);
	for (size_t i = 0; i < d.arc_count; i++)
		if (d.arcs[i].callee == 4)
			assert_true(d.arcs[i].caller == 3 && d.arcs[i].calls == 8 &&
				    d.arcs[i].parent_total.ticks == 6);
	derive_free(&d);
	load_free(&l);
	profile_free(&p);
	/* an overflow table anywhere else is damage */
	header(&s)->flags = ZPROF_FINISHED;
	node(&s, 0, 3)->parent = node(&s, 0, 2)->parent;
	node(&s, 0, 3)->calls = 1;
	assert_refused(&s, "a node without a zone has a parent");
	free(s.bytes);
}

/* Sets a few random bytes to anything, many times: never a crash, always a result or a reason. */
static void random_damage(void **unused)
{
	(void)unused;
	struct sample s = make(small);
	uint64_t state = 88172645463325252u;
	size_t refused = 0;
	for (int round = 0; round < 20000; round++) {
		uint8_t *copy = malloc(s.n);
		struct profile p;
		struct str err = {0};
		memcpy(copy, s.bytes, s.n);
		for (int k = 0; k <= round % 4; k++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			/* mostly where something is: the first 200 bytes of a granule */
			size_t at = state % (s.n / 4096) * 4096 + (state >> 20) % 200;
			copy[at] = (uint8_t)(state >> 40);
		}
		if (profile_parse(&p, "x", copy, s.n, &err)) {
			use(&p);
			profile_free(&p);
		} else {
			assert_true(err.used > 10);
			refused++;
		}
		str_free(&err);
		free(copy);
	}
	assert_true(refused > 1000 && refused < 20000);
	free(s.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_written_is_read),
	    cmocka_unit_test(parents_may_come_later),
	    cmocka_unit_test(twins_are_one_context),
	    cmocka_unit_test(hooks_are_subtracted_node_by_node),
	    cmocka_unit_test(the_rate_is_measured_where_it_can_be),
	    cmocka_unit_test(cut_at_every_byte),
	    cmocka_unit_test(damage_is_named),
	    cmocka_unit_test(the_offset_is_the_right_one),
	    cmocka_unit_test(running_files_are_forgiven),
	    cmocka_unit_test(unknown_sections_are_skipped),
	    cmocka_unit_test(random_damage),
	    cmocka_unit_test(the_overflow_table_has_arcs),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
