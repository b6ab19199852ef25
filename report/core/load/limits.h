/* SPDX-License-Identifier: MIT */
/*
 * limits.h - the effects of limits on a profile: folded recursion, and contexts in the overflow
 * table. Calls, self times and arcs stay exact; the head of a report says which numbers do not. It
 * also says if there are so many contexts that tighter limits would help.
 */
#ifndef REPORT_LIMITS_H
#define REPORT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"

struct derived;
struct load;
struct profile;

struct limits {
	uint64_t folded_calls;   /* calls that re-entered a function beyond the depth limit */
	uint64_t overflow_calls; /* calls of which only caller and callee are known */
	bool *folded;            /* by zone number: some of its calls are folded */
	size_t folded_room;
	char *depth;  /* the limit in the options of the first process; NULL if not given */
	bool entries; /* its functions end without a hook */
};

/* Adds the limits that P's nodes were under, and marks nodes whose totals may be low. MAP[i] is
 * node i's index in L's tree, or TREE_NONE. */
void limits_add(struct load *l, const struct profile *p, const uint32_t *map);
void limits_free(struct limits *limits);

/* How many zones have folded calls. */
size_t limits_folded_zones(const struct limits *limits);

/* Sentences for people; "" if there is nothing to report. CALLS: of the whole profile. */
void limits_folded_text(const struct limits *limits, struct str *text);
/* Says that contexts are so many that counting is slow; D: what is shown. */
void limits_contexts_text(const struct load *l, const struct derived *d, struct str *text);
void limits_overflow_text(const struct limits *limits, uint64_t calls, struct str *text);

#endif
