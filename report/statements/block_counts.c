/* SPDX-License-Identifier: MIT */
/* block_counts.c - see block_counts.h. */
#include "report/statements/block_counts.h"

#include <stdlib.h>

#include "preload/format.h"

static int by_address(const void *left, const void *right)
{
	const struct block_count *a = left, *b = right;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

void block_counts_sort(struct block_counts *b)
{
	size_t kept = 0;
	if (b->count)
		qsort(b->list, b->count, sizeof *b->list, by_address);
	for (size_t i = 0; i < b->count; i++)
		if (kept && !by_address(&b->list[kept - 1], &b->list[i]))
			b->list[kept - 1].count += b->list[i].count;
		else
			b->list[kept++] = b->list[i];
	b->count = kept;
}

uint64_t block_counts_find(const struct block_counts *b, uint32_t module, uint64_t address)
{
	struct block_count key = {.module = module,
				  .address = address / ZPROF_COUNTS_STEP * ZPROF_COUNTS_STEP};
	const struct block_count *found =
	    b->count ? bsearch(&key, b->list, b->count, sizeof key, by_address) : NULL;
	return found ? found->count : 0;
}
