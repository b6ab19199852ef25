/* SPDX-License-Identifier: MIT */
/* frame_pick.c - see frame_pick.h. */
#include "report/frames/frame_pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* The frames of the kinds that were asked for, slowest first. */
struct choice {
	const struct profile_frame **list;
	size_t count, room;
};

static void choose(struct choice *c, const struct profile_frames *f, const struct profile *p,
		   struct zones_of_profile *zones, const struct frame_pick *pick)
{
	for (size_t i = 0; i < f->frame_count; i++) {
		const struct profile_frame *frame = &f->frames[i];
		if (pick->number && frame->fixed.number != pick->number)
			continue;
		if (!(frame->fixed.flags & ZPROF_FRAME_NODES) ||
		    !frames_is_kind(f, p, frame->kind, zones, pick->kind))
			continue;
		*memory_next(c->list, c->count, c->room) = frame;
	}
	memory_sort(c->list, c->count, frames_slowest_first);
}

/* Checks that a kind of the given name exists; if no name is given, that all kinds have one
 * name. */
static bool check_kind(const struct profile_frames *f, const struct profile *p,
		       struct zones_of_profile *zones, const struct frame_pick *pick,
		       struct str *err)
{
	const char *first = NULL;
	for (size_t i = 0; i < f->kind_count; i++) {
		if (!frames_is_kind(f, p, i, zones, pick->kind))
			continue;
		const char *name = frames_kind_name(f, p, i, zones);
		if (first && strcmp(first, name))
			return str_fail(err,
					"'%s' has several kinds of frames, such as '%s' and '%s': "
					"name one by --kind",
					p->path, first, name);
		first = name;
	}
	if (first)
		return true;
	if (f->kind_count)
		return str_fail(err, "'%s' has no frames of kind '%s', but of '%s'", p->path,
				pick->kind, frames_kind_name(f, p, 0, zones));
	return frames_say_none(p, zones->zones, false, err);
}

const struct profile_frame *frame_pick_find(const struct profile_frames *f, const struct profile *p,
					    struct zones_of_profile *zones,
					    const struct frame_pick *pick, struct str *err)
{
	struct choice c = {0};
	const struct profile_frame *found = NULL;
	if (!check_kind(f, p, zones, pick, err))
		return NULL;
	choose(&c, f, p, zones, pick);
	if (pick->number && c.count > 1)
		str_fail(err,
			 "%zu threads have a frame %llu in '%s': name one as --kind NAME@THREAD",
			 c.count, (unsigned long long)pick->number, p->path);
	else if (pick->number && !c.count)
		str_fail(err,
			 "frame %llu was not kept in '%s': 'zprof record --history=full' keeps the "
			 "latest, 'zprof frames' says which there are",
			 (unsigned long long)pick->number, p->path);
	else if (!pick->number && pick->slowest > c.count)
		str_fail(err, "only %zu frame%s kept in '%s'", c.count,
			 c.count == 1 ? " was" : "s were", p->path);
	else
		found = c.list[pick->number ? 0 : pick->slowest - 1];
	free(c.list);
	return found;
}

/* The kind and thread whose median frame is asked for; SIZE_MAX with a message. */
static size_t kind_of_median(const struct profile_frames *f, const struct profile *p,
			     struct zones_of_profile *zones, const struct frame_pick *pick,
			     struct str *err)
{
	size_t found = SIZE_MAX;
	if (pick->number || pick->slowest) {
		const struct profile_frame *of = frame_pick_find(f, p, zones, pick, err);
		return of ? of->kind : SIZE_MAX;
	}
	if (!check_kind(f, p, zones, pick, err))
		return SIZE_MAX;
	for (size_t i = 0; i < f->kind_count; i++) {
		if (!f->kinds[i].fixed.count || !frames_is_kind(f, p, i, zones, pick->kind))
			continue;
		if (found != SIZE_MAX) {
			str_fail(err,
				 "several threads of '%s' have such frames: name one as --kind "
				 "NAME@THREAD",
				 p->path);
			return SIZE_MAX;
		}
		found = i;
	}
	if (found == SIZE_MAX)
		str_fail(err, "no frame of '%s' has ended", p->path);
	return found;
}

/* The median time and the usual calls of a context. */
static struct profile_frame_node median_node(const struct frames_usual *u,
					     const struct profile_tally *t)
{
	double calls = fmin(frames_usual_calls(u, t), (double)UINT32_MAX - 1);
	double self = frames_self_percentile(t, &u->f->kinds[u->kind], 50);
	return (struct profile_frame_node){
	    .node = t->node, .calls = (uint32_t)(calls + 0.5), .time = (int64_t)llround(self)};
}

/* Makes the median frame; its contexts are appended to F's nodes. */
static struct profile_frame median_frame(struct profile_frames *f, const struct profile *p,
					 size_t kind)
{
	struct frames_usual usual;
	struct profile_frame frame = {.kind = kind, .first = f->node_count};
	frames_usual_make(&usual, f, p, kind);
	frame.fixed.wall = (uint64_t)llround(frames_wall_percentile(&f->kinds[kind].fixed, 50));
	for (size_t i = 0; i < f->tally_count; i++) {
		const struct profile_tally *t = &f->tallies[i];
		if (t->kind != kind || t->fixed.flags & ZPROF_TALLY_ZONE)
			continue;
		*memory_next(f->nodes, f->node_count, f->node_room) = median_node(&usual, t);
	}
	frame.count = f->node_count - frame.first;
	frames_usual_free(&usual);
	return frame;
}

/* P becomes the profile of FRAME. The median frame has no number. */
static void restrict_to(struct profile *p, const struct profile_frames *f,
			const struct profile_frame *frame, const char *kind)
{
	struct str name = {0}, note = {0};
	if (frame->fixed.number)
		str_add(&name, "frame %llu of '%s'", (unsigned long long)frame->fixed.number, kind);
	else
		str_add(&name, "the median frame of '%s'", kind);
	if (frame->fixed.number)
		str_add(&note, "%s alone, times as measured", name.text);
	else
		str_add(&note,
			"%s: each context has the median of its times, to a fifth, and its usual "
			"calls",
			name.text);
	profile_note(p, note.text);
	free(p->frame);
	p->frame = name.text;
	profile_frames_restrict(p, f, frame);
}

bool frame_pick_apply(struct profile *p, struct profile_frames *f, const struct frame_pick *pick,
		      struct str *err)
{
	struct zones zones;
	struct zones_of_profile of;
	struct profile_frame median;
	const struct profile_frame *frame = NULL;
	zones_init(&zones);
	zones_of_profile_init(&of, &zones, p);
	if (pick->median) {
		size_t kind = kind_of_median(f, p, &of, pick, err);
		if (kind != SIZE_MAX) {
			median = median_frame(f, p, kind);
			frame = &median;
		}
	} else {
		frame = frame_pick_find(f, p, &of, pick, err);
	}
	if (frame)
		restrict_to(p, f, frame, frames_kind_name(f, p, frame->kind, &of));
	zones_of_profile_free(&of);
	zones_free(&zones);
	return frame;
}

bool frame_pick_restrict(struct profile *p, const void *pick, bool anyone, struct str *err)
{
	struct profile_frames f;
	if (!profile_frames_load(&f, p, anyone, err))
		return false;
	bool ok = frame_pick_apply(p, &f, pick, err);
	profile_frames_free(&f);
	return ok;
}
