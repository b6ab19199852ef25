/* SPDX-License-Identifier: MIT */
/*
 * block_counts.h - the counters of everything loaded: how often each basic block ran
 * (statements.h). They are a loader's (core/load/loader.h).
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

/* Those of L. */
const struct block_counts *block_counts_of(const struct load *l);

/* How often a block ran; its call returns to ADDRESS, in the module's own terms. */
uint64_t block_counts_find(const struct block_counts *b, uint32_t module, uint64_t address);

#endif
