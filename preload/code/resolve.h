/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - which functions are meant by names, patterns and groups.
 *
 * Only the command zprof knows symbols and groups; here there are only addresses. So `zprof
 * resolve` is given the list of modules, and answers with the address ranges of the functions.
 */
#ifndef ZPROF_RESOLVE_H
#define ZPROF_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

struct range {
	uint64_t start, end;
};

/* Never changed: there is another one instead. */
struct ranges {
	uint32_t count, room;
	struct range all[]; /* sorted, disjoint */
};

/* What is asked. */
struct resolve {
	const char *patterns; /* separated by spaces; NULL: there are only rules */
	const char *rules;    /* NULL: none; else lines, as choices.h has them */
};

/*
 * The functions that are meant in the modules number [first, end), with those that `old` (or NULL)
 * has of other modules: those that match the patterns, as changed by the rules; without patterns,
 * those that the rules leave out. *matched: how many the last of the rules matches. NULL, without a
 * message: it could not be done.
 */
struct ranges *resolve_functions(struct process *p, const struct resolve *asked, uint32_t first,
				 uint32_t end, const struct ranges *old, uint32_t *matched);

void resolve_free(struct ranges *r);

/* Whether an address lies in one of them, of which there may be none (NULL). */
bool resolve_holds(const struct ranges *r, uint64_t zone);

#endif
