/* SPDX-License-Identifier: MIT */
/*
 * chains.h - chains of places, of functions without hooks that called one another (struct
 * zprof_chain), as numbers. A chain is its last link:
 *
 *     link 0        the function with hooks, whichever it is
 *     link 1        compress2      outer: 0
 *     link 2        deflate        outer: 1     the chain compress2 > deflate is link 2
 *     link 3        crc32          outer: 0
 *
 * Invariant: a link's outer link has a smaller number; no two links have the same outer link and place.
 */
#ifndef REPORT_CHAINS_H
#define REPORT_CHAINS_H

#include "report/core/base/lookup.h"

#define CHAIN_NONE 0u

struct chain_link {
	uint32_t outer; /* number of a link */
	uint32_t place; /* struct places: one byte behind the function's beginning */
};

struct chains {
	struct chain_link *links; /* [0] is not used */
	size_t count, room;
	struct lookup by_key;
};

/* The number of the chain OUTER with PLACE behind it. */
uint32_t chains_link(struct chains *c, uint32_t outer, uint32_t place);

void chains_free(struct chains *c);

#endif
