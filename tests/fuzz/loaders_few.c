/* SPDX-License-Identifier: MIT */
/* loaders_few.c - the loaders of the fuzzed reader (report/loaders.c): those without options. */
#include "report/core/read/collect_parts.h"
#include "report/statements/block_counts.h"

const struct loader *const loaders[] = {&statements_loader, NULL};

const struct collector *collector_at(size_t i)
{
	(void)i;
	return NULL;
}
