/* SPDX-License-Identifier: MIT */
/*
 * limits.h - what bounds did to a profile: recursion that was folded, contexts that went to the
 * overflow table; and what more bounds would do, where contexts are many. Calls, self times and
 * arcs are right whatever of this happened; what suffers is said in the heads of reports.
 */
#ifndef REPORT_LIMITS_H
#define REPORT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/str.h"

struct derived;
struct load;
struct profile;

struct limits {
	uint64_t folded_calls;   /* that re-entered a function beyond the depth limit */
	uint64_t overflow_calls; /* told apart by caller only */
	bool *folded;            /* by zone number: some of its calls were */
	size_t folded_room;
	char *depth; /* the limit, as the options of the first process gave it; NULL: not given */
};

/* What P's nodes say, node i at MAP[i] of L's tree (TREE_NONE: nowhere); marks those that are low.
 */
void limits_add(struct load *l, const struct profile *p, const uint32_t *map);
void limits_free(struct limits *limits);

/* How many zones were folded. */
size_t limits_folded_zones(const struct limits *limits);

/* Sentences for people, "" where there is nothing to say. CALLS: of the whole profile. */
void limits_folded_text(const struct limits *limits, struct str *text);
/* That contexts are so many that counting in them is slow; D: what is shown. */
void limits_contexts_text(const struct load *l, const struct derived *d, struct str *text);
void limits_overflow_text(const struct limits *limits, uint64_t calls, struct str *text);

#endif
