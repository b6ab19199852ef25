/* SPDX-License-Identifier: MIT */
/* kept_frames.c - see kept_frames.h. */
#include "report/frames/kept_frames.h"

#include <string.h>

#include "report/core/base/memory.h"
#include "report/frames/frame_options.h"
#include "report/frames/frames.h"

void kept_frames_list(struct loader_pieces *to, const struct profile *p, const void *bytes,
		      size_t n, struct zones *zones)
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
		to->list = memory_room(to->list, to->count, &to->room, sizeof *to->list);
		to->list[to->count++] = (struct loader_piece){
		    .by = &frames_loader,
		    .kind = memory_text(name, strlen(name)),
		    .reference = kind->reference,
		    .number = frame->fixed.number,
		    .wall_ns = (double)frame->fixed.wall * ns,
		    .ago_ns = (double)(int64_t)(kind->fixed.last - frame->fixed.begun) * ns};
	}
	zones_of_profile_free(&of);
	profile_frames_free(&f);
}

bool kept_frames_restrict(struct profile *p, const struct loader_piece *piece, const void *bytes,
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
