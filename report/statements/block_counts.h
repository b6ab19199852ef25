/* SPDX-License-Identifier: MIT */
/*
 * block_counts.h - the counters of everything loaded: how often each basic block ran
 * (statements.h).
 */
#ifndef REPORT_BLOCK_COUNTS_H
#define REPORT_BLOCK_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* A counter that is not 0. */
struct block_count {
	uint32_t module;  /* index into modules of struct zones */
	uint64_t address; /* in the module's own terms: where the block's call returns to */
	uint64_t count;
};

struct block_counts {
	struct block_count *list;
	size_t count, room;
};

/* Sorts, and adds up those of the same block. */
void block_counts_sort(struct block_counts *b);

/* How often a block ran; its call returns to ADDRESS, in the module's own terms. */
uint64_t block_counts_find(const struct block_counts *b, uint32_t module, uint64_t address);

#endif
