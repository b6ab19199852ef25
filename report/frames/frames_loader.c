/* SPDX-License-Identifier: MIT */
/*
 * frames_loader.c - the loader of frames (core/load/loader.h). With it, any view can show one
 * frame, and a comparison two.
 */
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/load/load.h"
#include "report/core/read/collect_parts.h"
#include "report/frames/frame_options.h"
#include "report/frames/frames.h"

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

/* Adds the frames that P has kept whole, the latest and the slowest, as pieces of the profile. P's
 * file has the N BYTES. ZONES gives names. */
static void list(struct loader_pieces *to, const struct profile *p, const void *bytes, size_t n,
		 struct zones *zones)
{
	struct profile_frames f;
	struct zones_of_profile of;
	profile_frames_parse(&f, p, bytes, n);
	zones_of_profile_init(&of, zones, p);
	for (size_t i = 0; i < f.frame_count; i++) {
		const struct profile_frame *frame = &f.frames[i];
		const struct profile_kind *kind = &f.kinds[frame->kind];
		if (!(frame->fixed.flags & ZPROF_FRAME_NODES))
			continue;
		const char *name = frames_kind_name(&f, p, frame->kind, &of);
		double ns = frames_ns(p, kind->fixed.flags);
		*memory_next(to->list, to->count, to->room) = (struct loader_piece){
		    .by = &frames_loader,
		    .kind = memory_text(name, strlen(name)),
		    .reference = kind->reference,
		    .number = frame->fixed.number,
		    .wall_ns = (double)frame->fixed.wall * ns,
		    .ranked_ns = frame->slowness * ns,
		    .ago_ns = (double)(int64_t)(kind->fixed.last - frame->fixed.begun) * ns};
	}
	zones_of_profile_free(&of);
	profile_frames_free(&f);
}

/* P becomes the profile of one frame, PIECE; false if P does not keep that frame any more. */
static bool keep_piece(struct profile *p, const struct loader_piece *piece, const void *bytes,
		       size_t n)
{
	struct profile_frames f;
	const struct profile_frame *found = NULL;
	profile_frames_parse(&f, p, bytes, n);
	for (size_t i = 0; i < f.kind_count && !found; i++)
		if (f.kinds[i].reference == piece->reference)
			found = profile_frames_find(&f, i, piece->number);
	if (found && !(found->fixed.flags & ZPROF_FRAME_NODES))
		found = NULL;
	if (found)
		profile_frames_restrict(p, &f, found);
	profile_frames_free(&f);
	return found;
}

const struct loader frames_loader = {.collector = &collect_frames,
				     .options = frame_options_alone,
				     .choose = choose,
				     .make_sides = make_sides,
				     .piece = "a frame",
				     .keep_pick = frame_pick_restrict,
				     .list = list,
				     .keep_piece = keep_piece};
