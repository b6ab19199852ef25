/* SPDX-License-Identifier: MIT */
/*
 * check_conserved.c - asserts that no tick was lost or counted twice: in a profile, the sum of
 * self_ticks over a thread's nodes is the thread's duration.
 *
 *   check_conserved [--killed=SECONDS] PROFILE [CONTEXTS]
 *
 * Reads the file with preload/format.h alone, not through the command `zprof`, so that an error
 * there cannot hide one of the library. With CONTEXTS there must be at most this many nodes.
 *
 * A thread killed inside a hook may have charged a stretch of time and not yet noted the clock, or,
 * in a handler that interrupted a hook, not yet taken the handler's time off the zone that was
 * interrupted. The profile does not say how much that is, but limits it: it is never negative,
 * since every charge is stored before it is noted, and what is taken off was charged before; and,
 * as all of it is time after last_ticks, it never reaches beyond the moment of death. --killed
 * gives that moment, in seconds since 1970 by the system's clock, which may lag by a tick of the
 * kernel's (10 ms at most); the rate of the profile's clock is known to a thousandth.
 *
 * A section that is the whole process's must not name a thread.
 *
 * Exits 1 if that does not hold, 2 on what it cannot read.
 */
#include "preload/format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 1 << 20 };

static uint64_t nodes, *node_ticks; /* of each thread, by id */
static double died;                 /* 0: it was not killed */

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "check_conserved: %s\n", what);
	exit(2);
}

static void *read_all(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	size_t room = 1 << 20;
	char *data = malloc(room);
	*bytes = 0;
	if (!f)
		die("cannot open the profile");
	for (size_t n; (n = fread(data + *bytes, 1, room - *bytes, f)) > 0;) {
		*bytes += n;
		if (*bytes == room)
			data = realloc(data, room *= 2);
	}
	fclose(f);
	return data;
}

static void add_nodes(uint32_t thread, const char *at, const char *end)
{
	if (thread >= THREADS_MAX)
		die("a thread's id is out of range");
	for (; at + sizeof(struct zprof_node) <= end; at += sizeof(struct zprof_node)) {
		node_ticks[thread] += ((const struct zprof_node *)(const void *)at)->self_ticks;
		nodes++;
	}
}

/* How much later than last_ticks a thread may have been stopped. */
static int64_t most_unnoted(const struct zprof_header *h, const struct zprof_thread *t)
{
	double ran = died - (double)h->start_realtime_ns / 1e9, hz = (double)h->ticks_hz;
	double noted = (double)(t->last_ticks - h->start_ticks);
	if (died == 0 || h->flags & ZPROF_FINISHED || h->mode == ZPROF_MODE_COUNT)
		return 0;
	return (int64_t)((ran * 1.001 + 0.010) * hz - noted);
}

static bool conserved(const struct zprof_header *h, const char *at, const char *end)
{
	bool good = true;
	for (; at + sizeof(struct zprof_thread) <= end; at += sizeof(struct zprof_thread)) {
		const struct zprof_thread *t = (const void *)at;
		uint64_t lasted = t->active_ticks + (t->last_ticks - t->first_ticks);
		if (!t->id)
			continue;
		if (t->id >= THREADS_MAX)
			die("a thread's id is out of range");
		int64_t more = (int64_t)(node_ticks[t->id] - lasted);
		if (more >= 0 && more <= most_unnoted(h, t))
			continue;
		printf("thread %" PRIu32 ": the nodes' ticks are %" PRId64 ", it lasted %" PRId64
		       "; at most %" PRId64 " can be on top\n",
		       t->id, (int64_t)node_ticks[t->id], (int64_t)lasted, most_unnoted(h, t));
		good = false;
	}
	return good;
}

/* Types of sections that are no thread's (enum zprof_section_type), of those that the library writes. */
static bool is_the_processs(uint32_t type)
{
	switch (type) {
	case ZPROF_SECTION_THREADS:
	case ZPROF_SECTION_MODULES:
	case ZPROF_SECTION_ZONES:
	case ZPROF_SECTION_TEXT:
	case ZPROF_SECTION_TURNS:
	case ZPROF_SECTION_VIA:
	case ZPROF_SECTION_SITES:
	case ZPROF_SECTION_COUNTS:
	case ZPROF_SECTION_CHOICES:
		return true;
	default:
		return false;
	}
}

static bool names_no_thread(const struct zprof_section *s)
{
	if (!s->thread || !is_the_processs(s->type))
		return true;
	printf("a section of type %" PRIu32 " is said to be thread %" PRIu32 "'s\n", s->type,
	       s->thread);
	return false;
}

/* Calls add_nodes() for all nodes, then, in a second round, looks at each thread. */
static bool walk(const char *data, size_t bytes, bool second)
{
	bool good = true;
	for (size_t at = ZPROF_GRANULE; at + sizeof(struct zprof_section) <= bytes;) {
		const struct zprof_section *s = (const void *)(data + at);
		if (s->type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (s->bytes == 0 || s->bytes > bytes - at || s->used > s->bytes)
			die("a section is not within the file");
		if (!second && s->type == ZPROF_SECTION_NODES)
			add_nodes(s->thread, data + at + sizeof *s, data + at + s->used);
		if (second)
			good &= names_no_thread(s);
		if (second && s->type == ZPROF_SECTION_THREADS)
			good &= conserved((const void *)data, data + at + sizeof *s,
					  data + at + s->used);
		at += s->bytes;
	}
	return good;
}

int main(int argc, char **argv)
{
	size_t bytes;
	bool killed = argc > 1 && strncmp(argv[1], "--killed=", 9) == 0;
	if (killed)
		died = strtod(argv[1] + 9, NULL);
	argc -= killed;
	argv += killed;
	const char *data = argc > 1 ? read_all(argv[1], &bytes) : NULL;
	node_ticks = calloc(THREADS_MAX, sizeof *node_ticks);
	if (!data || !node_ticks || bytes < ZPROF_GRANULE || memcmp(data, ZPROF_MAGIC, 8) != 0)
		die("not a profile");
	walk(data, bytes, false);
	if (!walk(data, bytes, true))
		return 1;
	if (argc > 2 && nodes > strtoull(argv[2], NULL, 10)) {
		printf("%" PRIu64 " nodes, at most %s were expected\n", nodes, argv[2]);
		return 1;
	}
	return 0;
}
