/* SPDX-License-Identifier: MIT */
/*
 * report_collect_frames.c - a profile copied while a model of the library ends frames in it: between two
 * words that the reader loads, the writer makes any number of single stores, as preload/frames/ does. The
 * copy of a thread's kinds, tallies, latest and slowest frames must be a state between two ends of frames,
 * or be marked.
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

#include "report/core/read/collect.h"
#include "report/frames/profile_frames.h"
#include "tests/core/profile_builder.h"

enum {
	KINDS = 2,
	NODES = 5,
	CHUNKS = 3,
	CHUNK_FRAMES = 4,
	SLOTS = ZPROF_SLOWEST + 1,
	ROUNDS = 300
};

#define FRAME_BYTES (sizeof(struct zprof_frame) + NODES * sizeof(struct zprof_frame_node))

/* A kind of the model, and where its records are. */
struct kind {
	struct zprof_frames *record;
	struct zprof_tally *tallies;
	struct zprof_section *chunks[CHUNKS], *slow[SLOTS];
	uint64_t slow_wall[SLOTS];
	bool slow_shown[SLOTS];
	size_t chunk;
};

struct store {
	volatile uint64_t *to;
	uint64_t value;
};

static struct writer {
	uint8_t *file;
	size_t bytes;
	uint32_t first; /* reference of the first node */
	struct kind kinds[KINDS];
	struct store stores[4096]; /* those that end the current frame */
	size_t store_count, stored;
	unsigned seed, pace, rest;
	uint64_t ended;
} writer;

static unsigned draw(unsigned n)
{
	writer.seed = writer.seed * 1664525u + 1013904223u;
	return (writer.seed >> 8) % n;
}

/* ---- what frame NUMBER of a kind took: known to the test by the number */

static uint64_t wall_of(uint64_t number)
{
	return 100 + number * 7919 % 1009;
}

static uint64_t calls_of(uint64_t number, size_t node)
{
	return 1 + (number + node) % 5;
}

static uint64_t sum_of_calls(uint64_t count, size_t node)
{
	uint64_t sum = 0;
	for (uint64_t i = 1; i <= count; i++)
		sum += calls_of(i, node);
	return sum;
}

/* ---- the writer */

static void put(void *to, uint64_t value)
{
	assert_true(writer.store_count < sizeof writer.stores / sizeof *writer.stores);
	writer.stores[writer.store_count++] = (struct store){to, value};
}

/* A record, word by word. */
static void put_all(void *to, const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
		uint64_t word;
		memcpy(&word, (const char *)from + i * sizeof word, sizeof word);
		put((char *)to + i * sizeof word, word);
	}
}

static uint32_t reference(const void *record)
{
	return (uint32_t)(((const uint8_t *)record - writer.file) / 64);
}

static void put_frame(void *to, const struct kind *k, uint64_t number)
{
	struct {
		struct zprof_frame head;
		struct zprof_frame_node nodes[NODES];
	} frame = {.head = {.bytes = FRAME_BYTES,
			    .flags = ZPROF_FRAME_NODES,
			    .wall = wall_of(number),
			    .count = NODES,
			    .frames_of = reference(k->record)}};
	for (size_t i = 0; i < NODES; i++)
		frame.nodes[i] =
		    (struct zprof_frame_node){writer.first + (uint32_t)i,
					      (uint32_t)calls_of(number, i), (int64_t)number, 0, 0};
	put_all(to, &frame, FRAME_BYTES);
	put((char *)to + offsetof(struct zprof_frame, number), number);
}

static void put_latest(struct kind *k, uint64_t number)
{
	struct zprof_section *s = k->chunks[k->chunk];
	size_t at = (number - 1) % CHUNK_FRAMES;
	uint64_t head = sizeof *s + sizeof(struct zprof_history);
	if (number > 1 && !at) {
		k->chunk = (k->chunk + 1) % CHUNKS;
		s = k->chunks[k->chunk];
		struct zprof_history *h = (struct zprof_history *)(s + 1);
		uint64_t generation = number / CHUNK_FRAMES * 2;
		put(&h->generation, generation - 1);
		put(&s->used, head);
		put(&h->generation, generation);
	}
	put((char *)s + head + at * FRAME_BYTES + offsetof(struct zprof_frame, number), 0);
	put_frame((char *)s + head + at * FRAME_BYTES, k, number);
	put(&s->used, head + (at + 1) * FRAME_BYTES);
}

/* The fastest of those that are shown makes room for a slower one, which is written beside them. */
static void put_slowest(struct kind *k, uint64_t number)
{
	int out = -1, in = -1, shown = 0;
	for (int i = 0; i < SLOTS; i++) {
		shown += k->slow_shown[i];
		if (!k->slow_shown[i])
			in = i;
		else if (out < 0 || k->slow_wall[i] < k->slow_wall[out])
			out = i;
	}
	out = shown < ZPROF_SLOWEST ? -1 : out;
	if (out >= 0 && wall_of(number) <= k->slow_wall[out])
		return;
	put((char *)(k->slow[in] + 1) + offsetof(struct zprof_frame, number), 0);
	put_frame(k->slow[in] + 1, k, number);
	put(&k->slow[in]->used, sizeof(struct zprof_section) + FRAME_BYTES);
	k->slow_shown[in] = true;
	k->slow_wall[in] = wall_of(number);
	if (out >= 0)
		k->slow_shown[out] = false;
	uint32_t list[ZPROF_SLOWEST] = {0};
	for (int i = 0, n = 0; i < SLOTS; i++)
		if (k->slow_shown[i])
			list[n++] =
			    (uint32_t)(((uint8_t *)k->slow[i] - writer.file) / ZPROF_GRANULE);
	put_all(k->record->slowest, list, sizeof list);
}

static void end_frame(void)
{
	struct kind *k = &writer.kinds[draw(KINDS)];
	uint64_t number = k->record->count + 1, sequence = k->record->sequence;
	writer.store_count = writer.stored = 0;
	put(&k->record->sequence, sequence + 1);
	for (size_t i = 0; i < NODES; i++) {
		struct zprof_tally *t = &k->tallies[i];
		put(&t->calls.now, calls_of(number, i));
		put(&t->calls.sum, (uint64_t)t->calls.sum + calls_of(number, i));
		put(&t->self.sum, (uint64_t)t->self.sum + number);
		put(&t->frames, number);
		put(&t->frame, number);
	}
	put(&k->record->wall, wall_of(number));
	put(&k->record->sum, k->record->sum + wall_of(number));
	put(&k->record->count, number);
	put_latest(k, number);
	put_slowest(k, number);
	put(&k->record->sequence, sequence + 2);
	writer.ended++;
}

static void store(void)
{
	if (writer.stored == writer.store_count)
		end_frame();
	*writer.stores[writer.stored].to = writer.stores[writer.stored].value;
	writer.stored++;
	/* The frame has ended; or its end is interrupted, perhaps for longer than a copy takes. */
	if (writer.stored == writer.store_count || !draw(300))
		writer.rest = draw(4000);
}

static uint64_t load_between_stores(const uint64_t *word)
{
	if (writer.rest)
		writer.rest--;
	else if (!draw(writer.pace))
		for (unsigned n = 1 + draw(60); n && !writer.rest; n--)
			store();
	return *(const volatile uint64_t *)word;
}

/* ---- its file */

static struct zprof_section *add_section(uint32_t type, size_t used)
{
	size_t bytes = (sizeof(struct zprof_section) + used + ZPROF_GRANULE - 1) / ZPROF_GRANULE *
		       ZPROF_GRANULE;
	struct zprof_section *s = (struct zprof_section *)(writer.file + writer.bytes);
	*s = (struct zprof_section){
	    .type = type, .thread = 1, .bytes = bytes, .used = sizeof *s + used};
	writer.bytes += bytes;
	return s;
}

static void find_nodes(size_t bytes)
{
	for (size_t at = ZPROF_GRANULE; at < bytes;) {
		const struct zprof_section *s = (const void *)(writer.file + at);
		if (s->type == ZPROF_SECTION_NODES)
			writer.first = (uint32_t)((at + sizeof *s) / ZPROF_NODE_BYTES);
		at += s->type == ZPROF_SECTION_NONE ? ZPROF_GRANULE : s->bytes;
	}
}

static void make_kind(struct kind *k, int number)
{
	const size_t history = sizeof(struct zprof_history) + CHUNK_FRAMES * FRAME_BYTES;
	k->record =
	    (struct zprof_frames *)(add_section(ZPROF_SECTION_FRAMES, sizeof(struct zprof_frames)) +
				    1);
	k->record->thread = 1;
	k->record->average_time[0] = k->record->average_time[1] = 1;
	snprintf(k->record->name, sizeof k->record->name, "kind%d", number);
	k->tallies = (struct zprof_tally *)(add_section(ZPROF_SECTION_TALLIES,
							NODES * sizeof(struct zprof_tally)) +
					    1);
	for (size_t i = 0; i < NODES; i++)
		k->tallies[i] = (struct zprof_tally){.node = writer.first + (uint32_t)i,
						     .zone = 1 + i,
						     .frames_of = reference(k->record)};
	for (size_t i = 0; i < CHUNKS; i++) {
		k->chunks[i] = add_section(ZPROF_SECTION_HISTORY, history);
		k->chunks[i]->used = sizeof(struct zprof_section) + sizeof(struct zprof_history);
		((struct zprof_history *)(k->chunks[i] + 1))->frames_of = reference(k->record);
	}
	for (size_t i = 0; i < SLOTS; i++)
		k->slow[i] = add_section(ZPROF_SECTION_SLOWEST, FRAME_BYTES);
}

static void begin(unsigned seed, unsigned pace)
{
	static const char text[] = "clock fake\nthread 1 main 1\n  n1 0 0\n    n2 0 0\n"
				   "      n3 0 0\n      n4 0 0\n";
	const size_t room = 64 * ZPROF_GRANULE;
	size_t n;
	void *bytes = profile_build(text, &n);
	int fd = open("frames.zp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n &&
		    !ftruncate(fd, (off_t)(n + room)));
	free(bytes);
	writer = (struct writer){.seed = seed, .pace = pace, .bytes = n};
	writer.file = mmap(NULL, n + room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(writer.file != MAP_FAILED);
	close(fd);
	find_nodes(n);
	for (int i = 0; i < KINDS; i++)
		make_kind(&writer.kinds[i], i);
	assert_true(writer.bytes <= n + room);
	((struct zprof_header *)writer.file)->mapped_bytes = writer.bytes;
}

/* ---- what was copied */

static void check_tallies(const struct profile_frames *f, size_t kind)
{
	uint64_t count = f->kinds[kind].fixed.count, sum = 0, found = 0;
	for (uint64_t i = 1; i <= count; i++)
		sum += wall_of(i);
	assert_int_equal(f->kinds[kind].fixed.sum, sum);
	for (size_t i = 0; i < f->tally_count; i++) {
		const struct profile_tally *t = &f->tallies[i];
		if (t->kind != kind)
			continue;
		size_t node = t->fixed.node - writer.first;
		found++;
		assert_int_equal(t->fixed.frames, count);
		assert_int_equal(t->fixed.calls.sum, sum_of_calls(count, node));
		assert_int_equal(t->fixed.self.sum, count * (count + 1) / 2);
		if (count)
			assert_int_equal(t->fixed.calls.now, calls_of(count, node));
	}
	assert_int_equal(found, NODES);
}

static void check_frame(const struct profile_frames *f, const struct profile_frame *frame)
{
	uint64_t number = frame->fixed.number;
	assert_int_equal(frame->fixed.wall, wall_of(number));
	assert_int_equal(frame->count, NODES);
	for (size_t i = 0; i < NODES; i++) {
		assert_int_equal(f->nodes[frame->first + i].calls, calls_of(number, i));
		assert_int_equal(f->nodes[frame->first + i].time, number);
	}
}

/* The slowest of all counted frames are there. */
static void check_slowest(const struct profile_frames *f, size_t kind)
{
	uint64_t count = f->kinds[kind].fixed.count;
	for (uint64_t number = 1; number <= count; number++) {
		size_t slower = 0;
		for (uint64_t i = 1; i <= count; i++)
			slower += wall_of(i) >= wall_of(number) && i != number;
		if (slower < ZPROF_SLOWEST)
			assert_non_null(profile_frames_find(f, kind, number));
	}
}

/* The latest frame is the last that the kind has counted. */
static void check_latest(const struct profile_frames *f, size_t kind)
{
	uint64_t count = f->kinds[kind].fixed.count;
	for (size_t i = 0; i < f->frame_count; i++)
		if (f->frames[i].kind == kind) {
			assert_true(f->frames[i].fixed.number <= count);
			check_frame(f, &f->frames[i]);
		}
	if (count)
		assert_non_null(profile_frames_find(f, kind, count));
}

/* How many kinds were steady. */
static size_t check_copy(const struct collect *c)
{
	struct str err = {0};
	struct profile p;
	struct profile_frames f;
	size_t steady = 0;
	assert_true(profile_parse(&p, "copy", c->copy, c->bytes, &err));
	profile_frames_parse(&f, &p, c->copy, c->bytes);
	assert_int_equal(f.kind_count, KINDS);
	for (size_t i = 0; i < KINDS; i++) {
		if (f.kinds[i].unsteady)
			continue;
		steady++;
		check_tallies(&f, i);
		check_slowest(&f, i);
		check_latest(&f, i);
	}
	profile_frames_free(&f);
	profile_free(&p);
	return steady;
}

static void frames_are_copied_as_they_were_between_two(void **state)
{
	(void)state;
	struct str err = {0};
	uint64_t ended = 0;
	collect_load = load_between_stores;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct collect c;
		begin(round + 1, 1 + round % 40);
		assert_true(collect_open(&c, "frames.zp", false, &err));
		c.patience_ns = 100000000000u;
		for (int again = 0; again < 3; again++) {
			assert_true(collect_take(&c, &err));
			assert_int_equal(check_copy(&c), KINDS);
		}
		ended += writer.ended;
		collect_close(&c);
		munmap(writer.file, writer.bytes);
	}
	assert_true(ended > 10 * ROUNDS);
}

/* Without waiting, some copies are not of one moment; those are marked. */
static void copies_of_several_moments_are_marked(void **state)
{
	(void)state;
	struct str err = {0};
	size_t steady = 0, all = 0;
	collect_load = load_between_stores;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct collect c;
		begin(round + 1, 1 + round % 40);
		assert_true(collect_open(&c, "frames.zp", false, &err));
		c.patience_ns = 0;
		assert_true(collect_take(&c, &err));
		steady += check_copy(&c);
		all += KINDS;
		collect_close(&c);
		munmap(writer.file, writer.bytes);
	}
	assert_true(steady > all / 20 && steady < all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(frames_are_copied_as_they_were_between_two),
	    cmocka_unit_test(copies_of_several_moments_are_marked),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("collect frames", tests, NULL, NULL);
}
