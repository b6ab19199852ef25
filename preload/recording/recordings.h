/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - the recordings of a process, one after another in its profile.
 *
 * A recording is what `zprof attach` begins and `zprof detach` ends (start/attach.h). The first
 * recording begins with the process. Under start=off the process begins with a pause, and the first
 * recording begins when this pause ends. The program's own pauses are within a recording.
 *
 *     start   zprof_pause  zprof_resume   detach           attach          exit
 *     |----------------      -----------------|              |---------------|
 *     recording 1                                            recording 2
 *
 * A call belongs to one recording by the tree that counts it: at its first event in a recording, a
 * thread goes on in a tree of its own (crossing.h). So each node, and each record that belongs to a
 * node, is of one recording, and no hook has to know of recordings.
 *
 * A recording ends with a pause. `now` changes while that pause is still in force, so no event gets
 * into the recording before. A thread that still counts in an earlier recording has an old `alive`
 * word that is no longer 1 (pause.h), so its next event takes the slow way.
 *
 * Each recording has a budget of contexts of its own (max_nodes); the file has room for 16 million.
 *
 * When a recording has ended, the program's own zprof_resume() cannot begin another: the user has
 * ended it by `zprof detach`.
 */
#ifndef ZPROF_RECORDINGS_H
#define ZPROF_RECORDINGS_H

#include "preload/process/process.h"

#include <stdbool.h>
#include <stdint.h>

struct recordings {
	struct zprof_recording *now; /* the latest; NULL: no room for any record */
	/* enum request_state. A forked child takes over its parent's state. */
	uint32_t state;
	struct zprof_section *section;
};

/*
 * Begins the first recording, unless the process begins with a pause. `from`: the parent of a
 * forked child.
 */
void recordings_init(struct process *p, const struct process *from);

/* Begins a recording, unless one is in progress. To be called before the pause ends. */
void recordings_begin(struct process *p, uint64_t ticks);

/* Ends the recording in progress. To be called before the pause begins. */
void recordings_end(struct process *p, uint64_t ticks);

bool recordings_go_on(const struct process *p);

/*
 * The program's own zprof_resume(): ends one pause that the program has begun. False: no such pause
 * is in force.
 */
bool recordings_resume(struct process *p, uint64_t ticks);

/* The latest recording. */
struct zprof_recording *recordings_now(const struct process *p);

#endif
