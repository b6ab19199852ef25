/* SPDX-License-Identifier: MIT */
/* ends.c - see ends.h. */
#include "preload/calls/ends.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/code/call_places.h"
#include "preload/profile/losses.h"
#include "preload/track/charge.h"
#include "preload/track/lineage.h"

#include <time.h>

#define FIRST_OPEN 256u

/*
 * CLOCK_MONOTONIC. Once system calls are forbidden it cannot be read, and stays at its last value.
 */
static uint64_t nanoseconds(const struct track *k)
{
	return sys_forbidden ? k->process->header->now_ns : sys_clock_ns(CLOCK_MONOTONIC);
}

static bool exact(const struct track *k)
{
	return k->process->header->mode == ZPROF_MODE_EXACT;
}

uint64_t ends_clock(const struct track *k, const struct event *e)
{
	return exact(k) ? e->ticks : nanoseconds(k);
}

/* ---- zones that were open */

/*
 * Adds to the list the zones that were open as the last frame ended, and have been current since.
 * Returns how many of the open ones, from the root up, have not been current.
 */
static uint32_t touch_open(struct track *k)
{
	struct frames *f = k->frames;
	uint32_t i = f->open_count;

	for (; i > 0; i--) {
		struct zprof_node *node = node_at(k->base, f->open[i - 1].node);

		if (node->self_ticks == f->open[i - 1].ticks)
			break;
		f->open[i - 1].ticks = node->self_ticks;
		frames_touch(f, node);
	}
	return i;
}

static bool room_for_open(struct frames *f, size_t count)
{
	uint32_t room = f->open_room ? f->open_room : FIRST_OPEN;
	struct was_open *open;

	if (count <= f->open_room)
		return true;
	while (room < count)
		room *= 2;
	open = sys_memory(room * sizeof(*open));
	if (!open)
		return false;
	memcpy(open, f->open, f->open_count * sizeof(*open));
	sys_memory_free(f->open, f->open_room * sizeof(*open));
	f->open = open;
	f->open_room = room;
	return true;
}

/*
 * Remembers the open zones and their ticks. The first `same` zones are remembered already, unless
 * the thread has switched stacks since.
 */
static void remember_open(struct track *k, uint32_t same)
{
	struct frames *f = k->frames;
	size_t count = (size_t)(k->top - k->bottom) + 1;

	if (!room_for_open(f, count)) {
		losses_count(k->process, ZPROF_LOSS_FRAMES, 1);
		f->open_count = 0;
		return;
	}
	if (same > count ||
	    (same && f->open[same - 1].node != node_reference(k->base, k->bottom[same - 1].node)))
		same = 0;
	f->open_count = (uint32_t)count;
	for (; same < count; same++) {
		struct zprof_node *node = k->bottom[same].node;

		f->open[same] = (struct was_open){node_reference(k->base, node), node->self_ticks};
		if (!(twin_of(node)->tally & TWIN_REFERENCE))
			frames_note(f, node);
	}
}

/* ---- kinds */

static bool has_frames(struct track *k)
{
	if (k->frames)
		return true;
	k->frames = frames_new(k->process, k->lineage->record->id);
	if (!k->frames) {
		losses_count(k->process, ZPROF_LOSS_FRAMES, 1);
		return false;
	}
	k->touched = &k->frames->touched;
	k->calls = call_places_none(k->process->locations);
	k->lineage->saved.frames = k->frames;
	k->lineage->saved.touched = k->touched;
	k->lineage->saved.calls = k->calls;
	return true;
}

struct kind *ends_kind(struct track *k, const char *name, uint64_t zone)
{
	struct kind *kind = k->frames ? frames_find(k->frames, name, zone) : NULL;

	if (kind || !has_frames(k))
		return kind;
	kind = frames_kind(k->frames, k->tree, name, zone);
	if (!kind)
		return NULL;
	if (exact(k)) {
		touch_open(k);
		remember_open(k, 0);
	} else {
		const struct open_zone *f;

		for (f = k->bottom; f <= k->top; f++)
			frames_note(k->frames, f->node);
	}
	return kind;
}

void ends_begin_thread(struct track *k)
{
	uint32_t i;

	if (!k->frames)
		return;
	k->frames->open_count = 0;
	for (i = 0; i < k->frames->count; i++) {
		k->frames->kinds[i].inside = 0;
		k->frames->kinds[i].record->begun = 0;
	}
}

/* ---- ends */

void ends_frame(struct track *k, struct kind *kind, uint64_t now, bool keep, bool again)
{
	uint32_t same = exact(k) ? touch_open(k) : 0;
	struct zprof_noted own = {0};
	uint64_t after;

	frames_end(k->frames, kind, now, keep);
	if (k->own_node)
		own = (struct zprof_noted){.calls = k->own_node->calls,
					   .time = k->own_node->self_ticks};
	charge_own(k);
	if (k->own_node)
		frames_leave_out(k->frames, k->own_node, k->own_node->calls - own.calls,
				 k->own_node->self_ticks - own.time);
	after = exact(k) ? *k->last : nanoseconds(k);
	kind->record->own += after - now;
	frames_shift(k->frames, kind, after - now);
	if (exact(k))
		remember_open(k, same);
	if (again)
		frames_begin(kind, after);
}

/*
 * The time since the kind's last frame belongs to no frame, so it is ended as a discarded one. The
 * call that begins the frame has been counted already, and is taken over into the frame.
 */
void ends_begin(struct track *k, struct kind *kind, uint64_t now)
{
	struct zprof_node *node = k->top->node;

	ends_frame(k, kind, now, false, true);
	frames_take_call(k->frames, kind, node);
}
