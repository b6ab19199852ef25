/* SPDX-License-Identifier: MIT */
/*
 * block_counts.h - the counters of all loaded profiles: how often each basic block ran
 * (statements.h). A loader (core/load/loader.h) collects them.
 */
#ifndef REPORT_BLOCK_COUNTS_H
#define REPORT_BLOCK_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "report/core/load/loader.h"

extern const struct loader statements_loader;

/* A counter that is not 0. */
struct block_count {
	uint32_t module;  /* index into modules of struct zones */
	uint64_t address; /* in the module's own terms: where the block's call returns to */
	uint64_t count;
};

struct block_counts {
	struct block_count *list; /* sorted; each block once */
	size_t count, room;
};

/* The counters of L. */
const struct block_counts *block_counts_of(const struct load *l);

/* How often a block ran. ADDRESS is where the block's call returns to, in the module's own
 * terms. */
uint64_t block_counts_find(const struct block_counts *b, uint32_t module, uint64_t address);

#endif
