/* SPDX-License-Identifier: MIT */
/*
 * model.h - a made-up program, whose functions, inlined copies of functions and stacks are only
 * numbers, so that the library's state machine can be driven through sequences that no compiler
 * makes.
 *
 * A *place* is a function's body as it was compiled: on its own, or inlined into a host. It has a
 * few locations: where it calls the enter hook, and some from where it calls the exit hook. One of
 * an inlined place's is in a part that was split off, a function that the host calls.
 *
 * (Functions that end without a hook have a model of their own, tests/entries/model.h.)
 *
 *     model.c            draws sequences of events, in batches
 *     model_program.c    what the program may do next, and does
 *     model_hook.c       one hook event, as the library gets it
 *     model_compare.c    the library beside the reference
 *     model_world.c      what is really open, on which stack
 *     model_reference.c  what they should lead to, written as plainly as possible
 *     model_frames.c     linked in place of the library's frame.o and via.o: knows the places
 */
#ifndef MODEL_H
#define MODEL_H

#include "preload/code/location.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	MODEL_ZONES = 6,
	MODEL_BARE = MODEL_ZONES, /* a host without hooks of its own */
	MODEL_SITES = 4,          /* functions inlined into each host; the last two are the same */
	MODEL_PLACES = MODEL_ZONES + (MODEL_ZONES + 1) * MODEL_SITES,
	/* The location of an exit in a part, which is a frame like the bare host's. */
	MODEL_SPLIT = 3,
	MODEL_LOCATIONS = 4, /* of a place: enter, exit, the other exit, the exit in a part */
};

static inline bool model_inlined(int place)
{
	return place >= MODEL_ZONES;
}

/* The function whose frame a place runs in; MODEL_BARE for the uninstrumented one. */
static inline int model_host(int place)
{
	return model_inlined(place) ? (place - MODEL_ZONES) / MODEL_SITES : place;
}

static inline int model_zone(int place)
{
	int host = model_host(place), site = (place - MODEL_ZONES) % MODEL_SITES;
	if (!model_inlined(place))
		return place;
	return (host + 1 + (site < MODEL_SITES - 1 ? site : site - 1)) % MODEL_ZONES;
}

/* Every second function has a frame that is found by rbp (it uses alloca). */
static inline bool model_by_rbp(int host)
{
	return host & 1;
}

/* How far below its CFA a host's stack pointer is as it calls the enter hook. */
static inline uintptr_t model_distance(int host)
{
	static const uintptr_t bytes[MODEL_ZONES + 1] = {16, 48, 208, 32, 4096, 96, 80};
	return bytes[host];
}

uintptr_t model_zone_address(int zone);
uintptr_t model_ret(int place, int location);

/* Where a host's call of a part returns to. */
uintptr_t model_call(int host);

#endif
