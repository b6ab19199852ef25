/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h. */
#include "preload/adapters/lua/frames.h"

#include "preload/adapters/lua/functions.h"
#include "preload/zprof.h"

#include <stdlib.h>

bool frames_with_lines;

static uintptr_t id_of(const struct frames *frames, const union debug *ar)
{
	switch (frames->lua->version) {
	case LUA_54:
		return (uintptr_t)ar->v54.frame;
	case LUA_51:
		return (uintptr_t)ar->v51.frame;
	case LUA_JIT:
		return (uintptr_t)ar->v51.frame & 0xffff; /* above that: the frame's size */
	default:
		return (uintptr_t)ar->v52.frame;
	}
}

/* Whether ids are places on Lua's stack, which grow with it. */
static bool ids_grow(const struct frames *frames)
{
	return frames->lua->version == LUA_51 || frames->lua->version == LUA_JIT;
}

/* ---- zones */

/* One place in the code for each kind of event: the library remembers where an event came from. */
static __attribute__((noinline)) void enter(uint32_t zone)
{
	zprof_lent_enter(zone);
}

static __attribute__((noinline)) void enter_at(uint32_t zone, int line)
{
	zprof_lent_enter_at(zone, line > 0 ? (uint32_t)line : 0, 0);
}

static __attribute__((noinline)) void reenter(uint32_t zone)
{
	zprof_lent_reenter(zone);
}

static __attribute__((noinline)) void leave(void)
{
	zprof_lent_leave();
}

static void push(struct frames *frames, uintptr_t id, uint32_t zone, size_t below)
{
	if (frames->depth == frames->room) {
		size_t room = 2 * frames->room + 64;
		struct frame *more = realloc(frames->frame, room * sizeof(*more));

		if (!more) {
			if (zone)
				leave();
			return;
		}
		frames->frame = more;
		frames->room = room;
	}
	frames->frame[frames->depth].id = id;
	frames->frame[frames->depth].below = below;
	frames->frame[frames->depth++].zone = zone;
	frames->zones += zone != 0;
}

__attribute__((noinline)) void frames_abandon(struct frames *frames, size_t depth)
{
	size_t below = SIZE_MAX;

	while (frames->depth > depth) {
		const struct frame *f = &frames->frame[--frames->depth];

		if (f->zone) {
			below = f->below;
			frames->zones--;
		}
	}
	if (zprof_lent_depth() > below)
		zprof_lent_unwind(below);
}

/*
 * Lua 5.1 reports a tail call as a call. If the caller's frame is now the function that was called
 * last, with no function in C between the two, that function has taken the frame.
 */
static void follow_tail_51(struct frames *frames, uintptr_t id)
{
	struct frame *top = &frames->frame[frames->depth - 1];

	if (frames->lua->version != LUA_51 || frames->depth < 2 || top->id != id + 1 ||
	    !top->zone || top[-1].id != id || !top[-1].zone)
		return;
	leave();
	leave();
	reenter(top->zone);
	top[-1].zone = top->zone;
	frames->depth--;
	frames->zones--;
}

/* Abandons frames until the innermost is `id`; 0: no frame. */
static void settle(struct frames *frames, uintptr_t id)
{
	size_t depth = frames->depth;

	if (depth && frames->frame[depth - 1].id == id)
		return;
	if (depth)
		follow_tail_51(frames, id);
	depth = frames->depth;
	while (depth && (ids_grow(frames) && id ? frames->frame[depth - 1].id > id
						: frames->frame[depth - 1].id != id))
		depth--;
	if (depth != frames->depth)
		frames_abandon(frames, depth);
}

/* Enters the frames from `level` on, which were open before anything was recorded. */
static __attribute__((noinline)) void enter_open(struct frames *frames, int level)
{
	union debug ar;
	int end = level;

	while (frames->lua->getstack(frames->state, end, &ar))
		end++;
	while (--end >= level) {
		size_t below = zprof_lent_depth();
		uint32_t zone;

		frames->lua->getstack(frames->state, end, &ar);
		zone = functions_of(frames->lua, frames->state, &ar);
		if (zone)
			reenter(zone);
		push(frames, id_of(frames, &ar), zone, below);
	}
}

void frames_called(struct frames *frames, union debug *ar)
{
	union debug caller;
	bool has_caller = frames->lua->getstack(frames->state, 1, &caller);
	uintptr_t id = id_of(frames, ar);
	size_t below = 0;
	uint32_t zone;

	settle(frames, has_caller ? id_of(frames, &caller) : 0);
	if (!frames->depth && has_caller)
		enter_open(frames, 1);
	zone = functions_of(frames->lua, frames->state, ar);
	if (zone)
		below = zprof_lent_depth();
	if (zone && frames_with_lines) {
		int line = 0;

		if (has_caller && frames->depth && frames->frame[frames->depth - 1].zone &&
		    frames->lua->getinfo(frames->state, "l", &caller))
			line = DEBUG_FIELD(frames->lua, &caller, currentline);
		enter_at(zone, line);
	} else if (zone) {
		enter(zone);
	}
	push(frames, id, zone, below);
}

/* A function takes the frame of the one that calls it. */
void frames_tail_called(struct frames *frames, union debug *ar)
{
	uintptr_t id = id_of(frames, ar);
	uint32_t zone = functions_of(frames->lua, frames->state, ar);
	union debug caller;

	/* Before 5.4 the new function is still above the frame that it takes. */
	if (frames->lua->version != LUA_54 && frames->lua->version != LUA_JIT &&
	    frames->lua->getstack(frames->state, 1, &caller))
		id = id_of(frames, &caller);
	if (frames->depth && frames->frame[frames->depth - 1].id != id)
		settle(frames, id);
	if (!zone || !frames->depth || !frames->frame[frames->depth - 1].zone) {
		frames_called(frames, ar);
		return;
	}
	zprof_lent_replace(zone, ZPROF_CALL);
	frames->frame[frames->depth - 1].zone = zone;
}

void frames_returned(struct frames *frames, union debug *ar)
{
	uintptr_t id = id_of(frames, ar);

	if (!frames->depth)
		enter_open(frames, 0);
	settle(frames, id);
	if (!frames->depth)
		return;
	if (frames->frame[--frames->depth].zone) {
		frames->zones--;
		leave();
	}
}

bool frames_has_on_top(const struct frames *frames, const union debug *ar)
{
	return frames->depth && frames->frame[frames->depth - 1].id == id_of(frames, ar) &&
	       frames->frame[frames->depth - 1].zone;
}

void frames_follow_move(struct frames *frames)
{
	struct frame *first = frames->frame, *last = frames->frame + frames->depth, *f;
	size_t base;

	if (!frames->zones)
		return;
	while (!first->zone)
		first++;
	do
		last--;
	while (!last->zone);
	base = zprof_lent_depth() - frames->zones;
	if (last->below - first->below != frames->zones - 1 || base == first->below)
		return;
	base -= first->below;
	for (f = first; f <= last; f++)
		f->below += base;
}

void frames_make_known(void)
{
	reenter(zprof_lent("(paused)", "lua", NULL, 0));
	leave();
}
