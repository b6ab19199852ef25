/* SPDX-License-Identifier: MIT */
/* frame_list.c - see frame_list.h. */
#include "report/top/frame_list.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static int slowest_first(const void *left, const void *right)
{
	const struct kept_frame *a = left, *b = right;
	if (a->wall_ns != b->wall_ns)
		return a->wall_ns < b->wall_ns ? 1 : -1;
	return (a->number < b->number) - (a->number > b->number);
}

void frame_list_make(struct frame_list *l, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones)
{
	struct profile_frames f;
	struct zones_of_profile of;
	frame_list_free(l);
	profile_frames_parse(&f, p, bytes, n);
	zones_of_profile_init(&of, zones, p);
	for (size_t i = 0; i < f.frame_count; i++) {
		const struct profile_frame *frame = &f.frames[i];
		const struct profile_kind *kind = &f.kinds[frame->kind];
		if (!(frame->fixed.flags & ZPROF_FRAME_NODES))
			continue;
		const char *name = frames_kind_name(&f, p, frame->kind, &of);
		double ns = frames_ns(p, kind->fixed.flags);
		l->list = memory_room(l->list, l->count, &l->room, sizeof *l->list);
		l->list[l->count++] = (struct kept_frame){
		    .kind = memory_text(name, strlen(name)),
		    .reference = kind->reference,
		    .number = frame->fixed.number,
		    .tid = frames_tid(p, kind),
		    .wall_ns = (double)frame->fixed.wall * ns,
		    .ago_ns = (double)(int64_t)(kind->fixed.last - frame->fixed.begun) * ns};
	}
	if (l->count)
		qsort(l->list, l->count, sizeof *l->list, slowest_first);
	zones_of_profile_free(&of);
	profile_frames_free(&f);
}

void frame_list_free(struct frame_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->list[i].kind);
	free(l->list);
	*l = (struct frame_list){0};
}

bool frame_list_restrict(const struct kept_frame *frame, struct profile *p, const void *bytes,
			 size_t n)
{
	struct profile_frames f;
	const struct profile_frame *found = NULL;
	profile_frames_parse(&f, p, bytes, n);
	for (size_t i = 0; i < f.kind_count && !found; i++)
		if (f.kinds[i].reference == frame->reference)
			found = profile_frames_find(&f, i, frame->number);
	if (found && !(found->fixed.flags & ZPROF_FRAME_NODES))
		found = NULL;
	if (found)
		profile_frames_restrict(p, &f, found);
	profile_frames_free(&f);
	return found;
}

const struct kept_frame *frame_list_next(const struct frame_list *l, const struct kept_frame *from,
					 int direction)
{
	const struct kept_frame *best = NULL;
	for (size_t i = 0; i < l->count; i++) {
		const struct kept_frame *k = &l->list[i];
		bool beyond = direction < 0 ? k->number < from->number : k->number > from->number;
		bool nearer =
		    !best || (direction < 0 ? k->number > best->number : k->number < best->number);
		if (k->reference == from->reference && beyond && nearer)
			best = k;
	}
	return best;
}
