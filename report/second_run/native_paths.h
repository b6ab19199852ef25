/* SPDX-License-Identifier: MIT */
/*
 * native_paths.h - which context a sample was in: from the functions on its stack, innermost first,
 * to a path that was counted.
 *
 * The first function leaves all contexts of that function; each one further out leaves those among
 * them that it called. A walk ends as soon as one context is left, so most stacks need two or three
 * frames. What was found is kept: a state per sequence of functions seen so far, and in it the
 * contexts that are left.
 *
 *     counted:  main > ai > cast > march          seen:  march                  both
 *               main > physics > cast > march            march, cast            both
 *                                                        march, cast, ai        the first
 *
 * A stack may lack functions that a path has: one that ended by jumping to another has no frame any
 * more. So where the next function called none of those left directly, those stay that have it
 * further out; where none has it, it is passed over. (In a folded recursion, paths are shorter than
 * stacks.) If several contexts are left in the end, the sample is divided among them, as their
 * weights are.
 */
#ifndef REPORT_NATIVE_PATHS_H
#define REPORT_NATIVE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/lookup.h"

#define NATIVE_NO_CONTEXT UINT32_MAX

/* One that is called stands behind its caller. */
struct native_context {
	uint32_t zone;   /* a function with code; 0: it has no code and is part of its caller's */
	uint32_t parent; /* NATIVE_NO_CONTEXT: it is outermost */
	double weight;   /* at least 0 */
	/* Filled in by native_paths_*(). */
	uint32_t host;  /* the innermost context with code from here outwards */
	uint32_t above; /* the next one with code further out than the host */
	double samples; /* `divided` of them were divided among contexts */
	double divided;
};

struct native_candidate {
	uint32_t context;
	uint32_t at; /* the outermost context of its path that was matched so far */
};

struct native_state {
	size_t first, count; /* in candidates */
	uint64_t samples;
};

struct native_step {
	uint32_t from, zone, to;
};

struct native_paths {
	struct native_context *contexts;
	size_t context_count;
	uint32_t *of_zones; /* contexts, grouped by their host's zone */
	size_t *first;      /* by zone: where its group begins in of_zones */
	size_t zone_count;
	struct native_candidate *candidates;
	size_t candidate_count, candidate_room;
	struct native_state *states; /* in the first, no function was seen yet */
	size_t state_count, state_room;
	struct native_step *steps;
	size_t step_count, step_room;
	struct lookup by_step;
	uint32_t state; /* of the sample that is being looked at */
};

/* CONTEXTS stay the caller's. Zones are below ZONE_COUNT. */
void native_paths_init(struct native_paths *p, struct native_context *contexts, size_t count,
		       size_t zone_count);
void native_paths_free(struct native_paths *p);

/* The next function outwards. True: the context is known. */
bool native_paths_add(struct native_paths *p, uint32_t zone);

/*
 * The sample is counted. WHOLE: no function is further out, so contexts that are outermost there
 * fit best. False if none fits: none of its functions is known.
 */
bool native_paths_end(struct native_paths *p, bool whole);

/* It is not to be counted. */
void native_paths_drop(struct native_paths *p);

/* Divides all samples among the contexts. */
void native_paths_share(struct native_paths *p);

#endif
