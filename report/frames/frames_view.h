/* SPDX-License-Identifier: MIT */
/* frames_view.h - frames and single calls of one profile, as text and as JSON. */
#ifndef REPORT_FRAMES_VIEW_H
#define REPORT_FRAMES_VIEW_H

#include "report/frames/frame_options.h"
#include "report/frames/frames.h"
#include "report/core/base/units.h"
#include "report/core/view/view.h"

/* The frames of a profile that are shown, and the names of its zones. */
struct frames_view {
	struct view *v;
	const struct profile *p;
	const struct profile_frames *f;
	struct zones_of_profile *zones;
	const struct frame_options *asked;
	bool fake;
};

/* A time in a kind's unit, as text; `flags` are the kind's. */
const char *frames_view_time(const struct frames_view *w, char *text, double time, uint32_t flags);

/* The time of a function with its error bar, both in a kind's unit, as view_bounded_by() shows it;
 * the function ran within frames that took MOST. */
const char *frames_view_bounded(const struct frames_view *w, char *text, double time, double bar,
				double most, uint32_t flags);

/*
 * A time that was recorded in single frames: a percentile, the largest. If it is 0 and times come
 * from samples, it had none, and no more is known than that it is below MOST, the same percentile
 * of the frames' wall times. If it is not 0, it may be a wait, which is exact.
 */
const char *frames_view_recorded(const struct frames_view *w, char *text, double time, double most,
				 uint32_t flags);

/* A mean number of calls, which need not be whole. */
const char *frames_view_calls(char text[UNITS_TEXT], double calls);

/* Below a table: how many rows of COUNT were left out; nothing if all were shown. */
void frames_view_more(FILE *to, size_t count, size_t limit);

/* A moment, as time since the beginning of the run. */
const char *frames_view_when(const struct frames_view *w, char *text, uint64_t clock,
			     uint32_t flags);

/* Adds the name of a kind and its thread: `handle, thread worker (4711)`. */
void frames_view_title(const struct frames_view *w, size_t kind, struct str *text);

/* One kind: wall times, the slowest frames, zones. */
void frames_view_kind(const struct frames_view *w, size_t kind);

/* One frame: its zones, and beside each its usual values. */
void frame_view_print(const struct frames_view *w, const struct profile_frame *frame);

/* Single calls. */
void frame_view_tails(const struct frames_view *w);

/* The kind, the frame and the single calls as JSON. */
json_t *frames_json_kind(const struct frames_view *w, size_t kind);
json_t *frames_json_frame(const struct frames_view *w, const struct profile_frame *frame);
json_t *frames_json_tails(const struct frames_view *w);

#endif
