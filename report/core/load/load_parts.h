/* SPDX-License-Identifier: MIT */
/* load_parts.h - shared by the files that load profiles (load.h). */
#ifndef REPORT_LOAD_PARTS_H
#define REPORT_LOAD_PARTS_H

#include "report/core/times/estimate.h"
#include "report/core/load/load.h"

/* One profile while it is added to the tree. */
struct loading {
	struct load *l;
	const struct profile *p;
	struct zones_of_profile zones;
	uint32_t *map;  /* profile's node -> tree's node, TREE_NONE: not there (yet) */
	uint32_t *path; /* nodes on the way to a mapped one */
	size_t path_room;
	size_t first_process;
	struct lookup by_tid; /* threads of this process that are in the tree */
	struct estimate estimate;
};

/* The tree's node for a node of the profile. Adds the node and its callers if they are missing. */
uint32_t load_node(struct loading *g, uint32_t node);

/* Adds the profile's calls by place. */
void load_add_calls(struct loading *g);

/* Widens the bars of the profile's waits by what hooks may have added (times/lengthened.h). The tree's
 * nodes from FIRST on are the profile's, and their costs and waits are complete. */
void load_lengthen_waits(struct loading *g, size_t first);

/* Adds P's process, or the processes of a merged P. Returns the number of the first. */
size_t load_add_processes(struct load *l, const struct profile *p);
void load_free_process(struct process *p);

/* Adds a line for stderr, printed when everything is loaded. */
void load_warn(struct load *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
