/* SPDX-License-Identifier: MIT */
/* loaders.c - a line for each loader (core/load/loader.h). */
#include "report/core/load/loader.h"
#include "report/core/read/collect_parts.h"

/* Each is defined as FEATURE_loader. */
#define LOADERS(LINE)                                                                              \
	LINE(frames)                                                                               \
	LINE(statements)

#define DECLARE(feature) extern const struct loader feature##_loader;
#define LIST(feature)    &feature##_loader,
LOADERS(DECLARE)

const struct loader *const loaders[] = {LOADERS(LIST) NULL};

const struct collector *collector_at(size_t i)
{
	for (int k = 0; loaders[k]; k++)
		if (loaders[k]->collector && !i--)
			return loaders[k]->collector;
	return NULL;
}
