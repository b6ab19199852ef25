/* SPDX-License-Identifier: MIT */
/*
 * merge.h - puts many profiles into one file.
 *
 *     profiles  -- load_profile() one by one: contexts, names, costs, as any report has them
 *     fold      -- of one rank: threads of one name are one thread, equal contexts one context (fold.h)
 *     file      -- merge_flush() appends the tree and forgets it, when the rank is complete
 *
 * So memory is bounded by the largest profile, the merged contexts of one rank, and the data that
 * all ranks share: zones, modules, ways (via.h). The file holds names and costs (format.h, struct
 * zprof_part), so reports need neither the programs nor the originals.
 *
 * The file keeps contexts with calls, ticks, costs and counters; ways and sites; calls by place;
 * counts of statements; ranks; how many processes and runs there were, and how long they took;
 * losses and notes; and the names and sources of programs (keep.h). It does not keep frames and
 * single calls, times as measured by each process's own clock, which processes made which part of a
 * rank, and more than ZPROF_LEVELS open contexts of a thread.
 */
#ifndef REPORT_MERGE_H
#define REPORT_MERGE_H

#include "report/core/tree/fold.h"
#include "report/core/load/load.h"
#include "report/core/read/profile_write.h"

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

struct merge {
	struct load load;
	struct profile_writer to;
	bool by_rank;
	struct fold fold; /* of one rank, or of all */
	struct merge_part *parts;
	size_t part_count, part_room;
	struct merge_run *runs;
	size_t run_count, run_room;
	struct lookup by_run;
	struct profile_records threads;
	uint32_t *way_node; /* by the first way of a pair: a context of that pair; 0: none yet */
	size_t way_room;
	struct zprof_header header; /* of the first profile */
	char *first_path, *exe, *options;
	char **arguments;
	size_t argument_count;
	char **notes;
	size_t note_count, note_room;
	struct str ended; /* of the first process that did not end by exit(): see ended.h */
	size_t early;     /* how many processes did not */
	uint64_t turns_count, turns_room;
	struct zprof_turns *turns;
	struct zprof_member *members;
	size_t member_count, member_room;
	uint64_t contexts; /* written */
	size_t files;
};

/* Begins the file at PATH. Without BY_RANK all ranks are added up. */
bool merge_begin(struct merge *m, const char *path, bool by_rank, struct str *err);
bool merge_add(struct merge *m, const char *path, bool anyone, struct str *err);

/* Writes the contexts that were added since the last flush. */
bool merge_flush(struct merge *m, struct str *err);

/* Flushes, and completes the file. M keeps its statistics and warnings until merge_free(). */
bool merge_end(struct merge *m, struct str *err);
void merge_free(struct merge *m); /* also removes a file that is not complete */

#endif
