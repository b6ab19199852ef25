/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - finds the functions that names, patterns and groups stand for.
 *
 * Only the command zprof knows symbols and groups; the library knows only addresses. So the library
 * runs `zprof resolve` with the list of modules, and gets the address ranges of the functions.
 */
#ifndef ZPROF_RESOLVE_H
#define ZPROF_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

struct range {
	uint64_t start, end;
};

/* Address ranges, which are never changed: another struct replaces the old one. */
struct ranges {
	uint32_t count, room;
	struct range all[]; /* sorted, disjoint */
};

/* A question to `zprof resolve`. */
struct resolve {
	const char *patterns; /* separated by spaces; NULL: there are only rules */
	const char *rules;    /* NULL: none; else lines, as choices.h has them */
};

/*
 * Finds functions in the modules number [first, end). With patterns: the functions to be recorded,
 * by the patterns and then the rules. Without patterns: the functions that the rules leave out. The
 * ranges that `old` (or NULL) has of other modules are added. *matched: how many functions the last
 * rule matches. NULL, without a message: zprof could not be asked.
 */
struct ranges *resolve_functions(struct process *p, const struct resolve *asked, uint32_t first,
				 uint32_t end, const struct ranges *old, uint32_t *matched);

void resolve_free(struct ranges *r);

/* Whether an address lies in one of the ranges; `r` may be NULL: there are none. */
bool resolve_holds(const struct ranges *r, uint64_t zone);

#endif
