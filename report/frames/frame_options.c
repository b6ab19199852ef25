/* SPDX-License-Identifier: MIT */
/* frame_options.c - see frame_options.h. */
#include "report/frames/frame_options.h"

#include <string.h>

#include "report/core/options/options_shared.h"

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
	unsigned long n = options_count("--frame is the number of a frame", value, err);
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
	if (!options_number(value, UINT32_MAX, &n) || !n)
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

static const struct option_spec kind[] = {
    {0, "kind", "NAME", NULL, OPTION_TAKE(take_kind),
     "frames of that name, or of calls of that function; NAME@THREAD for those of one thread"},
    OPTIONS_END,
};

const struct option_spec frame_options_alone[] = {
    {0, "frame", "N", OPTIONS_RESTRICT, OPTION_TAKE(take_frame),
     "frame number N alone, as it was, with times as measured (see 'zprof help frames'); 'median': "
     "what contexts take in the median frame"},
    {0, "slowest", "K", NULL, OPTION_TAKE(take_slowest),
     "the slowest frame (1), or the K-th, in the same way"},
    OPTIONS_OF(kind),
    OPTIONS_END,
};

const struct option_spec frame_options_beside[] = {
    {0, "frame", "N", "Frames", OPTION_TAKE(take_number_beside), "what ran in frame number N"},
    {0, "slowest", "K", NULL, OPTION_TAKE(take_slowest_beside),
     "what ran in the slowest frame (1), or the K-th, beside what is usual"},
    OPTIONS_OF(kind),
    OPTIONS_END,
};
