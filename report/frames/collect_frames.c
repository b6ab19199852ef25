/* SPDX-License-Identifier: MIT */
/*
 * collect_frames.c - copies the frames of a profile that is being written (core/read/collect.h).
 *
 * The end of a frame changes hundreds of words of its thread's records, and a sequence number in
 * the record of its kind is odd meanwhile (format.h). So the frames of each thread are copied
 * together: kinds, tallies and the slowest frames, again and again until the sequences of all kinds
 * of the thread are even and have not changed during the copy. Then the copy shows one moment
 * between two ends of frames. If that does not succeed in time, the copy gets an odd sequence, by
 * which its reader knows. The latest frames are copied last; a reader leaves out those which their
 * kind does not count yet.
 */
#include <sched.h>
#include <string.h>

#include "report/core/read/collect_parts.h"

static bool goes_round(uint32_t type)
{
	return type == ZPROF_SECTION_HISTORY || type == ZPROF_SECTION_SLOWEST;
}

static bool owns(uint32_t type)
{
	return type == ZPROF_SECTION_FRAMES || type == ZPROF_SECTION_TALLIES ||
	       type == ZPROF_SECTION_TAILS || goes_round(type);
}

/* The place of a kind's sequence number, which begins the only record of its section. */
static uint64_t sequence_at(const struct collect_section *s)
{
	return (s->offset + sizeof(struct zprof_section)) / WORD;
}

static bool is_kind_of(const struct collect_section *s, uint32_t thread)
{
	return s->type == ZPROF_SECTION_FRAMES && s->thread == thread &&
	       s->used >= sizeof(struct zprof_section) + sizeof(struct zprof_frames);
}

/* Copies the kinds of a thread; false if a frame is being ended. */
static bool copy_kinds(struct collect *c, uint32_t thread)
{
	bool even = true;
	for (size_t i = 0; i < c->section_count; i++) {
		const struct collect_section *s = &c->sections[i];
		if (!is_kind_of(s, thread))
			continue;
		collect_words(c, s->offset, s->used);
		even = even && !(c->copy[sequence_at(s)] & 1);
	}
	return even;
}

static bool kinds_are_same(const struct collect *c, uint32_t thread)
{
	for (size_t i = 0; i < c->section_count; i++) {
		const struct collect_section *s = &c->sections[i];
		if (is_kind_of(s, thread) &&
		    collect_load(&c->words[sequence_at(s)]) != c->copy[sequence_at(s)])
			return false;
	}
	return true;
}

/* Copies a section: its head first, which says how much of the section is used now. */
static void copy_section(struct collect *c, struct collect_section *s)
{
	struct zprof_section head;
	collect_words(c, s->offset, sizeof head);
	memcpy(&head, c->copy + s->offset / WORD, sizeof head);
	bool good = head.used >= sizeof head && head.used <= head.bytes &&
		    head.used <= c->bytes - s->offset;
	s->used = (good ? head.used : sizeof head) / WORD * WORD;
	collect_words(c, s->offset, s->used);
}

static void copy_tallies(struct collect *c, uint32_t thread)
{
	for (size_t i = 0; i < c->section_count; i++) {
		struct collect_section *s = &c->sections[i];
		if (s->thread != thread)
			continue;
		if (s->type == ZPROF_SECTION_TALLIES)
			collect_words(c, s->offset, s->used);
		if (s->type == ZPROF_SECTION_SLOWEST)
			copy_section(c, s);
	}
}

/* Marks each kind in the copy as if one of its frames was being ended. */
static void mark_unsteady(struct collect *c, uint32_t thread)
{
	for (size_t i = 0; i < c->section_count; i++)
		if (is_kind_of(&c->sections[i], thread))
			c->copy[sequence_at(&c->sections[i])] |= 1;
}

static void take_frames(struct collect *c, uint32_t thread, uint64_t until_ns)
{
	bool late = false;
	while (!late) {
		bool even = copy_kinds(c, thread);
		copy_tallies(c, thread);
		if (even && kinds_are_same(c, thread))
			return;
		late = collect_now_ns() > until_ns;
		sched_yield();
	}
	mark_unsteady(c, thread);
}

/*
 * Copies the latest frames, which may be megabytes. Each record is complete, as long as the library
 * does not begin the section anew. A section that is unchanged since the last reading is skipped.
 */
static void take_history(struct collect *c, struct collect_section *s, uint64_t until_ns)
{
	uint64_t generation = (s->offset + sizeof(struct zprof_section)) / WORD;
	uint64_t used = (s->offset + offsetof(struct zprof_section, used)) / WORD, before;
	bool same = false, late = false;
	if (s->used < sizeof(struct zprof_section) + sizeof(struct zprof_history))
		return;
	before = collect_load(&c->words[generation]);
	if (before == c->copy[generation] && collect_load(&c->words[used]) == c->copy[used] &&
	    collect_load(&c->words[generation]) == before)
		return;
	while (!same && !late) {
		before = collect_load(&c->words[generation]);
		copy_section(c, s);
		same = !(before & 1) && collect_load(&c->words[generation]) == before;
		late = collect_now_ns() > until_ns;
	}
	c->copy[generation] = same ? before : before | 1;
}

/* Copies single calls. The record of each function has a sequence number for its longest call. */
static void take_tails(struct collect *c, const struct collect_section *s, uint64_t until_ns)
{
	const uint64_t bytes = sizeof(struct zprof_tail);
	for (uint64_t at = s->offset + sizeof(struct zprof_section);
	     at + bytes <= s->offset + s->used; at += bytes) {
		uint64_t sequence = (at + offsetof(struct zprof_tail, sequence)) / WORD, before;
		do {
			before = collect_load(&c->words[sequence]);
			collect_words(c, at, bytes);
		} while ((before & 1 || collect_load(&c->words[sequence]) != before) &&
			 collect_now_ns() < until_ns);
	}
}

/* The first kind of a thread stands for the thread. */
static bool is_first_of_thread(const struct collect *c, size_t section)
{
	for (size_t i = 0; i < section; i++)
		if (is_kind_of(&c->sections[i], c->sections[section].thread))
			return false;
	return is_kind_of(&c->sections[section], c->sections[section].thread);
}

/* Copies the frames of all threads, and single calls. */
static void take(struct collect *c, uint64_t until_ns)
{
	for (size_t i = 0; i < c->section_count; i++)
		if (is_first_of_thread(c, i))
			take_frames(c, c->sections[i].thread, until_ns);
	for (size_t i = 0; i < c->section_count; i++) {
		if (c->sections[i].type == ZPROF_SECTION_HISTORY)
			take_history(c, &c->sections[i], until_ns);
		if (c->sections[i].type == ZPROF_SECTION_TAILS) {
			collect_words(c, c->sections[i].offset, c->sections[i].used);
			take_tails(c, &c->sections[i], until_ns);
		}
	}
}

const struct collector collect_frames = {owns, goes_round, take};
