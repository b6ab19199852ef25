/* SPDX-License-Identifier: MIT */
/*
 * check_conserved.c - asserts that no tick was lost or counted twice: in a profile, the sum of
 * self_ticks over all nodes is that of what its threads lasted.
 *
 *   check_conserved [--killed] PROFILE [CONTEXTS]
 *
 * Reads the file by preload/format.h alone, not through the command `zprof`, so that an error there
 * cannot hide one of the library. A process that was killed within a hook may have booked a stretch
 * of time and not yet noted the clock, or, in a handler that interrupted a hook, not yet have taken
 * the handler's time off the zone that was interrupted: --killed lets the nodes of a profile that
 * was not finished be off by up to 1 % and 10 ms. With CONTEXTS there must be at most so many
 * nodes. Exits 1 where that does not hold, 2 on what it cannot read.
 */
#include "preload/format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t nodes, node_ticks, thread_ticks;

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

static void add_nodes(const char *at, const char *end)
{
	for (; at + sizeof(struct zprof_node) <= end; at += sizeof(struct zprof_node)) {
		node_ticks += ((const struct zprof_node *)(const void *)at)->self_ticks;
		nodes++;
	}
}

static void add_threads(const char *at, const char *end)
{
	for (; at + sizeof(struct zprof_thread) <= end; at += sizeof(struct zprof_thread)) {
		const struct zprof_thread *t = (const void *)at;
		if (t->id)
			thread_ticks += t->active_ticks + (t->last_ticks - t->first_ticks);
	}
}

static bool may_be_unsettled(const char *data)
{
	const struct zprof_header *h = (const void *)data;
	uint64_t room = thread_ticks / 100 + h->ticks_hz / 100;
	return !(h->flags & ZPROF_FINISHED) && node_ticks - thread_ticks + room <= 2 * room;
}

int main(int argc, char **argv)
{
	size_t bytes;
	bool killed = argc > 1 && strcmp(argv[1], "--killed") == 0;
	argc -= killed;
	argv += killed;
	const char *data = argc > 1 ? read_all(argv[1], &bytes) : NULL;
	if (!data || bytes < ZPROF_GRANULE || memcmp(data, ZPROF_MAGIC, 8) != 0)
		die("not a profile");
	for (size_t at = ZPROF_GRANULE; at + sizeof(struct zprof_section) <= bytes;) {
		const struct zprof_section *s = (const void *)(data + at);
		if (s->type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (s->bytes == 0 || s->bytes > bytes - at || s->used > s->bytes)
			die("a section is not within the file");
		if (s->type == ZPROF_SECTION_NODES)
			add_nodes(data + at + sizeof *s, data + at + s->used);
		if (s->type == ZPROF_SECTION_THREADS)
			add_threads(data + at + sizeof *s, data + at + s->used);
		at += s->bytes;
	}
	if (node_ticks != thread_ticks && !(killed && may_be_unsettled(data))) {
		printf("the nodes' ticks are %" PRId64 ", the threads lasted %" PRId64 "\n",
		       node_ticks, thread_ticks);
		return 1;
	}
	if (argc > 2 && nodes > strtoull(argv[2], NULL, 10)) {
		printf("%" PRIu64 " nodes, at most %s were expected\n", nodes, argv[2]);
		return 1;
	}
	return 0;
}
