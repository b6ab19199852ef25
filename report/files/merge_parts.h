/* SPDX-License-Identifier: MIT */
/* merge_parts.h - the parts of a merged profile, for merge.c and merge_write.c. */
#ifndef REPORT_MERGE_PARTS_H
#define REPORT_MERGE_PARTS_H

#include "preload/format.h"

/* The processes of one rank. Its `runs` and `elapsed_ns` are complete only after struct merge's
 * list of runs has been added to them. */
struct merge_part {
	struct zprof_part fixed;
	char *rank, *host, *command;
};

/* When a run began and ended, considering only processes of one rank. */
struct merge_run {
	uint32_t part;
	uint8_t id[16];
	uint64_t first_ns, last_ns;
};

#endif
