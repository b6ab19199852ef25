/* SPDX-License-Identifier: MIT */
/* coroutines.c - see coroutines.h. */
#include "preload/adapters/lua/coroutines.h"

#include "preload/zprof.h"

#include <stdlib.h>

#define BUCKETS 4096u
static struct coroutine *buckets[BUCKETS];
static uint64_t threads;

static __thread struct {
	struct coroutine *current;
	uint64_t number; /* no two threads have one; 0: no coroutine has run in it */
} self __attribute__((tls_model("initial-exec")));

static bool is(const struct coroutine *c, const struct liblua *lua, const struct state *l)
{
	return c->frames.state == l && c->frames.lua == lua;
}

/*
 * A state runs in one thread at a time, so nobody else adds its record. (No lock: see functions.c.) Memory
 * that was a state of one Lua may become another's.
 */
static struct coroutine *find(const struct liblua *lua, struct state *l)
{
	struct coroutine **bucket = &buckets[((uintptr_t)l >> 4) % BUCKETS], *c;
	struct coroutine *first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);

	for (c = first; c && !is(c, lua, l); c = c->next)
		;
	if (c || !(c = calloc(1, sizeof(*c))))
		return c;
	c->frames.lua = lua;
	c->frames.state = l;
	c->next = first;
	while (!__atomic_compare_exchange_n(bucket, &c->next, c, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return c;
}

static __attribute__((noinline)) struct coroutine *change_to(const struct liblua *lua,
							     struct state *l)
{
	struct coroutine *c = find(lua, l);

	if (!c)
		return NULL;
	if (!self.number || c->owner != self.number) {
		/* Another thread has its zones, if it had any. They are entered here again. */
		c->stack = self.number ? zprof_lent_stack() : 0;
		if (!self.number)
			self.number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
		c->owner = self.number;
		c->frames.depth = c->frames.zones = 0;
	}
	if (self.current)
		zprof_lent_switch(c->stack);
	self.current = c;
	frames_follow_move(&c->frames);
	return c;
}

struct coroutine *coroutines_switch_to(const struct liblua *lua, struct state *l)
{
	struct coroutine *c = self.current;

	return c && is(c, lua, l) && c->owner == self.number ? c : change_to(lua, l);
}

struct coroutine *coroutines_current(void)
{
	return self.current;
}
