/* SPDX-License-Identifier: MIT */
/*
 * derive.h - derives functions and arcs from contexts, for every view except the tree.
 *
 * Take the path of zones from a thread's root to a node, outermost first, and the node's own ticks.
 * For each zone f on the path, the ticks count in one parent line and one child line of f's block
 * in the call graph:
 *
 *     path    main -> ai -> f -> g -> f -> h     the tick is h's own
 *                     '-----'                    outermost f: the line of its caller gets the tick
 *                                     '----'     innermost f: the line of its callee gets it,
 *                                                because h is not f
 *
 * So these sums hold for every f, in integer ticks; derive_check() asserts them:
 *
 *     over callers:  parent_self = self      parent_total = total     calls (with f's own) = calls
 *     over callees:  child_total = total - self
 *
 * and `sum of self over functions = sum of self over nodes`. The outside (zone 0) counts as a zone:
 * its arcs lead to threads' outermost zones. A thread's overflow table is an inner zone 0. Its
 * callees are the callers of overflowed calls: their arcs to what they called are right, but their
 * own callers are unknown.
 */
#ifndef REPORT_DERIVE_H
#define REPORT_DERIVE_H

#include "report/core/tree/tree.h"

/* Calls are counted for each level of recursion up to this one; deeper calls count at the last. */
#define DERIVE_LEVELS 64

struct function {
	uint32_t zone;
	uint32_t open;      /* outermost contexts of it that have not returned */
	uint32_t deepest;   /* how often one path has it, at most */
	uint32_t min_depth; /* the least depth of its contexts: 1 is a thread's outermost zone */
	bool caller;        /* it called something; if it has no calls, it was open at fork */
	bool low;           /* its total may be more: max_nodes was used up */
	uint64_t calls;
	uint64_t own_calls; /* of those, calls by itself: gprof's m in n+m */
	struct cost self, total;
	struct visits visits;
	/* [0]: of the outermost level, and so on, DERIVE_LEVELS in all; NULL unless deepest > 1. */
	uint64_t *calls_by_level;
};

struct arc {
	uint32_t caller, callee; /* zones; caller 0: a thread's outermost */
	uint64_t calls;
	struct cost parent_self, parent_total; /* the caller's line above the callee */
	struct cost child_self, child_total;   /* the callee's line below the caller */
};

struct derived {
	struct function *functions; /* by zone number; [0]'s self is the time outside all zones */
	size_t function_count;      /* = count of zones */
	struct arc *arcs;
	size_t arc_count, arc_room;
	struct cost whole; /* sum of self over all zones: 100 % */
	uint64_t calls;
	uint32_t zones_used; /* functions with calls or time */
	size_t contexts;     /* nodes of zones */
	size_t recursive;    /* contexts with a zone twice on their path */
};

/* Derives D from T. All zones in T are below ZONE_COUNT. */
void derive(struct derived *d, const struct tree *t, size_t zone_count);
void derive_free(struct derived *d);

/* Whether the sums hold, to the tick; WRONG says which one does not. */
bool derive_check(const struct derived *d, const struct tree *t, const char **wrong);

/* Whether a function has calls or a cost to be shown. */
bool derive_used(const struct function *f);

#endif
