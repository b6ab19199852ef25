/* SPDX-License-Identifier: MIT */
/*
 * frames.h - a thread's frames: turns of its main loop, or requests (format.h, "Frames").
 *
 * A frame ends when the program says so (zprof_frame()), or when a call of a function returns
 * (frame=). Each name or function is a *kind* of frames. A thread may have several kinds at once:
 * within one turn of a game there may be many requests. The cost of a node in a frame is the node's
 * present numbers minus those that it had when the kind's last frame ended, which its tally has
 * noted:
 *
 *     touched (touched.h)        kind "turn"            kind "request"
 *     [physics, cast, ai] -----> [ its tallies ]   and  [ its tallies ]       at the end of any frame
 *                                 booked: the turn ends  wait for the end of the request
 *
 * So the end of a frame costs in proportion to the nodes that ran since the last frame ended. The
 * tree is not searched. The tallies lie in the profile, so their numbers survive the process. (To
 * *book* a frame is to add its numbers to the sums, averages and histograms in the tallies.)
 *
 * This folder knows trees and tallies. calls/ends.h and calls/watch.h know which zones are on the
 * zone stack, and when a frame ends.
 */
#ifndef ZPROF_FRAMES_H
#define ZPROF_FRAMES_H

#include "preload/frames/history.h"
#include "preload/frames/touched.h"

#include <stdbool.h>
#include <stdint.h>

#define FRAMES_KINDS 8 /* of a thread */

struct process;

/* A list of tallies, by their references. */
struct tallies {
	uint32_t *all;
	uint32_t count, room;
};

/* Which tally stands for a zone. */
struct zone_slot {
	uint64_t zone; /* 0: free */
	uint32_t tally;
};

struct kind {
	struct zprof_frames *record;
	uint32_t reference; /* of the record: offset / 64 */
	uint32_t round;     /* number of the frame under way, discarded frames counted too */
	/* nodes that ran in this frame: in their tallies `under_way` == round */
	struct tallies running;
	struct tallies zones;    /* while a frame ends: the tallies of zones */
	struct zone_slot *index; /* linear probing by zone */
	uint32_t index_mask, index_count;
	uint32_t inside; /* open calls of the kind's function */
	struct history history;
};

/*
 * A node that was open when the latest frame ended, and its ticks at that moment. The array begins
 * at the root.
 */
struct was_open {
	uint32_t node;
	uint64_t ticks;
};

struct frames {
	struct touched touched;
	struct was_open *open; /* NULL where times are not ticks (calls/ends.h) */
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
 * frames_find() gives the kind of a name, or, if `name` is NULL, of the calls of the function
 * `zone`; NULL: there is no such kind. frames_kind() makes it; its first frame has not begun. NULL:
 * there are too many kinds, or there is no room, and the loss is counted. `tree` is the tree in
 * which the thread has counted so far.
 */
struct kind *frames_find(struct frames *f, const char *name, uint64_t zone);
struct kind *frames_kind(struct frames *f, const struct tree *tree, const char *name,
			 uint64_t zone);

/*
 * To be called when a node is about to run, or to be charged with time: puts the node into the list
 * of touched nodes.
 */
void frames_touch(struct frames *f, struct zprof_node *node);

/* Makes the node's tallies for all kinds, which note its present numbers. */
void frames_note(struct frames *f, struct zprof_node *node);

/*
 * Ends the frame under way of one kind. All nodes that ran must have been touched and charged
 * before. If not `keep`, the frame is discarded. `ticks`: the clock now.
 */
void frames_end(struct frames *f, struct kind *kind, uint64_t ticks, bool keep);

/* Lets the frame under way begin now, at `ticks`. */
void frames_begin(struct kind *kind, uint64_t ticks);

/*
 * Leaves `ticks`, the time that it took to end a frame, out of the frames under way of other kinds.
 */
void frames_shift(struct frames *f, const struct kind *ended, uint64_t ticks);

/* Leaves so many calls and ticks of a node out of all frames. */
void frames_leave_out(struct frames *f, struct zprof_node *node, uint64_t calls, uint64_t ticks);

/* Counts one call of a node in the frame that begins now, though the call was made before. */
void frames_take_call(struct frames *f, struct kind *kind, struct zprof_node *node);

#endif
