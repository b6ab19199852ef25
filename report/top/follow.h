/* SPDX-License-Identifier: MIT */
/*
 * follow.h - a profile that is read again and again while its process runs.
 *
 * A reading is a copy of the file (collect.h). What was counted between two readings is the later
 * minus the earlier one (profile_since.h), and becomes a tree like that of any profile. Counters
 * are set back by remembering a reading, the *base*; the program's own are never touched.
 */
#ifndef REPORT_FOLLOW_H
#define REPORT_FOLLOW_H

#include "report/top/contexts.h"
#include "report/top/frame_list.h"
#include "report/core/read/collect.h"
#include "report/core/view/view.h"

enum follow_state { FOLLOW_RUNS, FOLLOW_ENDED, FOLLOW_KILLED };

/* Of the last interval. */
struct follow_interval {
	double seconds;
	double cpu_ns, wait_ns, preempted_ns; /* of all threads */
	double hook_ns;
	uint64_t calls;
};

struct follow {
	struct collect collect;
	/* view.load: names, and all that was counted; the caller sets view.tree. */
	struct view view;
	struct contexts contexts;
	struct profile last, base;   /* the reading before; the base. A path of NULL: none */
	struct loader_pieces frames; /* the frames that the profile has kept */
	struct loader_piece shown;   /* the frame in MEASURE_FRAME of contexts; number 0: none */
	uint64_t read_ns;            /* CLOCK_MONOTONIC */
	uint64_t base_realtime_ns;   /* 0: no base */
	struct follow_interval interval;
	enum follow_state state;
	size_t readings;
	bool here;         /* its process is, or was, on this machine */
	const char *turns; /* numbers are per turn of this loop; NULL: per second */
};

/* Opens the profile at PATH and reads it once. O: filters and groups; must live as long as F. */
bool follow_open(struct follow *f, struct options *o, const char *path, struct str *err);

/* Reads it again. */
bool follow_read(struct follow *f, struct str *err);

/*
 * Takes what was counted up to the first reading as an interval of as many turns as there have
 * been, if `turns` is set. After follow_open(), once.
 */
bool follow_from_start(struct follow *f, struct str *err);

/* Reads it again, and leaves what was counted since the reading before out of all intervals. */
bool follow_skip(struct follow *f, struct str *err);

/*
 * MEASURE_FRAME becomes that frame, and stays it when the profile has forgotten it; false if it
 * has.
 */
bool follow_frame(struct follow *f, const struct loader_piece *frame, struct str *err);

/* What was counted up to now is no longer shown. */
void follow_reset(struct follow *f);

/* The same, up to when the file at PATH, an earlier copy of the profile, was made. */
bool follow_set_base(struct follow *f, const char *path, struct str *err);

/* Writes the last reading to PATH, a new file, marked as a snapshot. */
bool follow_save(const struct follow *f, const char *path, struct str *err);

void follow_close(struct follow *f);

#endif
