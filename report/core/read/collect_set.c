/* SPDX-License-Identifier: MIT */
/* collect_set.c - see collect.h: the numbers of a thread, as they were at one moment. */
#include <sched.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/collect_parts.h"
#include "report/core/read/record_kinds.h"

bool collect_is_counting(uint32_t type)
{
	const struct record_kind *k = record_kind_find(type);
	return k && k->in_set;
}

static void add_span(struct collect *c, uint64_t offset, uint64_t bytes, bool nodes)
{
	*memory_next(c->spans, c->span_count, c->span_room) =
	    (struct collect_span){offset / WORD, bytes / WORD, nodes};
}

/* The set of a thread: its record, and the sections that are its own. */
static void make_spans(struct collect *c, uint32_t thread, uint64_t record)
{
	c->span_count = 0;
	add_span(c, record, sizeof(struct zprof_thread), false);
	for (size_t i = 0; i < c->section_count; i++) {
		const struct collect_section *s = &c->sections[i];
		if (collect_is_counting(s->type) && s->thread == thread)
			add_span(c, s->offset, s->used, s->type == ZPROF_SECTION_NODES);
	}
}

static uint64_t sum_calls(const struct collect *c)
{
	const uint64_t each = ZPROF_NODE_BYTES / WORD,
		       calls = offsetof(struct zprof_node, calls) / WORD;
	uint64_t sum = 0;
	for (size_t i = 0; i < c->span_count; i++) {
		const struct collect_span *s = &c->spans[i];
		uint64_t head = sizeof(struct zprof_section) / WORD;
		for (uint64_t k = head; s->nodes && k + each <= s->count; k += each)
			sum += c->copy[s->first + k + calls];
	}
	return sum;
}

/* Loads the hot words; true if they are unchanged. */
static bool hot_round(struct collect *c)
{
	bool same = true;
	for (size_t i = 0; i < c->hot_count; i++) {
		uint64_t word = collect_load(&c->words[c->hot[i]]);
		same &= word == c->copy[c->hot[i]];
		c->copy[c->hot[i]] = word;
	}
	return same;
}

/*
 * Whether the hot words are the same in two consecutive rounds. Between attempts the caller does
 * other work, because each load takes the word from the writer's cache.
 */
static bool two_rounds(struct collect *c)
{
	hot_round(c);
	return hot_round(c);
}

/* Compares the others with the copy; those that differ become hot. */
static bool others_are_same(struct collect *c)
{
	size_t before = c->hot_count;
	for (size_t i = 0; i < c->span_count; i++)
		for (uint64_t w = c->spans[i].first; w < c->spans[i].first + c->spans[i].count;
		     w++) {
			if (c->is_hot[w] || collect_load(&c->words[w]) == c->copy[w])
				continue;
			*memory_next(c->hot, c->hot_count, c->hot_room) = w;
			c->is_hot[w] = 1;
		}
	return c->hot_count == before;
}

/* Takes a set until UNTIL_NS; false if it did not come to rest. */
static bool take_set(struct collect *c, uint64_t until_ns)
{
	bool rests = false, late = false;
	for (size_t i = 0; i < c->span_count; i++)
		collect_words(c, c->spans[i].first * WORD, c->spans[i].count * WORD);
	c->hot_count = 0;
	while (!rests && !late) {
		bool agreed = two_rounds(c);
		for (; !agreed && !(late = collect_now_ns() > until_ns); agreed = two_rounds(c))
			sched_yield();
		rests = others_are_same(c) && agreed;
		late = late || collect_now_ns() > until_ns;
	}
	for (size_t i = 0; i < c->hot_count; i++)
		c->is_hot[c->hot[i]] = 0;
	return rests;
}

void collect_thread(struct collect *c, uint64_t record, uint64_t until_ns)
{
	struct zprof_thread t;
	collect_words(c, record, sizeof t);
	memcpy(&t, c->copy + record / WORD, sizeof t);
	if (!t.id)
		return;
	make_spans(c, t.id, record);
	uint64_t before = sum_calls(c);
	c->threads++;
	if (take_set(c, until_ns))
		return;
	uint64_t moved = sum_calls(c) - before;
	c->restless++;
	if (moved > c->moved)
		c->moved = moved;
}
