/* SPDX-License-Identifier: MIT */
/* merge_parts.h - what merge.c and merge_write.c share of a merged profile's parts. */
#ifndef REPORT_MERGE_PARTS_H
#define REPORT_MERGE_PARTS_H

#include "preload/format.h"

/*
 * The processes of one rank. Runs and elapsed time are complete when `runs` of struct merge have
 * been added.
 */
struct merge_part {
	struct zprof_part fixed;
	char *rank, *host, *command;
};

/* When a run began and ended, as far as one rank took part in it. */
struct merge_run {
	uint32_t part;
	uint8_t id[16];
	uint64_t first_ns, last_ns;
};

#endif
