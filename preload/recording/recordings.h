/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - the recordings of a process, one after another in its profile.
 *
 * A recording is what `zprof attach` begins and `zprof detach` ends (start/attach.h). The first one
 * begins with the process, or, under start=off, when its pause ends for the first time. The
 * program's own pauses are within a recording.
 *
 *     start   zprof_pause  zprof_resume   detach           attach          exit
 *     |----------------      -----------------|              |---------------|
 *     recording 1                                            recording 2
 *
 * A call belongs to one recording by the tree that counts it: at its first event in a recording, a
 * thread goes on in a tree of its own (crossing.h). So all that hangs on nodes is of one recording,
 * and no hook has to know of recordings.
 *
 * `now` is changed while the pause that a recording ends with is still in force, so no event is
 * recorded into the one before. A thread that has not come along has a word in `alive` that is not
 * alive (pause.h), and takes the slow way.
 *
 * Each recording has a budget of contexts of its own (max_nodes); the file has room for 16 million.
 *
 * While a recording is over, the program's own zprof_resume() cannot begin one: the user has ended
 * it.
 */
#ifndef ZPROF_RECORDINGS_H
#define ZPROF_RECORDINGS_H

#include "preload/process/process.h"

#include <stdbool.h>
#include <stdint.h>

struct recordings {
	struct zprof_recording *now; /* the latest; NULL: there was no room for any */
	/* enum request_state. Of a child that is forked after a recording has ended: the same. */
	uint32_t state;
	struct zprof_section *section;
};

/* Begins the first one, unless recording begins paused. `from`: the parent of a forked child. */
void recordings_init(struct process *p, const struct process *from);

/* Begins one, before the pause ends; or does nothing, if one goes on. */
void recordings_begin(struct process *p, uint64_t ticks);

/* Ends the one that goes on, before the pause begins. */
void recordings_end(struct process *p, uint64_t ticks);

bool recordings_go_on(const struct process *p);

/*
 * The program's own zprof_resume(): ends one pause of its own. False: none of its own is in force.
 */
bool recordings_resume(struct process *p, uint64_t ticks);

/* The latest. */
struct zprof_recording *recordings_now(const struct process *p);

#endif
