/* SPDX-License-Identifier: MIT */
/* frame_options.c - see frame_options.h. */
#include "report/frames/frame_options.h"

#include <string.h>

#include "report/core/options/options_take.h"

struct frame_options *frame_options(struct options *o)
{
	return loader_keep(&o->asked, &frames_loader, sizeof(struct frame_options));
}

static bool take_kind(struct options *o, const char *value, struct str *err)
{
	struct frame_options *f = frame_options(o);
	(void)err;
	f->pick.kind = f->second.kind = value;
	return true;
}

static bool add_pick(struct options *o, struct frame_pick pick, struct str *err)
{
	struct frame_options *f = frame_options(o);
	struct frame_pick *to = frame_pick_is_set(&f->pick) ? &f->second : &f->pick;
	if (frame_pick_is_set(to))
		return str_fail(err, "--frame and --slowest name two frames at most");
	pick.kind = to->kind;
	*to = pick;
	return true;
}

static bool take_number(struct options *o, const char *value, struct str *err)
{
	unsigned long n = options_take_count("--frame is the number of a frame", value, err);
	return n && add_pick(o, (struct frame_pick){.number = n}, err);
}

static bool take_frame(struct options *o, const char *value, struct str *err)
{
	if (!strcmp(value, "median"))
		return add_pick(o, (struct frame_pick){.median = true}, err);
	return take_number(o, value, err);
}

static bool take_slowest(struct options *o, const char *value, struct str *err)
{
	unsigned long n;
	if (!options_take_number(value, UINT32_MAX, &n) || !n)
		return str_fail(
		    err, "--slowest is 1 for the slowest frame, 2 for the next, not '%s'", value);
	return add_pick(o, (struct frame_pick){.slowest = n}, err);
}

static bool take_number_beside(struct options *o, const char *value, struct str *err)
{
	frame_options(o)->beside = true;
	return take_number(o, value, err);
}

static bool take_slowest_beside(struct options *o, const char *value, struct str *err)
{
	frame_options(o)->beside = true;
	return take_slowest(o, value, err);
}

static bool take_tails(struct options *o, const char *value, struct str *err)
{
	(void)value;
	(void)err;
	frame_options(o)->tails = true;
	return true;
}

#define TAKE(function) ((struct option_act){.take = function})

const struct option_spec frame_options_table[] = {
    {0, "frame", "N", OPTIONS_TREE, "Restrict: all numbers are of some contexts only",
     TAKE(take_frame),
     "frame number N alone, as it was, with times as measured (see 'zprof help frames'); 'median': "
     "what contexts take in the median frame"},
    {0, "slowest", "K", OPTIONS_TREE, NULL, TAKE(take_slowest),
     "the slowest frame (1), or the K-th, in the same way"},
    {0, "kind", "NAME", OPTIONS_TREE, NULL, TAKE(take_kind),
     "frames of that name, or of calls of that function; NAME@THREAD for those of one thread"},

    {0, "frame", "N", OPTIONS_FRAMES, "Frames", TAKE(take_number_beside),
     "what ran in frame number N"},
    {0, "slowest", "K", OPTIONS_FRAMES, "Frames", TAKE(take_slowest_beside),
     "what ran in the slowest frame (1), or the K-th, beside what is usual"},
    {0, "kind", "NAME", OPTIONS_FRAMES, "Frames", TAKE(take_kind),
     "frames of that name, or of calls of that function; NAME@THREAD for those of one thread"},
    {0, "tails", NULL, OPTIONS_FRAMES, "Frames", TAKE(take_tails),
     "only single calls (record --tails): percentiles, and the longest of each context"},
    {0},
};
