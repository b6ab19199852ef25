/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - which functions are meant by names, patterns and groups.
 *
 * Names are for zprof, which knows symbols and groups; here there are only addresses. So `zprof
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

struct ranges {
	struct range *all; /* sorted, disjoint; replaced as a whole */
	uint32_t count;
};

/*
 * Adds the functions that match patterns (separated by spaces) in the modules number [first, end).
 * False: it could not be done; nothing has been said.
 */
bool resolve_functions(struct process *p, const char *patterns, uint32_t first, uint32_t end,
		       struct ranges *to);

bool ranges_hold(const struct ranges *r, uint64_t zone);

#endif
