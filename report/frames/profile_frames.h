/* SPDX-License-Identifier: MIT */
/*
 * profile_frames.h - reads the frames and the single calls of a profile (preload/format.h,
 * "Frames"). profile_read.h does not read them, because few commands need them, and they can be
 * large.
 *
 * The end of a frame changes many numbers of its kind. A kind is copied again if its `sequence`
 * says that a frame was ending during the copy. If the sequence never gets even (a killed process),
 * `unsteady` says that numbers may be of two frames. The record of a single frame is either
 * complete or left out.
 */
#ifndef REPORT_PROFILE_FRAMES_H
#define REPORT_PROFILE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/format.h"
#include "report/core/read/profile_read.h"

/* One frame that was kept. Its entries are nodes[first, first + count), or zones of the same
 * range. */
struct profile_frame {
	struct zprof_frame fixed;
	uint64_t preempted_ns; /* others had the processor; 0 if the frame has no nodes */
	/* What frames are ranked by: the wall time without preempted_ns, in the kind's unit. */
	double slowness;
	size_t kind; /* index into kinds */
	size_t first, count;
};

/* A node of a frame, as an index into profile.nodes. */
struct profile_frame_node {
	uint32_t node;
	uint32_t calls;
	int64_t time;
	uint64_t waited_ns, preempted_ns;
};

/* A zone of a frame: its self time, and the tally that stands for the zone (an index into
 * tallies). */
struct profile_frame_zone {
	size_t tally;
	double self;
};

/* Names end with a zero byte. */
struct profile_kind {
	struct zprof_frames fixed;
	uint64_t reference; /* offset / 64 */
	bool unsteady;
};

/* Nodes are indices into profile.nodes. */
struct profile_tally {
	struct zprof_tally fixed;
	uint64_t reference;
	size_t kind;
	uint32_t node;
	bool whole; /* the tally is of its whole zone, not of one context */
};

struct profile_tail {
	struct zprof_tail fixed;
	uint32_t node;
	size_t kind; /* of the frame that the longest call was in; SIZE_MAX: none */
};

struct profile_frames {
	struct profile_kind *kinds;
	size_t kind_count, kind_room;
	struct profile_tally *tallies; /* sorted by reference */
	size_t tally_count, tally_room;
	struct profile_frame *frames; /* by kind, number; each frame once: its fullest record */
	size_t frame_count, frame_room;
	struct profile_frame_node *nodes;
	size_t node_count, node_room;
	struct profile_frame_zone *zones;
	size_t zone_count, zone_room;
	struct profile_tail *tails;
	size_t tail_count, tail_room;
};

/* Loads the frames of the file that P was read from; reads that file again if a program still
 * writes it. */
bool profile_frames_load(struct profile_frames *f, const struct profile *p, bool anyone,
			 struct str *err);

/* Reads the frames from a file's N BYTES in memory. */
void profile_frames_parse(struct profile_frames *f, const struct profile *p, const void *bytes,
			  size_t n);

void profile_frames_free(struct profile_frames *f);

/* The frame with NUMBER; NULL: it was not kept. */
const struct profile_frame *profile_frames_find(const struct profile_frames *f, size_t kind,
						uint64_t number);

/*
 * P becomes the profile of one frame, which must have nodes: their calls and times are the frame's,
 * and other nodes have 0. Numbers that are not known by frame are dropped: counters of
 * interpreters, calls by place, counts of statements.
 */
void profile_frames_restrict(struct profile *p, const struct profile_frames *f,
			     const struct profile_frame *frame);

#endif
