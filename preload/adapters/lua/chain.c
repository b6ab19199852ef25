/* SPDX-License-Identifier: MIT */
/* chain.c - see chain.h. */
#include "preload/adapters/lua/chain.h"

#include "preload/adapters/lua/events.h"
#include "preload/adapters/lua/library.h"

#define FUNCTIONS 16
#define CHOICES   4                     /* of MASK_CALL and MASK_RETURN */
#define LINKS     (FUNCTIONS * CHOICES) /* of one Lua */

/*
 * Link n is of Lua n / LINKS, and calls the function n / CHOICES of all. A function never leaves its place,
 * since coroutines may have its links.
 */
static hook_function *functions[LUAS * FUNCTIONS];

static bool asked_for(const struct liblua *lua, int event, unsigned int mask)
{
	switch (event) {
	case EVENT_CALL:
		return mask & MASK_CALL;
	case EVENT_RETURN:
		return mask & MASK_RETURN;
	case EVENT_TAIL:
		return mask & (lua->version == LUA_51 ? MASK_RETURN : MASK_CALL);
	default:
		/*
		 * A line or a count, which Lua reports by the program's mask. The mask itself is not
		 * looked at: Lua reports a line after a count's hook that has taken lines out of it.
		 */
		return true;
	}
}

static inline void run(struct state *l, union debug *ar, unsigned int link)
{
	const struct liblua *lua = &luas[link / LINKS];
	int event = ar->v51.event;

	if (event == EVENT_CALL || event == EVENT_RETURN || event == EVENT_TAIL)
		events_hook(lua, l, ar);
	if (asked_for(lua, event, link % CHOICES))
		functions[link / CHOICES](l, ar);
	if (lua->version == LUA_54 && (event == EVENT_LINE || event == EVENT_COUNT) &&
	    lua->status(l) == YIELDED)
		events_yielded(lua, l);
}

/* clang-format off */
#define LINK(n) static void link_##n(struct state *l, union debug *ar) { run(l, ar, 0##n); }
#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define LUA(X, n) EIGHT(X, n##0) EIGHT(X, n##1) EIGHT(X, n##2) EIGHT(X, n##3) \
	EIGHT(X, n##4) EIGHT(X, n##5) EIGHT(X, n##6) EIGHT(X, n##7)
#define ALL(X) LUA(X, 0) LUA(X, 1) LUA(X, 2) LUA(X, 3)
#define NAME(n) link_##n,
/* clang-format on */

ALL(LINK)

static hook_function *const links[LUAS * LINKS] = {ALL(NAME)}; /* their numbers are octal */

hook_function *chain_link(const struct liblua *lua, hook_function *f, int mask)
{
	unsigned int choice = (unsigned int)mask & (MASK_CALL | MASK_RETURN);
	size_t first = (size_t)lua->number * FUNCTIONS, i;

	for (i = first; i < first + FUNCTIONS; i++) {
		hook_function *there = NULL;

		if (__atomic_compare_exchange_n(&functions[i], &there, f, false, __ATOMIC_RELEASE,
						__ATOMIC_RELAXED) ||
		    there == f)
			return links[i * CHOICES + choice];
	}
	return NULL;
}

bool chain_find(const struct liblua *lua, hook_function *hook, hook_function **f, int *mask)
{
	size_t first = (size_t)lua->number * LINKS, i;

	for (i = first; i < first + LINKS; i++)
		if (links[i] == hook) {
			*f = functions[i / CHOICES];
			*mask = (int)(i % CHOICES);
			return true;
		}
	return false;
}
