/* SPDX-License-Identifier: MIT */
/*
 * compare_contexts.h - the context trees of all sides of a comparison as one tree, whose zones are
 * rows of the match, with what each context took on each side.
 *
 * A context of one side stands where a context of another side has the same path of matched
 * functions. Threads and processes are not told apart. As for functions (compare.h), a side's
 * values are the means of its samples.
 */
#ifndef REPORT_COMPARE_CONTEXTS_H
#define REPORT_COMPARE_CONTEXTS_H

#include "report/compare/compare.h"

struct compare_contexts {
	struct tree tree;    /* one root, node 0; a parent stands before its children */
	uint64_t *sides;     /* by node: a bit for each side that has the context */
	struct mean *values; /* by node, side and measure up to COMPARE_TOTAL */
};

/* C's share is changed meanwhile, and nothing else of C. */
void compare_contexts_make(struct compare_contexts *t, struct compare *c);
void compare_contexts_free(struct compare_contexts *t);

static inline const struct mean *compare_contexts_at(const struct compare_contexts *t,
						     const struct compare *c, uint32_t node,
						     size_t side, size_t measure)
{
	return &t->values[(node * c->side_count + side) * COMPARE_COUNTERS + measure];
}

#endif
