/* SPDX-License-Identifier: MIT */
/*
 * frames.h - a thread's frames: turns of its main loop, or requests (format.h, "Frames").
 *
 * A frame ends when the program says so (zprof_frame()), or when a call of a function returns
 * (frame=). Each name or function is a *kind*, and a thread may have several kinds at once, as a
 * turn of a game has many requests. The cost of a node in a frame is the node's present numbers
 * minus those that it had when the kind's last frame ended, which its tally has noted:
 *
 *     touched (touched.h)        kind "turn"            kind "request"
 *     [physics, cast, ai] -----> [ its tallies ]   and  [ its tallies ]       at the end of any frame
 *                                 booked: the turn ends  wait for the end of the request
 *
 * So the end of a frame costs in proportion to the nodes that ran since the last one ended. Nothing
 * is looked for in the tree, and the tallies lie in the profile: booked numbers survive the
 * process.
 *
 * This folder knows trees and tallies. Which zones are on the zone stack, and when a frame ends, is
 * known in calls/ends.h and calls/watch.h.
 */
#ifndef ZPROF_FRAMES_H
#define ZPROF_FRAMES_H

#include "preload/frames/history.h"
#include "preload/frames/touched.h"

#include <stdbool.h>
#include <stdint.h>

#define FRAMES_KINDS 8 /* of a thread */

struct process;

/* References of tallies. */
struct tallies {
	uint32_t *all;
	uint32_t count, room;
};

/* The tally that stands for a zone. */
struct zone_slot {
	uint64_t zone; /* 0: free */
	uint32_t tally;
};

struct kind {
	struct zprof_frames *record;
	uint32_t reference;      /* of the record: offset / 64 */
	uint32_t round;          /* the frame under way, discarded ones counted too */
	struct tallies running;  /* tallies of nodes that ran in it; `under_way` is the round */
	struct tallies zones;    /* while a frame ends: the tallies of zones */
	struct zone_slot *index; /* linear probing by zone */
	uint32_t index_mask, index_count;
	uint32_t inside; /* open calls of its function */
	struct history history;
};

/* A node that was open when a frame ended last, and its ticks then; from the root up. */
struct was_open {
	uint32_t node;
	uint64_t ticks;
};

struct frames {
	struct touched touched;
	struct was_open *open; /* kept where times are ticks (calls/ends.h) */
	uint32_t open_count, open_room;
	struct process *process;
	uint32_t thread;
	bool exact;                    /* times are ticks */
	bool full;                     /* there is no room for more tallies */
	struct zprof_section *section; /* of tallies */
	struct kind kinds[FRAMES_KINDS];
	uint32_t count;
};

/* The frames of the thread with this id. NULL: no memory. */
struct frames *frames_new(struct process *p, uint32_t thread);

/*
 * frames_find() gives the kind of a name, or of a function's calls (`name` is NULL then), or NULL.
 * frames_kind() makes a new kind if there is none; its first frame has not begun. NULL: there are
 * too many kinds, or there is no room, which is counted. `tree` is the one in which the thread has
 * counted so far.
 */
struct kind *frames_find(struct frames *f, const char *name, uint64_t zone);
struct kind *frames_kind(struct frames *f, const struct tree *tree, const char *name,
			 uint64_t zone);

/* The node is about to run, or to be given time. */
void frames_touch(struct frames *f, struct zprof_node *node);

/* Makes the node's tallies, which note its present numbers. */
void frames_note(struct frames *f, struct zprof_node *node);

/*
 * Ends the frame under way of one kind; all nodes that ran have been touched and charged. `keep`:
 * the frame counts. `ticks`: the clock now.
 */
void frames_end(struct frames *f, struct kind *kind, uint64_t ticks, bool keep);

/* The frame under way has begun only now, at `ticks`. */
void frames_begin(struct kind *kind, uint64_t ticks);

/* Leaves the time that ending a frame took out of frames of other kinds. */
void frames_shift(struct frames *f, const struct kind *ended, uint64_t ticks);

/* Leaves so many calls and ticks of a node out of all frames. */
void frames_leave_out(struct frames *f, struct zprof_node *node, uint64_t calls, uint64_t ticks);

/* Counts one call of a node in the frame that begins now, though it was made before. */
void frames_take_call(struct frames *f, struct kind *kind, struct zprof_node *node);

#endif
