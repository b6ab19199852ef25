/* SPDX-License-Identifier: MIT */
/*
 * process.h - the record of one recording process: its file, its modules, its threads, and how it
 * begins and ends.
 *
 * Recording begins at the first hook event, so a program without instrumented code leaves no trace.
 * It begins without a lock: whoever comes first builds a `struct process` of its own in private
 * memory and publishes it with one compare-and-swap; who comes second (another thread, or a signal
 * handler that interrupted the first half-way) throws its own away and uses the winner's.
 *
 * A forked child must not count into its parent's file, yet it inherits the parent's mappings. So
 * each process has a page that the kernel wipes in children (MADV_WIPEONFORK): `*alive` reads 0
 * there, the hot path sees it and begins anew, with a file of its own and the zone stacks as they
 * were. Until its first hook event the child has written nothing.
 */
#ifndef ZPROF_PROCESS_H
#define ZPROF_PROCESS_H

#include "preload/profile/counters.h"
#include "preload/profile/file.h"
#include "preload/format.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/code/only.h"
#include "preload/process/options.h"
#include "preload/track/pause.h"
#include "preload/track/stacks.h"
#include "preload/profile/zones.h"

#define PROCESS_THREAD_SECTIONS 24
#define PROCESS_TURNS           64 /* kinds of frames */

struct lineage;

/* What one pair of hooks costs, in thousandths of a tick: as in the profile's header. */
struct cost {
	uint32_t callee_milliticks, caller_milliticks, error_milliticks;
	uint32_t count_milliticks; /* of a pair under clock=count */
	uint32_t calibrations;     /* that these are the mean of */
	uint64_t calibrated;       /* clock reading of the latest */
	bool calibrating;          /* a thread is at it; a second one returns without doing it */
};

struct process {
	struct file file;
	struct zprof_header *header; /* at file.base */
	uint32_t *here;              /* 1 in this process, 0 in a child after fork */
	uint32_t
	    *alive; /* the same, but 0 while paused too (control.h): the hooks look at this one */
	struct options options;
	struct modules modules;
	struct locations locations;
	struct stacks stacks;
	struct only only;
	struct zprof_section *texts;
	struct zprof_section *vias;
	uint64_t *vias_seen; /* VIA_SEEN pairs of zones (via.h) */
	const struct tree
	    *recording_via; /* of whoever is; another who comes meanwhile does without */
	uint32_t disagreed; /* 1: a disagreement has been noted (check.h) */
	uint32_t
	    noting; /* 1: somebody is leaving a note; another who comes meanwhile does without */
	struct lineage *lineages; /* list; pushed at the head by compare-and-swap, never removed */
	uint32_t lineage_count;
	struct zprof_section *thread_sections[PROCESS_THREAD_SECTIONS];
	uint32_t nodes; /* handed out to threads so far; with spare_nodes at most options.max_nodes
			 */
	uint32_t spare_nodes; /* and those put aside for overflow tables (fold.h) */
	struct zones zones;
	struct pause pause;
	struct counters counters;
	struct zprof_section *turns; /* of frames (control.c) */
	uint32_t turns_used;
	struct lent_stacks *lent_stacks; /* NULL until an interpreter makes one (lent_stacks.c) */
	bool inherited;                  /* begun by fork in a process that was recording */
	bool first;                      /* of its run: no other process gave it its run id */
	uint8_t run_id[16];
	uint32_t clock; /* enum zprof_clock */
	uint64_t hz;
	struct cost cost;
};

extern bool process_off
    __attribute__((visibility("hidden"))); /* nothing is recorded from here on */
extern struct process *process_now
    __attribute__((visibility("hidden"))); /* NULL before the first hook event */

/*
 * The process that records here, begun if need be. `from` is the one whose alive page was found
 * wiped, or NULL. NULL when nothing can be or is to be recorded (asked for so, or it failed; said
 * on stderr once).
 */
struct process *process_begin(struct process *from);

/*
 * Nothing is recorded from here on: calls that this thread, or this forked child, makes are not
 * even looked at, unless another thread has begun to record.
 */
void process_give_up(void);

/* For the file's name: the host's (65 bytes), and the rank in a parallel job ("0" outside of one).
 */
void process_host(char *host);
const char *process_rank(void);

/* A page of zeros that a fork wipes in the child; NULL: no memory. */
uint32_t *process_wiped_page(void);

/* Takes a new reading of both clocks into the header, by which the tick's rate is known. */
void process_refresh(struct process *p);

/*
 * The time stamp counter is no clock, or may not be read any more: from `last` on CLOCK_MONOTONIC
 * is used. (What the hooks cost now has not been measured; that is counted.) False: it was already,
 * or cannot be.
 */
bool process_distrust_counter(struct process *p, uint64_t last);

/*
 * The clock was read `now`, and should be at `last` or later: that is counted, and CLOCK_MONOTONIC
 * used from `last` on, and noted. Returns the clock's reading after that.
 */
uint64_t process_clock_is_back(struct process *p, uint64_t last, uint64_t now);

/* Leaves a line for the heads of reports: `what`, then a number. */
void process_note(struct process *p, const char *what, uint64_t number);

/* Adds n to a kind of loss or repair. */
void process_count(struct process *p, enum zprof_counter kind, uint64_t n);

#endif
