/* SPDX-License-Identifier: MIT */
/*
 * load.h - profile files into one tree: everything a command starts from.
 *
 * Files are read one after another and thrown away as soon as their nodes are in the tree, so that
 * merging a thousand processes needs the memory of the largest and of the result.
 */
#ifndef REPORT_LOAD_H
#define REPORT_LOAD_H

#include "report/model/derive.h"
#include "report/model/limits.h"
#include "report/profile/profile_read.h"
#include "report/model/sites.h"
#include "report/base/str.h"
#include "report/model/tree.h"
#include "report/model/via.h"
#include "report/model/zones.h"

/* Turns of a loop, or requests, that the program counted under a name. */
struct process_turns {
	char *name;
	uint64_t count;
};

/* What is kept of one file beside its tree. */
struct process {
	char *path;
	char *command; /* the arguments, quoted where a shell would want it */
	char **arguments;
	size_t argument_count;
	char *exe, *host, *rank, *options; /* "" when unknown */
	char **notes;
	size_t note_count;
	struct process_turns *turns; /* each name once */
	size_t turns_count, turns_room;
	struct zprof_header header;
	double ns_per_tick;
	double hook_ns; /* what the hooks of all calls cost */
	uint64_t calls;
	uint64_t file_bytes;
	size_t node_count, thread_count, module_count, zone_count;
};

struct load {
	struct zones zones;
	struct tree tree;
	struct process *processes;
	size_t process_count, process_room;
	struct vias vias;
	struct sites sites;
	double *zone_hook_ns; /* what the hooks of each zone's calls cost; by number */
	size_t zone_hook_room;
	struct limits limits;
	uint64_t counters[ZPROF_COUNTERS_MAX]; /* summed over processes */
	char *columns[COST_COUNTERS]; /* interpreters' counters, by name, in cost.counter[] */
	size_t column_count;
	struct str warnings; /* lines for stderr, each ended by a newline */
	bool raw;
};

enum load_how {
	LOAD_WHOLE_RUN = 1, /* and all files beside those named that are of the same runs */
	LOAD_RAW = 2,       /* times as measured */
	LOAD_ANYONE = 4,    /* files of other users as well */
	LOAD_APART = 8, /* for what is said of each file, not for sums: any kinds may be together */
};

/*
 * Loads COUNT files or folders; with none the newest run in the current folder. HOW: of enum
 * load_how. On error L needs no freeing.
 */
bool load_paths(struct load *l, char *const *paths, size_t count, unsigned how, struct str *err);

/* Adds one profile that is already in memory, or was just read, to L (zeroed and load_init()ed). */
void load_init(struct load *l, bool raw);
void load_profile(struct load *l, const struct profile *p);

void load_free(struct load *l);

/* What symbolize has to say of the modules that were hit, into L's warnings. Once, after loading.
 */
void load_notice(struct load *l);

/* Nanoseconds a tick takes; where several processes were merged, that of the first. */
double load_ns_per_tick(const struct load *l);

/* What all calls' hooks cost, by the calibration: the calls were made whatever filters show. */
double load_hook_ns(const struct load *l);

/* Calls of all processes. */
uint64_t load_calls(const struct load *l);

/* What ZONE's calls would not cost if it had no hooks. */
double load_zone_hook_ns(const struct load *l, uint32_t zone);

/* Whether times are a fake clock's ticks, to be shown as the counts they are. */
bool load_is_fake(const struct load *l);

/* Whether nothing but calls was recorded. */
bool load_counts_only(const struct load *l);

#endif
