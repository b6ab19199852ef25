/* SPDX-License-Identifier: MIT */
/*
 * native_paths.h - finds the context that a sample was in. The functions on its stack, innermost
 * first, lead to a path that was counted in the first run.
 *
 * The first function leaves all contexts of that function. Each function further out leaves only
 * the contexts that it called. A walk ends as soon as one context is left, so most stacks need two
 * or three frames. Results are kept: each sequence of functions seen so far is a state, which lists
 * the contexts that are left.
 *
 *     counted:  main > ai > cast > march          seen:  march                  both
 *               main > physics > cast > march            march, cast            both
 *                                                        march, cast, ai        the first
 *
 * A stack may lack functions that a path has, because a function that ended by jumping to another
 * has no frame any more. So if the next function called none of the remaining contexts directly, the
 * contexts that have the function anywhere further out on their paths remain. A stack may also have
 * functions that no path has, because a recursion may be folded in paths. So a function that is on
 * none of the paths is skipped. If several contexts remain in the end, the sample is divided among
 * them, in proportion to their weights.
 */
#ifndef REPORT_NATIVE_PATHS_H
#define REPORT_NATIVE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/lookup.h"

#define NATIVE_NO_CONTEXT UINT32_MAX

/* A context; the array has it behind its caller. */
struct native_context {
	uint32_t zone;   /* a function with code; 0: without code, part of its caller */
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
	uint32_t state; /* the state of the current sample */
};

/* CONTEXTS stay the caller's. All zones are below ZONE_COUNT. */
void native_paths_init(struct native_paths *p, struct native_context *contexts, size_t count,
		       size_t zone_count);
void native_paths_free(struct native_paths *p);

/* Takes the next function outwards of a sample. True: the sample's context is known. */
bool native_paths_add(struct native_paths *p, uint32_t zone);

/* Ends a sample, and counts it. WHOLE: the stack has no function further out, so contexts without a
 * caller further out fit best. False if no context fits: none of the functions is known. */
bool native_paths_end(struct native_paths *p, bool whole);

/* Ends a sample without counting it. */
void native_paths_drop(struct native_paths *p);

/* Gives all samples to contexts; a sample that fits several is divided. */
void native_paths_share(struct native_paths *p);

#endif
