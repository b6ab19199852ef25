/* SPDX-License-Identifier: MIT */
/*
 * process.h - the record of one recording process, of which each room has a part.
 *
 *     process_now -> struct process --file--> struct file        profile/file.h
 *                                   --modules--> struct modules  code/module.h
 *                                   --pause--> struct pause      recording/pause.h
 *                                   ...
 *
 * A part is a pointer to a struct that only the part's own room defines. So a file can use the
 * parts whose headers it includes, and no others.
 *
 * Recording begins at the first hook event, so a program without instrumented code leaves no trace.
 * Recording begins without a lock. The first thread builds a `struct process` of its own in private
 * memory and publishes it with one compare-and-swap. Another thread, or a signal handler that
 * interrupts the first thread, may do so at the same time: whoever comes second discards its own
 * struct and uses the published one.
 *
 * A forked child must not count into its parent's file, yet it inherits the parent's mappings. So
 * each process has a page that the kernel wipes in children (MADV_WIPEONFORK). In a child, `*alive`
 * reads 0 there: the hot path sees that and begins anew, with a file for the child and the zone
 * stacks as they were. Until the child's first hook event the library has written nothing in the
 * child.
 */
#ifndef ZPROF_PROCESS_H
#define ZPROF_PROCESS_H

#include "preload/format.h"

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_THREAD_SECTIONS 24

#define PROCESS_ALIVE 1u /* in *alive: recording, in this process */

struct process {
	struct zprof_header *header; /* at file->base */
	uint32_t *here;              /* 1 in this process, 0 in a child after fork */
	uint32_t *alive; /* as `here`, but another number in a pause: the word that hooks look at */

	/* start/begin.c sets these pointers, which stay valid as long as the process lives. */
	const struct options *options; /* shared with forked children */
	struct file *file;
	struct zones *zones;
	struct counters *counters;
	struct modules *modules;
	struct locations *locations;
	struct only *only;
	struct sites *sites;
	struct stacks *stacks;
	struct pause *pause;
	struct recordings *recordings;
	struct sampling *sampling;
	struct watching *watching;
	struct cost *cost; /* of the hooks */

	/* profile/identity.h, profile/run.h, profile/timebase.h */
	struct zprof_section *texts;
	uint32_t noting; /* 1: a thread is in identity_note(); a second thread's note is left out */
	uint8_t run_id[16];
	/*
	 * true until a recording begun by a request is ready: no other thread may answer that
	 * request
	 */
	bool beginning;
	bool first;     /* process of the run: no other process gave it the run id */
	bool inherited; /* begun by fork in a process that was recording */
	uint32_t clock; /* enum zprof_clock */
	uint64_t hz;

	/*
	 * How much room threads have got so far, and `spent_before`: how much before the present
	 * recording.
	 */
	struct process_spent {
		uint32_t nodes; /* tree/tree.h: in a recording, at most options->max_nodes */
		/* nodes of overflow tables (tree/fold.h), not counted in `nodes` */
		uint32_t spare_nodes;
		uint32_t call_records; /* calls/callsites.h */
	} spent, spent_before;

	uint64_t history_spent; /* frames/history.h: bytes of sections so far */

	/* track/lineage.h */
	struct lineage *lineages; /* list; pushed at the head by compare-and-swap, never removed */
	/* the lineage at which the next search for ended threads begins */
	struct lineage *in_turn;
	uint32_t lineage_count;
	struct zprof_section *thread_sections[PROCESS_THREAD_SECTIONS];

	/* unwind/via.h, unwind/check.h */
	struct zprof_section *vias;
	uint64_t *vias_seen;              /* VIA_SEEN pairs of zones */
	const struct tree *recording_via; /* of the thread that is recording a via */
	uint32_t disagreed;               /* 1: a disagreement has been noted */

	/* entries/entries.h */
	bool entries_alone; /* functions may end without a hook */

	/* lent/lent_stacks.c, start/control.c */
	struct lent_stacks *lent_stacks; /* NULL until an interpreter makes one */
	struct zprof_section *turns;     /* of the main loop */
	uint32_t turns_used;
};

#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN bool process_off;            /* true: this process records nothing any more */
extern HIDDEN struct process *process_now; /* NULL before the first hook event */

#undef HIDDEN

/*
 * Three calls lead upwards (upward.h), to functions in start/begin.c, start/attach.c and
 * hooks/calibrate.c, because a hook event may need these functions in any lower room.
 */

/*
 * Returns the record of this process, and begins recording if there is none. `from` is the record
 * whose `alive` was found wiped: this process was forked from that one; else NULL. Returns NULL if
 * nothing can or should be recorded; the reason has been reported on stderr once.
 */
struct process *process_begin(struct process *from);

/* Answers a request from outside (request.h), unless another thread has claimed it. */
void process_answer(struct process *p);

/*
 * Measures once more what the hooks cost, if the last measurement is a second old. Called where the
 * library does something slow anyway.
 */
void process_calibrate_again(struct process *p);

#endif
