/* SPDX-License-Identifier: MIT */
/*
 * report_collect.c - a profile copied while a model of the library writes it: between two words that the
 * reader loads, the writer makes any number of single stores. The copy of a thread must be a state that
 * the writer was in, to one hook event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/read/collect.h"
#include "report/core/read/profile_read.h"
#include "tests/core/profile_builder.h"

enum { NODES = 8, STATES = 200000, ROUNDS = 400 };

/* What the library stores for a thread: a word each. */
struct state {
	uint64_t calls[NODES], ticks[NODES], last;
	uint32_t current;
};

/* The library's side of the file: a thread whose node i + 1 is called by node i / 2 + 1 (node 1 is main). */
struct writer {
	uint8_t *file;
	struct zprof_thread *thread;
	struct zprof_node *nodes; /* [0] is the root */
	uint32_t first;           /* reference of the root */
	struct state *states;
	size_t count;
	int step; /* how far the current event is */
	uint32_t from, to;
	bool enters;
	unsigned seed, pace, rest; /* one store for `pace` loads; `rest` more loads without any */
	bool rests;
};

static struct writer writer;

static unsigned draw(unsigned n)
{
	writer.seed = writer.seed * 1664525u + 1013904223u;
	return (writer.seed >> 8) % n;
}

static uint32_t parent(uint32_t node)
{
	return node > 1 ? node / 2 : 0;
}

static struct state *now(void)
{
	return &writer.states[writer.count - 1];
}

/* Chooses the next event: an exit, or the call of a child. */
static void choose(void)
{
	uint32_t child = writer.from * 2 + draw(2);
	child = writer.from ? child : 1;
	writer.enters = !writer.from || (child < NODES && draw(2));
	writer.to = writer.enters ? child : parent(writer.from);
}

/* One store. A hook charges the time, counts the call, and makes the node current. */
static void store(void)
{
	uint64_t ticks = 1 + draw(100);
	switch (writer.step++) {
	case 0:
		choose();
		writer.states[writer.count] = *now();
		writer.count++;
		now()->ticks[writer.from] += ticks;
		now()->last += ticks;
		now()->current = writer.to;
		now()->calls[writer.to] += writer.enters;
		writer.nodes[writer.from].self_ticks = now()->ticks[writer.from];
		return;
	case 1:
		writer.thread->last_ticks = now()->last;
		return;
	case 2:
		writer.nodes[writer.to].calls = now()->calls[writer.to];
		return;
	default:
		writer.thread->current[0] = writer.first + writer.to;
		writer.from = writer.to;
		writer.step = 0;
	}
}

static uint64_t load_between_stores(const uint64_t *word)
{
	if (writer.rest) {
		writer.rest--;
	} else if (!draw(writer.pace)) {
		for (unsigned n = 1 + draw(5); n && writer.count < STATES; n--)
			store();
		/* A pause as long as the kernel takes for a sample. */
		if (writer.rests && !draw(50))
			writer.rest = 400;
	}
	return *word;
}

static void find_records(void)
{
	uint64_t bytes = ((struct zprof_header *)writer.file)->mapped_bytes;
	for (uint64_t at = ZPROF_GRANULE; at < bytes;) {
		struct zprof_section *s = (struct zprof_section *)(writer.file + at);
		if (s->type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (s->type == ZPROF_SECTION_THREADS)
			writer.thread = (struct zprof_thread *)(s + 1);
		if (s->type == ZPROF_SECTION_NODES) {
			writer.first = (uint32_t)((at + sizeof *s) / ZPROF_NODE_BYTES);
			writer.nodes = (struct zprof_node *)(s + 1);
		}
		at += s->bytes;
	}
}

static void begin(unsigned seed, unsigned pace, bool rests)
{
	static const char text[] =
	    "clock fake\nthread 1 main 1\n  n1 0 0\n    n2 0 0\n      n4 0 0\n"
	    "      n5 0 0\n    n3 0 0\n      n6 0 0\n      n7 0 0\n";
	size_t n;
	void *bytes = profile_build(text, &n);
	int fd = open("written.zp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	free(bytes);
	writer = (struct writer){.seed = seed, .pace = pace, .rests = rests, .count = 1};
	writer.file = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(writer.file != MAP_FAILED);
	close(fd);
	find_records();
	writer.states = memory_zeroed(STATES, sizeof *writer.states);
	for (int i = 0; i < NODES; i++)
		writer.nodes[i].calls = writer.nodes[i].self_ticks = 0;
	writer.thread->current[0] = writer.first;
	writer.thread->last_ticks = 0;
}

static void end(struct collect *c)
{
	collect_close(c);
	free(writer.states);
}

/* What was copied, as a state. */
static struct state copied(const struct collect *c)
{
	struct state s = {0};
	const char *at = (const char *)c->copy;
	const struct zprof_thread *t =
	    (const void *)(at + ((uint8_t *)writer.thread - writer.file));
	const struct zprof_node *nodes =
	    (const void *)(at + ((uint8_t *)writer.nodes - writer.file));
	for (int i = 0; i < NODES; i++) {
		s.calls[i] = nodes[i].calls;
		s.ticks[i] = nodes[i].self_ticks;
	}
	s.last = t->last_ticks;
	s.current = t->current[0] - writer.first;
	return s;
}

/* Whether every word of S is that of A or of B. */
static bool between(const struct state *s, const struct state *a, const struct state *b)
{
	bool yes = (s->last == a->last || s->last == b->last) &&
		   (s->current == a->current || s->current == b->current);
	for (int i = 0; i < NODES; i++)
		yes = yes && (s->calls[i] == a->calls[i] || s->calls[i] == b->calls[i]) &&
		      (s->ticks[i] == a->ticks[i] || s->ticks[i] == b->ticks[i]);
	return yes;
}

static bool is_a_moment(const struct state *s)
{
	for (size_t i = 0; i < writer.count; i++)
		if (between(s, &writer.states[i], &writer.states[i + 1 < writer.count ? i + 1 : i]))
			return true;
	return false;
}

static uint64_t calls_of(const struct state *s)
{
	uint64_t sum = 0;
	for (int i = 0; i < NODES; i++)
		sum += s->calls[i];
	return sum;
}

/* The writer pauses now and then as long as a sample takes, and runs at any speed in between. */
static void a_thread_is_copied_as_it_was_at_one_moment(void **state)
{
	(void)state;
	struct str err = {0};
	collect_load = load_between_stores;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct collect c;
		begin(round + 1, 1 + round % 40, true);
		assert_true(collect_open(&c, "written.zp", false, &err));
		c.patience_ns = 100000000000u;
		for (int again = 0; again < 3 && writer.count < STATES / 2; again++) {
			assert_true(collect_take(&c, &err));
			struct state s = copied(&c);
			assert_int_equal(c.threads, 1);
			assert_int_equal(c.restless, 0);
			assert_true(is_a_moment(&s));
		}
		end(&c);
	}
}

/* The writer never pauses: the copy says how many calls were counted meanwhile, and no number is out of
 * range. */
static void a_copy_without_pauses_is_marked(void **state)
{
	(void)state;
	struct str err = {0};
	unsigned restless = 0;
	collect_load = load_between_stores;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct collect c;
		begin(round + 1, 1, false);
		assert_true(collect_open(&c, "written.zp", false, &err));
		c.patience_ns = 0;
		assert_true(collect_take(&c, &err));
		struct state s = copied(&c), *last = now();
		for (int i = 0; i < NODES; i++)
			assert_true(s.calls[i] <= last->calls[i]);
		assert_true(c.restless || is_a_moment(&s));
		if (c.restless) {
			restless++;
			assert_true(c.moved <= calls_of(last));
			assert_true(calls_of(&s) >= c.moved);
		}
		end(&c);
	}
	assert_true(restless > ROUNDS / 2);
}

/* In memory, and in a file, where it is marked as a copy. */
static void a_copy_is_a_profile(void **state)
{
	(void)state;
	struct str err = {0};
	struct profile p;
	struct collect c;
	collect_load = load_between_stores;
	begin(7, 3, true);
	assert_true(collect_open(&c, "written.zp", false, &err));
	c.patience_ns = 100000000000u;
	assert_true(collect_take(&c, &err));
	assert_true(profile_parse(&p, "copy", c.copy, c.bytes, &err));
	assert_int_equal(p.node_count, NODES);
	profile_free(&p);
	unlink("copied.zp");
	assert_true(collect_save(&c, "copied.zp", &err));
	assert_true(profile_load(&p, "copied.zp", false, &err));
	assert_true(p.header.flags & ZPROF_SNAPSHOT);
	assert_int_equal(p.node_count, NODES);
	profile_free(&p);
	assert_true(collect_save(&c, "copied.zp", &err)); /* replaces it */
	end(&c);
	str_free(&err);
}

/* A process that can write the file may cut it short while it is read. */
static uint64_t cut_then_load(const uint64_t *word)
{
	if (truncate("written.zp", ZPROF_GRANULE))
		return 0;
	return *(const volatile uint64_t *)word;
}

static void a_file_that_is_cut_short_is_an_error(void **state)
{
	(void)state;
	struct str err = {0};
	struct collect c;
	begin(9, 3, true);
	assert_true(collect_open(&c, "written.zp", false, &err));
	collect_load = cut_then_load;
	assert_false(collect_take(&c, &err));
	assert_non_null(strstr(err.text, "was cut short"));
	end(&c);
	str_free(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_thread_is_copied_as_it_was_at_one_moment),
	    cmocka_unit_test(a_copy_without_pauses_is_marked),
	    cmocka_unit_test(a_copy_is_a_profile),
	    cmocka_unit_test(a_file_that_is_cut_short_is_an_error),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("collect", tests, NULL, NULL);
}
