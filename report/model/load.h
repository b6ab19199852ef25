/* SPDX-License-Identifier: MIT */
/*
 * load.h - loads profile files into one tree, from which every command starts.
 *
 * Files are read one by one and freed as soon as their nodes are in the tree, so merging a thousand
 * processes needs only the memory of the largest file and of the result.
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

/* A name and the number of turns of a loop, or requests, that the program counted under it. */
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
	char *columns[COST_COUNTERS]; /* names of interpreters' counters, as in cost.counter[] */
	size_t column_count;
	struct str warnings; /* lines for stderr, each with a newline */
	bool raw;
};

enum load_how {
	LOAD_WHOLE_RUN = 1, /* also the other files of the same runs in the same folders */
	LOAD_RAW = 2,       /* times as measured */
	LOAD_ANYONE = 4,    /* files of other users too */
	LOAD_APART = 8,     /* files are shown one by one, not summed: kinds may be mixed */
};

/*
 * Loads COUNT files or folders, or the newest run in the current folder if COUNT is 0. HOW: flags
 * of enum load_how. On error L needs no freeing.
 */
bool load_paths(struct load *l, char *const *paths, size_t count, unsigned how, struct str *err);

/* Adds one profile that is in memory to L, which load_init() has prepared. */
void load_init(struct load *l, bool raw);
void load_profile(struct load *l, const struct profile *p);

void load_free(struct load *l);

/* Adds symbolize's notes on the modules in use to L's warnings. Call it once, after loading. */
void load_notice(struct load *l);

/* Nanoseconds per tick; if several processes are merged, those of the first. */
double load_ns_per_tick(const struct load *l);

/* What the hooks of all calls cost, by the calibration; filters do not change it. */
double load_hook_ns(const struct load *l);

/* Calls of all processes. */
uint64_t load_calls(const struct load *l);

/* What would be saved if ZONE had no hooks. */
double load_zone_hook_ns(const struct load *l, uint32_t zone);

/* Whether times are ticks of the fake clock, to be shown as counts. */
bool load_is_fake(const struct load *l);

/* Whether only calls were recorded. */
bool load_counts_only(const struct load *l);

#endif
