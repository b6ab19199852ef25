/* SPDX-License-Identifier: MIT */
/*
 * frames.h - what views ask of frames: their kinds by name, percentiles, averages, what is usual.
 * (A single frame as a profile of its own: frame_pick.h.)
 *
 * A percentile is known to its bucket: a fifth of its value for zones and calls, three parts in a
 * hundred for the wall times of frames. Smallest, largest and mean are exact.
 */
#ifndef REPORT_FRAMES_H
#define REPORT_FRAMES_H

#include "report/core/names/zones.h"
#include "report/frames/profile_frames.h"

/* The name of a kind: what the program calls it, or its function. Valid as long as ZONES is. */
const char *frames_kind_name(const struct profile_frames *f, const struct profile *p, size_t kind,
			     struct zones_of_profile *zones);

/* Whether a kind has that name, or NAME@TID; NULL: any has. */
bool frames_is_kind(const struct profile_frames *f, const struct profile *p, size_t kind,
		    struct zones_of_profile *zones, const char *asked);

/* Says why P has no frames, or, if TAILS is set, no single calls. */
bool frames_say_none(const struct profile *p, bool tails, struct str *err);

/* The kernel's id of the thread that a kind is of; 0: unknown. */
uint32_t frames_tid(const struct profile *p, const struct profile_kind *k);

/* The recording that the thread's record is of. */
uint32_t frames_recording(const struct profile *p, const struct profile_kind *k);

/* Nanoseconds of a kind's, or a tail's, unit of time. */
double frames_ns(const struct profile *p, uint32_t flags);

/*
 * The value that a PERCENT of COUNT values do not exceed: those in BUCKETS, between LEAST and MOST,
 * and the rest zeros.
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

/*
 * What is usual in the frames of a kind. The median of times is known; calls have no buckets, so
 * theirs are the mean in the frames that are not slow: slow ones, which took more than twice the
 * median, are kept whole, as long as there are few.
 */
struct frames_usual {
	const struct profile_frames *f;
	const struct profile *p;
	size_t kind;
	double slow;       /* how many slow frames are left out */
	uint64_t *in_slow; /* by node of the profile: calls in the slow frames */
};

void frames_usual_make(struct frames_usual *u, const struct profile_frames *f,
		       const struct profile *p, size_t kind);
double frames_usual_calls(const struct frames_usual *u, const struct profile_tally *t);
void frames_usual_free(struct frames_usual *u);

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

void frames_zones_make(struct frame_zones *z, const struct profile_frames *f,
		       const struct profile *p, const struct profile_frame *frame,
		       struct zones_of_profile *zones);
void frames_zones_free(struct frame_zones *z);

#endif
