/* SPDX-License-Identifier: MIT */
/*
 * load.h - loads profile files into one tree, from which every command starts.
 *
 * Files are read one by one and freed as soon as their nodes are in the tree. So loading a thousand
 * processes needs only the memory of the largest file and of the result. If processes are folded
 * (LOAD_FOLD), the result of two hundred is hardly larger than that of one.
 */
#ifndef REPORT_LOAD_H
#define REPORT_LOAD_H

#include "report/core/times/measure.h"
#include "report/core/tree/derive.h"
#include "report/core/tree/fold.h"
#include "report/core/load/limits.h"
#include "report/core/load/loader.h"
#include "report/core/source/chains.h"
#include "report/core/source/places.h"
#include "report/core/disk/find_files.h"
#include "report/core/disk/process_state.h"
#include "report/core/read/profile_read.h"
#include "report/core/source/sites.h"
#include "report/core/source/source_text.h"
#include "report/core/base/str.h"
#include "report/core/tree/tree.h"
#include "report/core/names/via.h"
#include "report/core/load/waits.h"
#include "report/core/load/choices.h"
#include "report/core/names/zones.h"

/* A name and the number of turns of a loop, or requests, that the program counted under it. */
struct process_turns {
	char *name;
	uint64_t count;
};

/* One recording of a process. A process that was attached to more than once has several. */
struct process_recording {
	uint64_t began_realtime_ns; /* 0: it has not begun (start=off) */
	double lasted_ns;
	uint64_t calls;
	bool goes_on; /* it has no end but that of the process */
};

/* The facts of one file beside its tree. */
struct process {
	char *path;
	char *command; /* the arguments, quoted where a shell would want it */
	char **arguments;
	size_t argument_count;
	char *exe, *host, *rank, *options; /* "" when unknown */
	char build_id[65];                 /* of its executable, in hexadecimal; "": unknown */
	char *frame;                       /* the one frame that it shows; NULL: all of it */
	char **notes;
	size_t note_count;
	struct process_turns *turns; /* each name once */
	size_t turns_count, turns_room;
	struct process_recording *recordings; /* [0]: recording 1; none of a merged profile */
	uint32_t recording_count;
	uint32_t recording; /* the one that is loaded; 0: all */
	enum process_state state;
	struct zprof_header header;
	uint32_t processes, runs; /* how many it stands for; a merged profile has several */
	double elapsed_ns;
	double ns_per_tick;
	double hook_ns; /* the cost of all calls' hooks */
	double
	    unsure_ns; /* CPU time that may be of other functions than is shown (ZPROF_ENTRIES) */
	uint64_t samples; /* taken of it */
	uint64_t calls;
	uint64_t losses[ZPROF_COUNTERS_MAX]; /* of a merged profile: the first process has them */
	unsigned columns; /* a bit for each of load.columns that its profile counts */
	uint64_t file_bytes;
	size_t node_count, thread_count, module_count, zone_count;
	size_t name_count, source_count; /* names and sources of its programs in the file */
};

/* The times of a thread whose process was folded (LOAD_FOLD). */
struct load_thread {
	struct tree_thread thread;
	int64_t ticks, outside_ticks;
};

/* The cost of the hooks of a zone's calls. */
struct load_hooks {
	double ns;
	uint64_t calls;
};

struct load {
	struct zones zones;
	struct tree tree;
	struct fold fold;            /* while profiles are loaded: see LOAD_FOLD */
	struct load_thread *threads; /* the threads that were folded */
	size_t thread_count, thread_room;
	struct process *processes;
	size_t process_count, process_room;
	struct choices choices; /* of all processes */
	struct vias vias;
	struct sites sites;
	struct places places;
	struct chains chains; /* of functions without hooks */
	struct wait_facts wait_facts;
	struct loader_memory kept; /* by loaders */
	bool calls_by_place;       /* callsites=1 was in force in at least one process */
	bool places_by_sample;     /* places of samples are known of at least one process */
	bool kernel_nameless;      /* below.h: no place in the kernel has a name */
	struct load_hooks *hooks;  /* by zone number: of its calls */
	size_t hooks_room;
	struct limits limits;
	struct left_out
	    *left_out; /* files of processes that other files hold, too (count_once.h) */
	size_t left_out_count, left_out_room;
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
	LOAD_APART = 8, /* files are shown one by one, not summed: kinds and copies may be mixed */
	/*
	 * For views that do not tell processes apart: threads of the same name are added up over
	 * all processes, or over the processes of each run. The sum has the number that the first
	 * of these threads had.
	 */
	LOAD_FOLD = 16,
	LOAD_FOLD_RUNS = 32,
};

/* Files or folders that belong together: one side of a comparison, or all that the user named.
 * Without paths, the newest run in the current folder. */
struct load_set {
	char *const *paths;
	size_t count;
	const char *name;        /* what views call it; NULL: its first path */
	struct loader_pick pick; /* only this piece of its one file */
	const char *since;       /* only events after that file, or after "reset"; NULL: all */
	uint32_t recording; /* only this one of each process that has it (recordings.h); 0: all */
	size_t first, end;  /* filled in: its processes are processes[first, end) */
};

/* Loads COUNT sets. A file that is named twice in one set is read once. HOW: flags of enum
 * load_how. On error L needs no freeing. */
bool load_sets(struct load *l, struct load_set *sets, size_t count, unsigned how, struct str *err);

/* Adds one profile that is in memory to L. load_init() must have prepared L. */
void load_init(struct load *l, bool raw);
void load_profile(struct load *l, const struct profile *p);

/* Forgets processes and their contexts. Zones, ways, sites, limits and counters stay. */
void load_forget_tree(struct load *l);

/* Forgets processes, contexts and numbers. Zones, ways, sites and places stay, with their names. */
void load_begin_again(struct load *l);

void load_free(struct load *l);

/* False with a message unless the profiles with these headers can be added up. */
bool load_same_kind(const struct zprof_header *a, const char *a_path, const struct zprof_header *b,
		    const char *b_path, struct str *err);

/* The source file with number FILE in L's places, to be searched for in SEARCH (source_text.h). */
struct source_place load_source(const struct load *l, uint32_t file, const char *const *search,
				size_t search_count);

/* TEXT becomes a line about left-out file number INDEX; false: there is none. After the first few,
 * one line stands for all others. */
bool load_left_out_text(const struct load *l, size_t index, struct str *text);

/* Adds symbolize's notes on the modules in use to L's warnings. Call it once, after loading. */
void load_notice(struct load *l);

/* The name of the file of a process's program: of its executable, or else of its first argument. */
const char *load_program(const struct process *p);

/* How many processes were recorded. A merged file counts as the processes that it was made of. */
size_t load_processes(const struct load *l);

/* The time from the first start to the last end of the processes of a run, summed over runs. */
double load_elapsed_ns(const struct load *l);

/* Whether two processes are of one run. The ranks of a merged profile are, whichever runs they come
 * from. */
bool load_same_run(const struct process *a, const struct process *b);

/* Nanoseconds per tick, of the first process. */
double load_ns_per_tick(const struct load *l);

/* Whether the process's latest recording was ended while the process ran ('zprof detach'). */
bool load_recording_ended(const struct process *p);

/* The cost of the hooks of all calls; filters do not change it. */
double load_hook_ns(const struct load *l);

/* The cost of the hooks of CALLS calls of one process. */
double load_process_hook_ns(const struct process *p, uint64_t calls);

/*
 * How many recordings processes have beyond their first; 0 if the user asked for one recording.
 * *MOST: how many the process with most has.
 */
size_t load_more_recordings(const struct load *l, uint32_t *most);

/* Samples of all processes. */
uint64_t load_samples(const struct load *l);

/* Calls of all processes. */
uint64_t load_calls(const struct load *l);

/* How much time would be saved if CALLS calls of ZONE had no hooks. */
double load_zone_hook_ns(const struct load *l, uint32_t zone, uint64_t calls);

/* Whether times are ticks of the fake clock, to be shown as counts. */
bool load_is_fake(const struct load *l);

/* Whether a process was sampled from outside, so that none of its calls was counted; *ALL: whether
 * all were. */
bool load_sampled(const struct load *l, bool *all);

/* Whether a profile knows when threads were on no processor, and why; whether all profiles do. */
bool load_knows_waits(const struct process *p);
bool load_all_know_waits(const struct load *l);

/* The first profile that does not know the measure M; NULL: all know it. */
const struct process *load_unknown_measure(const struct load *l, enum time_measure m);

/* Whether one was recorded with offcpu=1, and the kernel told what was waited for: waits are rows of
 * their own, also those of merged profiles. */
bool load_names_waits(const struct load *l);

/* How many processes have times of a second run (native_times.h); 0 if raw times are wanted. */
size_t load_second_runs(const struct load *l);

/* Whether only calls were recorded. */
bool load_counts_only(const struct load *l);

#endif
