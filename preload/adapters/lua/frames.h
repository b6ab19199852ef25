/* SPDX-License-Identifier: MIT */
/*
 * frames.h - the open frames of a coroutine, as Lua's hook tells of them, and the zones that these are.
 *
 * Functions in C have frames, too, which are no zones. Lua tells nothing of frames that an error ends,
 * so each event says which frame its caller is, and frames above that have ended.
 */
#ifndef ZPROF_LUA_FRAMES_H
#define ZPROF_LUA_FRAMES_H

#include "preload/adapters/lua/liblua.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
	uintptr_t id;  /* of Lua's record of the frame, in use again once the frame has ended */
	uint32_t zone; /* 0: of a function in C */
	size_t below;  /* of a zone: zprof_lent_depth() before it was entered */
};

struct frames {
	const struct liblua *lua;
	struct state *state; /* the coroutine */
	struct frame *frame; /* the outermost first */
	size_t depth, room;
	size_t zones; /* frames that are zones */
};

/* The lines of calls are kept (callsites=1). Set before the first event. */
extern bool frames_with_lines;

/* A function begins; begins in the frame of the one that calls it; returns. */
void frames_called(struct frames *frames, union debug *ar);
void frames_tail_called(struct frames *frames, union debug *ar);
void frames_returned(struct frames *frames, union debug *ar);

/* Whether the event is of the frame on top, and that is a zone. */
bool frames_has_on_top(const struct frames *frames, const union debug *ar);

/*
 * Abandons the zones of all frames from `depth` on: an error has ended them. If the jump went over
 * compiled functions with hooks, the library may have abandoned some already.
 */
void frames_abandon(struct frames *frames, size_t depth);

/*
 * To be called as the coroutine goes on. The zones of one that yields are above its resumer's place on
 * the zone stack, which may be another each time. Zones that have compiled functions between them stay
 * where they are: there is no yield across these functions.
 */
void frames_follow_move(struct frames *frames);

/* Enters and leaves a zone (paused) for a thread that zprof does not know, so that it is asked of. */
void frames_make_known(void);

#endif
