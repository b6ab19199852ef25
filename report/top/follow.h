/* SPDX-License-Identifier: MIT */
/*
 * follow.h - a profile that is read again and again while its process runs.
 *
 * A reading is a copy of the file (collect.h). The events between two readings are the later copy
 * minus the earlier one (profile_since.h), and become a tree like that of any profile. To set
 * counters back, the view remembers a reading, the *base*, and subtracts it. The program's own
 * counters are never touched.
 */
#ifndef REPORT_FOLLOW_H
#define REPORT_FOLLOW_H

#include "report/top/contexts.h"
#include "report/top/frame_list.h"
#include "report/core/read/collect.h"
#include "report/core/view/view.h"

enum follow_state { FOLLOW_RUNS, FOLLOW_ENDED, FOLLOW_KILLED };

/* What all threads did in the last interval. */
struct follow_interval {
	double seconds;
	double cpu_ns, wait_ns, preempted_ns;
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
	bool finished;     /* see follow_finished() */
	bool here;         /* the process runs, or ran, on this machine */
	const char *turns; /* numbers are per turn of this loop; NULL: per second */
};

/* Opens the profile at PATH and reads it once. O: filters and groups; must live as long as F. */
bool follow_open(struct follow *f, struct options *o, const char *path, struct str *err);

/*
 * Opens the profiles that O names, as any view does (view.h), and reads them once: they are
 * finished. What was counted is view.load.tree, and MEASURE_ALL has no copy of it. If there is one
 * profile, whole, its frames can be shown with follow_frame().
 */
bool follow_finished(struct follow *f, struct options *o, struct str *err);

/* The tree with the numbers of MEASURE. */
struct tree *follow_tree(struct follow *f, enum measure measure);

/* Reads the profile again. */
bool follow_read(struct follow *f, struct str *err);

/* Called once after follow_open(). If `turns` is set, the first reading becomes an interval, from
 * the program's start, of as many turns as the loop has made. */
bool follow_from_start(struct follow *f, struct str *err);

/* Reads the profile again. The events since the reading before are in no interval. */
bool follow_skip(struct follow *f, struct str *err);

/* Puts one frame into MEASURE_FRAME, where the frame stays even after the profile has forgotten it.
 * False: the profile has forgotten the frame already. */
bool follow_frame(struct follow *f, const struct loader_piece *frame, struct str *err);

/* From now on, events up to the last reading are not shown. */
void follow_reset(struct follow *f);

/* From now on, events are not shown that the file at PATH, an earlier copy of the profile,
 * holds. */
bool follow_set_base(struct follow *f, const char *path, struct str *err);

/* Writes the last reading to a new file at PATH, marked as a snapshot. */
bool follow_save(const struct follow *f, const char *path, struct str *err);

void follow_close(struct follow *f);

#endif
