/* SPDX-License-Identifier: MIT */
/*
 * frames_loader.c - the loader of frames (core/load/loader.h). With it, any view can show one
 * frame, and a comparison two.
 */
#include "report/core/base/memory.h"
#include "report/core/load/load.h"
#include "report/core/read/collect_parts.h"
#include "report/frames/frame_options.h"
#include "report/frames/kept_frames.h"

extern const struct collector collect_frames;

static bool choose(struct options *o, struct load_set *sets, size_t count, unsigned *how,
		   struct str *err)
{
	const struct frame_options *f = frame_options(o);
	if (!o->sets && frame_pick_is_set(&f->second))
		return str_fail(err, "one frame at a time: only 'zprof diff' takes two");
	if (o->since && frame_pick_is_set(&f->pick))
		return str_fail(err,
				"--since goes with neither --frame nor --slowest: a frame is as it "
				"was");
	if (!frame_pick_is_set(&f->pick) || f->beside)
		return true;
	for (size_t i = 0; i < count; i++)
		if (!sets[i].pick.by)
			sets[i].pick = (struct loader_pick){&frames_loader, &f->pick};
	/* A frame has too few samples to know what the hooks took. */
	*how |= LOAD_RAW;
	return true;
}

static struct load_set side(const struct options *o, const struct frame_pick *pick)
{
	return (struct load_set){
	    .paths = o->paths, .count = o->path_count, .pick = {&frames_loader, pick}};
}

/* Makes the two sides of a comparison of frames of one profile: two frames in the given order, or
 * the median frame and then a frame of the median's kind and thread. */
static bool make_sides(struct options *o, struct str *err)
{
	struct frame_options *f = frame_options(o);
	struct frame_pick *before = &f->pick, *after = &f->second;
	if (!frame_pick_is_set(before))
		return true;
	if (o->path_count > 1)
		return !frame_pick_is_set(after) ||
		       str_fail(err, "two frames are of one profile: name one");
	if (!frame_pick_is_set(after)) {
		if (before->median)
			return str_fail(err, "name a frame beside the median one: --slowest 1");
		*after = *before;
		before->median = true;
	} else if (before->median || after->median) {
		struct frame_pick *median = before->median ? before : after;
		*median = median == before ? *after : *before;
		median->median = true;
	}
	o->sets = memory_zeroed(2, sizeof *o->sets);
	o->set_count = 2;
	o->sets[0] = side(o, before);
	o->sets[1] = side(o, after);
	return true;
}

static bool keep_pick(struct profile *p, const void *what, bool anyone, struct str *err)
{
	return frame_pick_restrict(p, what, anyone, err);
}

const struct loader frames_loader = {.collector = &collect_frames,
				     .options = frame_options_alone,
				     .choose = choose,
				     .make_sides = make_sides,
				     .piece = "a frame",
				     .keep_pick = keep_pick,
				     .list = kept_frames_list,
				     .keep_piece = kept_frames_restrict};
