/* SPDX-License-Identifier: MIT */
/* profile_frames.c - see profile_frames.h. */
#include "report/frames/profile_frames.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/read/record_kinds.h"
#include "report/core/read/source.h"

/* How often a kind is copied again while a frame of it is being ended. */
#define TRIES 100

/* The state of a walk through the sections. */
struct reading {
	struct profile_frames *f;
	const struct profile *p;
	const struct source *from;
};

/* Index of the node that REF names; PROFILE_NO_NODE if there is none. */
static uint32_t node_of(const struct profile *p, uint32_t ref)
{
	const struct profile_range *r = profile_range_of(p, ref);
	return r ? (uint32_t)(r->index + (ref - r->first)) : PROFILE_NO_NODE;
}

static size_t kind_of(const struct profile_frames *f, uint64_t reference)
{
	size_t i = 0;
	while (i < f->kind_count && f->kinds[i].reference != reference)
		i++;
	return i < f->kind_count ? i : SIZE_MAX;
}

/* ---- kinds and tallies */

/* Whether a thread is shown. A profile restricted to one recording has only that recording's
 * threads. */
static bool is_shown_thread(const struct profile *p, uint32_t id)
{
	for (size_t i = 0; i < p->thread_count && p->recording; i++)
		if (p->threads[i].id == id)
			return true;
	return !p->recording;
}

static void read_kind(struct reading *r, uint64_t at)
{
	struct profile_frames *f = r->f;
	struct profile_kind k = {.reference = at / 64};
	if (!source_read(r->from, at, &k.fixed, sizeof k.fixed) || !k.fixed.thread ||
	    !is_shown_thread(r->p, k.fixed.thread))
		return;
	k.fixed.name[sizeof k.fixed.name - 1] = 0;
	*memory_next(f->kinds, f->kind_count, f->kind_room) = k;
}

static void read_tally(struct reading *r, uint64_t at)
{
	struct profile_frames *f = r->f;
	struct profile_tally t = {.reference = at / 64};
	if (!source_read(r->from, at, &t.fixed, sizeof t.fixed))
		return;
	t.node = t.fixed.node ? node_of(r->p, t.fixed.node) : PROFILE_NO_NODE;
	t.kind = kind_of(f, t.fixed.frames_of);
	t.whole = t.fixed.flags & ZPROF_TALLY_ZONE || !t.fixed.of_zone;
	if (t.node == PROFILE_NO_NODE || t.kind == SIZE_MAX)
		return;
	*memory_next(f->tallies, f->tally_count, f->tally_room) = t;
}

static int by_reference(const void *left, const void *right)
{
	const struct profile_tally *a = left, *b = right;
	return memory_order(a->reference, b->reference);
}

/* Whether a kind is as it was read: no frame of the kind has ended since then. */
static bool is_steady(const struct reading *r, const struct profile_kind *k)
{
	uint64_t now;
	return !(k->fixed.sequence & 1) &&
	       source_read(r->from, k->reference * 64, &now, sizeof now) &&
	       now == k->fixed.sequence;
}

static void read_again(struct reading *r, size_t kind)
{
	struct profile_frames *f = r->f;
	struct profile_kind *k = &f->kinds[kind];
	for (int tries = 0; tries < TRIES && r->from->fd >= 0 && !is_steady(r, k); tries++) {
		if (!source_read(r->from, k->reference * 64, &k->fixed, sizeof k->fixed))
			break;
		k->fixed.name[sizeof k->fixed.name - 1] = 0;
		for (size_t i = 0; i < f->tally_count; i++)
			if (f->tallies[i].kind == kind)
				source_read(r->from, f->tallies[i].reference * 64,
					    &f->tallies[i].fixed, sizeof f->tallies[i].fixed);
	}
	k->unsteady = !is_steady(r, k);
}

static size_t tally_of(const struct profile_frames *f, uint64_t reference)
{
	struct profile_tally key = {.reference = reference};
	const struct profile_tally *t =
	    f->tally_count ? bsearch(&key, f->tallies, f->tally_count, sizeof key, by_reference)
			   : NULL;
	return t ? (size_t)(t - f->tallies) : SIZE_MAX;
}

/* ---- single frames */

static void add_node(struct profile_frames *f, const struct profile *p,
		     const struct zprof_frame_node *n)
{
	uint32_t node = node_of(p, n->node);
	if (node == PROFILE_NO_NODE)
		return;
	*memory_next(f->nodes, f->node_count, f->node_room) =
	    (struct profile_frame_node){node, n->calls, n->time, (uint64_t)n->waited_us * 1000,
					(uint64_t)n->preempted_us * 1000};
}

static void add_zone(struct profile_frames *f, const struct zprof_frame_zone *z, uint32_t shift)
{
	size_t tally = tally_of(f, z->tally);
	if (tally == SIZE_MAX)
		return;
	*memory_next(f->zones, f->zone_count, f->zone_room) =
	    (struct profile_frame_zone){tally, (double)((uint64_t)z->self << shift)};
}

/* The library ranks frames in the same way (preload/frames/history.h). */
static void set_slowness(const struct profile_frames *f, const struct profile *p,
			 struct profile_frame *frame)
{
	bool is_ns = f->kinds[frame->kind].fixed.flags & ZPROF_FRAMES_NS;
	bool nodes = frame->fixed.flags & ZPROF_FRAME_NODES;
	frame->preempted_ns = 0;
	for (size_t i = 0; nodes && i < frame->count; i++)
		frame->preempted_ns += f->nodes[frame->first + i].preempted_ns;
	double others = (double)frame->preempted_ns / (is_ns ? 1 : profile_ns_per_tick(&p->header));
	frame->slowness = fmax((double)frame->fixed.wall - others, 0);
}

/* Adds the frame at BYTES. False: its record is not complete, or makes no sense. */
static bool take_frame(struct reading *r, const uint8_t *bytes, size_t n)
{
	struct profile_frames *f = r->f;
	struct profile_frame frame;
	memcpy(&frame.fixed, bytes, sizeof frame.fixed);
	const struct zprof_frame *h = &frame.fixed;
	bool nodes = h->flags & ZPROF_FRAME_NODES;
	size_t entry = nodes ? sizeof(struct zprof_frame_node) : sizeof(struct zprof_frame_zone);
	frame.kind = kind_of(f, h->frames_of);
	if (frame.kind != SIZE_MAX && h->number > f->kinds[frame.kind].fixed.count)
		return true; /* this frame ended after the kind was read */
	if (!h->number || h->bytes > n || h->bytes < sizeof *h || h->shift > 32 ||
	    h->count > (h->bytes - sizeof *h) / entry || frame.kind == SIZE_MAX)
		return false;
	bytes += sizeof *h;
	frame.first = nodes ? f->node_count : f->zone_count;
	for (uint32_t i = 0; i < h->count; i++, bytes += entry) {
		struct zprof_frame_node node;
		struct zprof_frame_zone zone;
		memcpy(nodes ? (void *)&node : &zone, bytes, entry);
		if (nodes)
			add_node(f, r->p, &node);
		else
			add_zone(f, &zone, h->shift);
	}
	frame.count = (nodes ? f->node_count : f->zone_count) - frame.first;
	set_slowness(f, r->p, &frame);
	*memory_next(f->frames, f->frame_count, f->frame_room) = frame;
	return true;
}

static void take_frames(struct reading *r, const uint8_t *bytes, size_t n)
{
	while (n >= sizeof(struct zprof_frame)) {
		uint32_t length;
		memcpy(&length, bytes, sizeof length);
		if (length < sizeof(struct zprof_frame) || length > n || length % 8)
			return;
		if (!take_frame(r, bytes, n))
			return;
		bytes += length;
		n -= length;
	}
}

/* Reads the frames behind the head of a history section. The bytes are valid unless the library
 * began the section anew during the reading. */
static void read_history(struct reading *r, uint64_t at, size_t n)
{
	uint64_t before = 0, after = 1;
	uint8_t *bytes = memory_resize(NULL, n, 1);
	bool good = false;
	for (int tries = 0; tries < TRIES && !good; tries++)
		good = source_read(r->from, at, &before, sizeof before) && !(before & 1) &&
		       source_read(r->from, at, bytes, n) &&
		       source_read(r->from, at, &after, sizeof after) && before == after;
	if (good && n > sizeof(struct zprof_history))
		take_frames(r, bytes + sizeof(struct zprof_history),
			    n - sizeof(struct zprof_history));
	free(bytes);
}

/* Reads a record of the slowest frames, which the library may replace during the reading. The
 * result is the frame before or the frame after, or no frame. */
static void read_slowest(struct reading *r, uint64_t at, size_t n)
{
	uint8_t *bytes = memory_resize(NULL, n, 1);
	struct zprof_frame before, after;
	for (int tries = 0; tries < TRIES && n >= sizeof before; tries++) {
		if (!source_read(r->from, at, bytes, n) ||
		    !source_read(r->from, at, &after, sizeof after))
			break;
		memcpy(&before, bytes, sizeof before);
		if (!memcmp(&before, &after, sizeof before)) {
			take_frame(r, bytes, n);
			break;
		}
	}
	free(bytes);
}

static bool is_shown(const struct profile_frames *f, uint64_t offset)
{
	for (size_t i = 0; i < f->kind_count; i++)
		for (int k = 0; k < ZPROF_SLOWEST; k++)
			if (f->kinds[i].fixed.slowest[k] == offset / ZPROF_GRANULE)
				return true;
	return false;
}

/* Sorts by kind and number. Of two records of one frame, the one with nodes comes first. */
static int by_number(const void *left, const void *right)
{
	const struct profile_frame *a = left, *b = right;
	return memory_order(a->kind, b->kind)
		   ?: memory_order(a->fixed.number, b->fixed.number)
		   ?: memory_order(a->fixed.flags & ZPROF_FRAME_ZONES,
				   b->fixed.flags & ZPROF_FRAME_ZONES);
}

static void sort_frames(struct profile_frames *f)
{
	size_t kept = 0;
	memory_sort(f->frames, f->frame_count, by_number);
	for (size_t i = 0; i < f->frame_count; i++) {
		const struct profile_frame *last = kept ? &f->frames[kept - 1] : NULL;
		if (last && last->kind == f->frames[i].kind &&
		    last->fixed.number == f->frames[i].fixed.number)
			continue;
		f->frames[kept++] = f->frames[i];
	}
	f->frame_count = kept;
}

/* ---- tails */

static void read_tail(struct reading *r, uint64_t at)
{
	struct profile_frames *f = r->f;
	struct profile_tail t;
	for (int tries = 0; tries < TRIES; tries++) {
		uint64_t now;
		if (!source_read(r->from, at, &t.fixed, sizeof t.fixed) ||
		    !source_read(r->from, at + offsetof(struct zprof_tail, sequence), &now,
				 sizeof now))
			return;
		if (now == t.fixed.sequence && !(now & 1))
			break;
	}
	t.node = t.fixed.node ? node_of(r->p, t.fixed.node) : PROFILE_NO_NODE;
	t.kind = t.fixed.frame ? kind_of(f, t.fixed.frames_of) : SIZE_MAX;
	if (t.node == PROFILE_NO_NODE || !t.fixed.calls ||
	    (r->p->recording && !r->p->nodes[t.node].calls))
		return;
	*memory_next(f->tails, f->tail_count, f->tail_room) = t;
}

/* ---- the file */

typedef void take_section(struct reading *r, uint64_t at, uint64_t end, uint32_t type);

/* Calls TAKE for each section. The first walk reads kinds, which the sections of later walks refer
 * to. */
static void walk(struct reading *r, take_section *take)
{
	uint64_t end = r->from->size;
	for (uint64_t at = ZPROF_GRANULE; at < end && end - at >= sizeof(struct zprof_section);) {
		struct zprof_section head;
		if (!source_read(r->from, at, &head, sizeof head))
			return;
		if (head.type == ZPROF_SECTION_NONE) {
			at += ZPROF_GRANULE;
			continue;
		}
		if (!head.bytes || head.bytes % ZPROF_GRANULE || head.bytes > end - at ||
		    head.used < sizeof head || head.used > head.bytes)
			return;
		take(r, at + sizeof head, at + head.used, head.type);
		at += head.bytes;
	}
}

static void take_kinds(struct reading *r, uint64_t at, uint64_t end, uint32_t type)
{
	for (; type == ZPROF_SECTION_FRAMES && at + sizeof(struct zprof_frames) <= end;
	     at += sizeof(struct zprof_frames))
		read_kind(r, at);
}

static void take_tallies(struct reading *r, uint64_t at, uint64_t end, uint32_t type)
{
	for (; type == ZPROF_SECTION_TALLIES && at + sizeof(struct zprof_tally) <= end;
	     at += sizeof(struct zprof_tally))
		read_tally(r, at);
}

static void take_others(struct reading *r, uint64_t at, uint64_t end, uint32_t type)
{
	if (type == ZPROF_SECTION_HISTORY)
		read_history(r, at, end - at);
	if (type == ZPROF_SECTION_SLOWEST && is_shown(r->f, at))
		read_slowest(r, at, end - at);
	for (; type == ZPROF_SECTION_TAILS && at + sizeof(struct zprof_tail) <= end;
	     at += sizeof(struct zprof_tail))
		read_tail(r, at);
}

static void read_all(struct profile_frames *f, const struct profile *p, const struct source *from)
{
	struct reading r = {f, p, from};
	*f = (struct profile_frames){0};
	walk(&r, take_kinds);
	walk(&r, take_tallies);
	memory_sort(f->tallies, f->tally_count, by_reference);
	for (size_t i = 0; i < f->kind_count; i++)
		read_again(&r, i);
	walk(&r, take_others);
	sort_frames(f);
}

bool profile_frames_load(struct profile_frames *f, const struct profile *p, bool anyone,
			 struct str *err)
{
	struct source from;
	if (!source_open(&from, p->path, anyone, err))
		return false;
	read_all(f, p, &from);
	source_close(&from);
	return true;
}

void profile_frames_parse(struct profile_frames *f, const struct profile *p, const void *bytes,
			  size_t n)
{
	read_all(f, p, &(struct source){-1, bytes, n});
}

void profile_frames_free(struct profile_frames *f)
{
	free(f->kinds);
	free(f->tallies);
	free(f->frames);
	free(f->nodes);
	free(f->zones);
	free(f->tails);
	*f = (struct profile_frames){0};
}

const struct profile_frame *profile_frames_find(const struct profile_frames *f, size_t kind,
						uint64_t number)
{
	struct profile_frame key = {.kind = kind, .fixed.number = number};
	size_t low = 0, high = f->frame_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct profile_frame *at = &f->frames[middle];
		if (at->kind == kind && at->fixed.number == number)
			return at;
		if (by_number(at, &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- one frame as a profile */

/* Makes threads into mere owners of nodes: no node is open, what threads themselves took is 0, and
 * no thread lasts longer than the frame. */
static void quiet_threads(struct profile *p)
{
	for (size_t i = 0; i < p->thread_count; i++) {
		struct zprof_thread *t = &p->threads[i];
		for (int level = 0; level < ZPROF_LEVELS; level++)
			t->current[level] = PROFILE_NO_NODE;
		t->current[0] = t->root;
		t->last_ticks = t->first_ticks = p->header.start_ticks;
		t->active_ticks = 0;
		t->sampled_ns = t->unseen_ns = t->program_ns = t->looked_ns = 0;
	}
}

static struct zprof_samples samples_of(const struct profile *p, const struct profile_frame_node *n)
{
	struct zprof_samples s = {.node = n->node,
				  .waited_ns = n->waited_ns,
				  .preempted_ns = n->preempted_ns,
				  .preemptions = n->preempted_ns > 0};
	uint64_t period = p->header.sample_period_ns;
	s.waits = n->waited_ns > 0;
	if (p->header.mode == ZPROF_MODE_EXACT)
		return s;
	s.user_ns = n->time > (int64_t)n->waited_ns ? (uint64_t)n->time - n->waited_ns : 0;
	s.user_samples = (uint32_t)(period ? (s.user_ns + period - 1) / period : s.user_ns > 0);
	return s;
}

/* Makes the run as long as the frame; the rate of the clock stays. */
static void set_length(struct profile *p, const struct profile_kind *k, uint64_t wall)
{
	double ns_per_tick = profile_ns_per_tick(&p->header);
	bool is_ns = k->fixed.flags & ZPROF_FRAMES_NS;
	p->header.ticks_hz = (uint64_t)(1e9 / ns_per_tick + 0.5);
	p->header.now_ticks = p->header.start_ticks;
	p->header.now_ns =
	    p->header.start_ns + (is_ns ? wall : (uint64_t)((double)wall * ns_per_tick + 0.5));
}

void profile_frames_restrict(struct profile *p, const struct profile_frames *f,
			     const struct profile_frame *frame)
{
	for (size_t i = 0; i < p->node_count; i++)
		p->nodes[i].calls = p->nodes[i].self_ticks = 0;
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_kind_count; k++)
		if (k->is_counted)
			record_kind_set(p, k, 0);
	p->header.native_samples = 0;
	p->samples = memory_resize(p->samples, frame->count + 1, sizeof *p->samples);
	for (size_t i = 0; i < frame->count; i++) {
		const struct profile_frame_node *n = &f->nodes[frame->first + i];
		struct zprof_samples s = samples_of(p, n);
		p->nodes[n->node].calls += n->calls;
		if (p->header.mode == ZPROF_MODE_EXACT)
			p->nodes[n->node].self_ticks += (uint64_t)n->time;
		if (s.user_ns || s.waited_ns || s.preempted_ns)
			p->samples[p->sample_count++] = s;
	}
	quiet_threads(p);
	set_length(p, &f->kinds[frame->kind], frame->fixed.wall);
}
