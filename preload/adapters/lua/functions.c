/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h. */
#include "preload/adapters/lua/functions.h"
#include "preload/zprof.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE 512 /* of a chunk's name, or text, one byte less is compared */

struct function {
	struct function *next;
	int first, last;
	uint32_t zone;
	char source[];
};

#define BUCKETS 4096u
static struct function *buckets[BUCKETS];

static const struct function *find(const struct function *f, const char *source, int first,
				   int last)
{
	for (; f; f = f->next)
		if (f->first == first && f->last == last && !strncmp(f->source, source, SOURCE - 1))
			return f;
	return NULL;
}

/* `module.name`: the chunk's file without folder and ending, and what the caller calls the function. */
static uint32_t make_zone(const struct liblua *lua, struct state *l, union debug *ar,
			  const char *source, int first)
{
	const char *file = *source == '@' || *source == '=' ? source + 1 : "";
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	const char *dot = strrchr(base, '.');
	int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
	const char *called;
	char name[SOURCE];

	if (!*base) {
		base = "(chunk)";
		length = 7;
	}
	if (!strcmp(DEBUG_FIELD(lua, ar, what), "main")) {
		snprintf(name, sizeof(name), "%.*s.<main>", length, base);
	} else {
		lua->getinfo(l, "n", ar);
		called = DEBUG_FIELD(lua, ar, name);
		if (called && *called && *called != '?')
			snprintf(name, sizeof(name), "%.*s.%s", length, base, called);
		else
			snprintf(name, sizeof(name), "%.*s.<function:%d>", length, base, first);
	}
	return zprof_lent(name, "lua", file, first > 0 ? (uint32_t)first : 1);
}

/*
 * Takes no lock: a process that another thread forks meanwhile would never get it. If two threads add
 * one function, the second finds the first one's record, and leaves the zone that it has made unused.
 */
static const struct function *add(const struct liblua *lua, struct state *l, union debug *ar,
				  const char *source, int first, int last, struct function **bucket)
{
	size_t length = strnlen(source, SOURCE - 1);
	struct function *f = malloc(sizeof(*f) + length + 1);
	const struct function *known;

	if (!f)
		return NULL;
	memcpy(f->source, source, length);
	f->source[length] = 0;
	f->first = first;
	f->last = last;
	f->zone = make_zone(lua, l, ar, f->source, first);
	f->next = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
	do {
		known = find(f->next, f->source, first, last);
		if (known) {
			free(f);
			return known;
		}
	} while (!__atomic_compare_exchange_n(bucket, &f->next, f, false, __ATOMIC_RELEASE,
					      __ATOMIC_ACQUIRE));
	return f;
}

uint32_t functions_of(const struct liblua *lua, struct state *l, union debug *ar)
{
	const struct function *f;
	struct function **bucket;
	const char *source;
	int first, last;

	if (!lua->getinfo(l, "S", ar) || *DEBUG_FIELD(lua, ar, what) == 'C')
		return 0;
	source = DEBUG_FIELD(lua, ar, source);
	first = DEBUG_FIELD(lua, ar, linedefined);
	last = DEBUG_FIELD(lua, ar, lastlinedefined);
	bucket = &buckets[((unsigned)first * 31u + (unsigned)last) % BUCKETS];
	f = find(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), source, first, last);
	if (!f)
		f = add(lua, l, ar, source, first, last, bucket);
	return f ? f->zone : 0;
}
