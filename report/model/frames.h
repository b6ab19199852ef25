/* SPDX-License-Identifier: MIT */
/*
 * frames.h - what is asked of frames: their kinds by name, percentiles, averages, and one of them as a
 * profile of its own.
 *
 * A percentile is known to its bucket: a fifth of its value for zones and calls, three parts in a hundred
 * for the wall times of frames. Smallest, largest and mean are exact.
 */
#ifndef REPORT_FRAMES_H
#define REPORT_FRAMES_H

#include "report/model/zones.h"
#include "report/profile/profile_frames.h"

/* Which frame a view is to be of. */
struct frame_pick {
	const char *kind; /* NULL: of the only kind */
	uint64_t number;  /* 0: not by number */
	uint64_t slowest; /* the K-th slowest; 0: not by that */
};

static inline bool frame_pick_is_set(const struct frame_pick *pick)
{
	return pick->number || pick->slowest;
}

/* The name of a kind: what the program calls it, or its function. Valid as long as ZONES is. */
const char *frames_kind_name(const struct profile_frames *f, const struct profile *p, size_t kind,
			     struct zones_of_profile *zones);

/* Whether a kind has that name, or NAME@TID; NULL: any has. */
bool frames_is_kind(const struct profile_frames *f, const struct profile *p, size_t kind,
		    struct zones_of_profile *zones, const char *asked);

/*
 * The frame that is asked for, whole; NULL with a message. KIND may be a name, or NAME@TID where threads
 * have frames of the same name.
 */
const struct profile_frame *frames_pick(const struct profile_frames *f, const struct profile *p,
					struct zones_of_profile *zones,
					const struct frame_pick *pick, struct str *err);

/* P becomes the profile of that frame. */
bool frames_restrict(struct profile *p, const struct frame_pick *pick, bool anyone,
		     struct str *err);

/* The kernel's id of the thread that a kind is of; 0: unknown. */
uint32_t frames_tid(const struct profile *p, const struct profile_kind *k);

/* Nanoseconds of a kind's, or a tail's, unit of time. */
double frames_ns(const struct profile *p, uint32_t flags);

/*
 * The value that a PERCENT of COUNT values do not exceed: those in BUCKETS, between LEAST and MOST, and
 * the rest zeros.
 */
double frames_percentile(const uint32_t *buckets, uint32_t bucket_count, uint32_t bits,
			 uint64_t count, double least, double most, double percent);

/* The same of frames' wall times, and of a tally's. */
double frames_wall_percentile(const struct zprof_frames *k, double percent);
double frames_self_percentile(const struct profile_tally *t, const struct profile_kind *k,
			      double percent);
double frames_total_percentile(const struct profile_tally *t, const struct profile_kind *k,
			       double percent);

/* Averages at the end of the kind's latest frame. */
double frames_wall_average(const struct zprof_frames *k, int which);
double frames_average(const struct zprof_value *v, const struct profile_tally *t,
		      const struct zprof_frames *k, int which);

/* Smallest and mean over all frames, those counted in which it did not run. */
double frames_least(const struct zprof_value *v, const struct profile_tally *t,
		    const struct profile_kind *k);
double frames_mean(const struct zprof_value *v, const struct profile_kind *k);

/* The zones of one frame: self, calls, and totals, recursion counted once. By zone number. */
struct frame_zone {
	uint32_t zone;
	uint64_t calls;
	double self, total, waited_ns, preempted_ns;
};

struct frame_zones {
	struct frame_zone *list; /* longest self time first */
	size_t count, room;
};

void frame_zones_make(struct frame_zones *z, const struct profile_frames *f,
		      const struct profile *p, const struct profile_frame *frame,
		      struct zones_of_profile *zones);
void frame_zones_free(struct frame_zones *z);

#endif
