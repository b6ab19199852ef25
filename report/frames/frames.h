/* SPDX-License-Identifier: MIT */
/*
 * frames.h - what views ask of frames: their kinds by name, percentiles, averages, what is usual.
 * (A single frame as a profile of its own: frame_pick.h.)
 *
 * A percentile is exact to one bucket of its histogram: a fifth of the value for zones and calls,
 * three hundredths for the wall times of frames. Smallest, largest and mean are exact.
 */
#ifndef REPORT_FRAMES_H
#define REPORT_FRAMES_H

#include "report/core/names/zones.h"
#include "report/frames/profile_frames.h"

/* The name of a kind: what the program calls it, or its function. Valid as long as ZONES is. */
const char *frames_kind_name(const struct profile_frames *f, const struct profile *p, size_t kind,
			     struct zones_of_profile *zones);

/* Whether a kind has the name ASKED, which may be NAME@TID; every kind matches NULL. */
bool frames_is_kind(const struct profile_frames *f, const struct profile *p, size_t kind,
		    struct zones_of_profile *zones, const char *asked);

/* Says why P, whose functions are ZONES, has no frames, or, if TAILS is set, no single calls. */
bool frames_say_none(const struct profile *p, const struct zones *zones, bool tails,
		     struct str *err);

/* The kernel's id of the thread that a kind is of; 0: unknown. */
uint32_t frames_tid(const struct profile *p, const struct profile_kind *k);

/* The recording that the kind's thread belongs to. */
uint32_t frames_recording(const struct profile *p, const struct profile_kind *k);

/* Sorts pointers to frames: the slowest first. */
int frames_slowest_first(const void *left, const void *right);

/* Nanoseconds in the unit of time of a kind or tail with these flags. */
double frames_ns(const struct profile *p, uint32_t flags);

/* The value that PERCENT of COUNT values do not exceed. The values that are not zero are in
 * BUCKETS, between LEAST and MOST. */
double frames_percentile(const uint32_t *buckets, uint32_t bucket_count, uint32_t bits,
			 uint64_t count, double least, double most, double percent);

/* Percentiles of the wall times of frames, and of a tally's self and total times. */
double frames_wall_percentile(const struct zprof_frames *k, double percent);
double frames_self_percentile(const struct profile_tally *t, const struct profile_kind *k,
			      double percent);
double frames_total_percentile(const struct profile_tally *t, const struct profile_kind *k,
			       double percent);

/* Moving averages, as they were at the end of the kind's latest frame. */
double frames_wall_average(const struct zprof_frames *k, int which);
double frames_average(const struct zprof_value *v, const struct profile_tally *t,
		      const struct zprof_frames *k, int which);

/*
 * Half the error bar of TIME, which a function had in frames of a kind with these flags. Under
 * clock=exact it is 0: frames have times as measured. Under clock=count, samples make the time, and
 * a function without one may have run for as long as one stands for.
 */
double frames_bar(const struct profile *p, uint32_t flags, double time);

/* Smallest and mean over all frames of the kind; a frame without the zone counts as 0. */
double frames_least(const struct zprof_value *v, const struct profile_tally *t,
		    const struct profile_kind *k);
double frames_mean(const struct zprof_value *v, const struct profile_kind *k);

/*
 * What is usual in the frames of a kind. The usual time is the median. Calls have no buckets and so
 * no median; the usual number of calls is the mean over all frames that are not slow. A slow frame
 * took more than twice the median. The profile keeps slow frames whole, if they are few, so their
 * calls can be subtracted.
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

/* The zones of one frame, by zone number; `total` counts recursion once. */
struct frame_zone {
	uint32_t zone;
	uint64_t calls;
	double self, total, waited_ns, preempted_ns;
	double total_waited_ns; /* the part of `total` that is a wait */
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
