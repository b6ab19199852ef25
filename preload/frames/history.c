/* SPDX-License-Identifier: MIT */
/* history.c - see history.h. */
#include "preload/frames/history.h"

#include "preload/base/sys.h"
#include "preload/frames/frames.h"
#include "preload/frames/tally.h"
#include "preload/process/options.h"
#include "preload/profile/losses.h"

/*
 * Sizes of a chunk, in bytes. A chunk is at most a quarter of history_bytes, whose least value
 * (options.def) gives four chunks of the least size.
 */
#define CHUNK_LEAST (16u << 10)
#define CHUNK_MOST  (256u << 10)
#define CHUNKS      4
/* A chunk has room for so many frames as large as its first frame, if the limits above allow. */
#define FRAMES_A_CHUNK 4
#define SLOW_BYTES     ZPROF_GRANULE

/* ---- a frame as bytes */

static uint32_t entries_of_zones(const struct frames *f, const struct kind *kind)
{
	uint32_t n = kind->zones.count, i;

	for (i = 0; i < kind->running.count; i++)
		n += !tally_at(f, kind->running.all[i])->of_zone;
	return n;
}

static size_t bytes_of(const struct frames *f, const struct kind *kind, uint32_t flags)
{
	size_t bytes = sizeof(struct zprof_frame);

	if (flags & ZPROF_FRAME_NODES)
		bytes += kind->running.count * sizeof(struct zprof_frame_node);
	if (flags & ZPROF_FRAME_ZONES)
		bytes += entries_of_zones(f, kind) * sizeof(struct zprof_frame_zone);
	return bytes;
}

static uint32_t in_us(uint64_t ns)
{
	return ns / 1000 < UINT32_MAX ? (uint32_t)((ns + 500) / 1000) : UINT32_MAX;
}

static uint32_t write_nodes(const struct frames *f, const struct kind *kind,
			    struct zprof_frame_node *to, const struct zprof_frame_node *end)
{
	uint32_t i;

	for (i = 0; i < kind->running.count && to < end; i++) {
		const struct zprof_tally *t = tally_at(f, kind->running.all[i]);

		*to++ = (struct zprof_frame_node){t->node, (uint32_t)t->calls.now, t->self.now,
						  in_us(t->waited), in_us(t->preempted)};
	}
	return i;
}

static struct zprof_frame_zone zone_entry(const struct zprof_tally *t, uint32_t reference,
					  uint32_t shift)
{
	int64_t self = t->self.now > 0 ? t->self.now : 0;

	return (struct zprof_frame_zone){reference, (uint32_t)(self >> shift)};
}

static uint32_t write_zones(const struct frames *f, const struct kind *kind, uint32_t shift,
			    struct zprof_frame_zone *to, const struct zprof_frame_zone *end)
{
	const struct zprof_frame_zone *first = to;
	uint32_t i;

	for (i = 0; i < kind->running.count && to < end; i++) {
		const struct zprof_tally *t = tally_at(f, kind->running.all[i]);

		if (!t->of_zone)
			*to++ = zone_entry(t, kind->running.all[i], shift);
	}
	for (i = 0; i < kind->zones.count && to < end; i++)
		*to++ = zone_entry(tally_at(f, kind->zones.all[i]), kind->zones.all[i], shift);
	return (uint32_t)(to - first);
}

/*
 * Writes a frame into at most `room` bytes. The number is stored last, and says that the record is
 * complete.
 */
static void write_frame(const struct frames *f, const struct kind *kind, const struct ending *e,
			uint32_t flags, struct zprof_frame *to, size_t room)
{
	size_t bytes = bytes_of(f, kind, flags);
	const char *end;

	if (bytes > room) {
		bytes = room & ~(size_t)7;
		flags |= ZPROF_FRAME_CUT;
		losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
	}
	end = (char *)to + bytes;
	to->number = 0;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	to->bytes = (uint32_t)bytes;
	to->flags = flags;
	to->begun = e->begun;
	to->wall = e->ended - e->begun;
	to->frames_of = kind->reference;
	to->ran = e->ran;
	to->shift = 0;
	if (flags & ZPROF_FRAME_NODES) {
		end -= (bytes - sizeof(*to)) % sizeof(struct zprof_frame_node);
		to->count = write_nodes(f, kind, (struct zprof_frame_node *)(to + 1),
					(const struct zprof_frame_node *)end);
	} else {
		while (e->longest >> to->shift > UINT32_MAX)
			to->shift++;
		to->count = write_zones(f, kind, to->shift, (struct zprof_frame_zone *)(to + 1),
					(const struct zprof_frame_zone *)end);
	}
	__atomic_store_n(&to->number, e->number, __ATOMIC_RELEASE);
}

/* ---- the latest frames */

static size_t room_in(const struct zprof_section *s)
{
	return s->bytes - s->used;
}

static struct zprof_history *head_of(struct zprof_section *s)
{
	return (struct zprof_history *)(s + 1);
}

/* Takes so many bytes of the process's history_bytes. False: fewer are left. */
static bool spend(struct process *p, uint64_t bytes)
{
	uint64_t spent = __atomic_load_n(&p->history_spent, __ATOMIC_RELAXED);

	do
		if (spent + bytes > p->options->history_bytes)
			return false;
	while (!__atomic_compare_exchange_n(&p->history_spent, &spent, spent + bytes, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

static uint64_t chunk_bytes(const struct process *p, size_t frame)
{
	uint64_t most = p->options->history_bytes / CHUNKS, bytes = CHUNK_LEAST;

	while (bytes * 2 <= most && (bytes < CHUNK_MOST || bytes < FRAMES_A_CHUNK * frame))
		bytes *= 2;
	return bytes;
}

/*
 * Makes another chunk. NULL: history_bytes are used up, or there is no room. A kind's first two
 * chunks are made in any case, so that one of them is whole while the other is being filled anew.
 */
static struct chunk *new_chunk(struct frames *f, struct kind *kind, size_t frame)
{
	struct process *p = f->process;
	struct history *h = &kind->history;
	uint64_t bytes = chunk_bytes(p, frame);
	struct chunk *chunk;

	if (!spend(p, bytes) && h->newest && h->newest->next != h->newest)
		return NULL;
	chunk = sys_memory(sizeof(*chunk));
	if (chunk)
		chunk->section = file_section(p, ZPROF_SECTION_HISTORY, f->thread, bytes);
	if (!chunk || !chunk->section) {
		sys_memory_free(chunk, sizeof(*chunk));
		return NULL;
	}
	chunk->next = h->newest ? h->newest->next : chunk;
	if (h->newest)
		h->newest->next = chunk;
	return chunk;
}

/* Begins to fill a chunk; frames that were in it are forgotten. */
static void begin_chunk(struct frames *f, struct kind *kind, struct chunk *chunk)
{
	struct zprof_history *head = head_of(chunk->section);
	const struct chunk *before = kind->history.newest;
	const char *base = f->process->file->base;

	__atomic_store_n(&head->generation, head->generation | 1, __ATOMIC_RELEASE);
	__atomic_store_n(&chunk->section->used, sizeof(*chunk->section) + sizeof(*head),
			 __ATOMIC_RELEASE);
	head->frames_of = kind->reference;
	head->previous =
	    before && before != chunk ? (uint64_t)((const char *)before->section - base) : 0;
	/* For readers, the list ends before the chunk that will be used again next. */
	if (chunk->next != chunk)
		head_of(chunk->next->section)->previous = 0;
	kind->history.newest = chunk;
	__atomic_store_n(&head->generation, head->generation + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&kind->record->newest, (uint64_t)((char *)chunk->section - base),
			 __ATOMIC_RELEASE);
}

static void keep_latest(struct frames *f, struct kind *kind, const struct ending *e, uint32_t flags)
{
	size_t bytes = bytes_of(f, kind, flags);
	struct history *h = &kind->history;
	struct zprof_section *s = h->newest ? h->newest->section : NULL;
	struct zprof_frame *to;

	if (!s || bytes > room_in(s)) {
		struct chunk *chunk = new_chunk(f, kind, bytes);

		if (!chunk && h->newest)
			chunk = h->newest->next;
		if (!chunk) {
			losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
			return;
		}
		begin_chunk(f, kind, chunk);
		s = chunk->section;
	}
	to = (struct zprof_frame *)((char *)s + s->used);
	write_frame(f, kind, e, flags, to, room_in(s));
	__atomic_store_n(&s->used, s->used + to->bytes, __ATOMIC_RELEASE);
}

/* ---- the slowest frames */

/*
 * The fastest of the slowest frames kept, which the next slow frame replaces; NULL: fewer than
 * ZPROF_SLOWEST are kept.
 */
static struct slow *fastest(struct history *h)
{
	struct slow *found = NULL;
	uint32_t shown = 0, i;

	for (i = 0; i <= ZPROF_SLOWEST; i++)
		if (h->slowest[i].shown) {
			shown++;
			if (!found || h->slowest[i].time < found->time)
				found = &h->slowest[i];
		}
	return shown < ZPROF_SLOWEST ? NULL : found;
}

static struct slow *free_slow(struct history *h)
{
	struct slow *s = h->slowest;

	while (s->shown)
		s++;
	return s;
}

static bool room_for_slow(struct frames *f, struct slow *slow, size_t frame)
{
	uint64_t bytes = SLOW_BYTES;
	struct zprof_section *s;

	if (slow->section && slow->section->bytes >= sizeof(*s) + frame)
		return true;
	while (bytes < sizeof(*s) + frame)
		bytes *= 2;
	s = file_section(f->process, ZPROF_SECTION_SLOWEST, f->thread, bytes);
	if (s)
		slow->section = s;
	return slow->section != NULL;
}

/* The wall time of a frame, less the time in which others had the processor. */
static uint64_t time_without_others(const struct frames *f, const struct ending *e)
{
	uint64_t wall = e->ended - e->begun, others = e->preempted;

	if (f->exact)
		others = others / 1000 * (f->process->header->ticks_hz / 1000) / 1000;
	return wall > others ? wall - others : 0;
}

static void keep_slow(struct frames *f, struct kind *kind, const struct ending *e)
{
	struct history *h = &kind->history;
	struct slow *out = fastest(h), *in = free_slow(h);
	uint64_t time = time_without_others(f, e);
	struct zprof_frame *to;
	uint32_t i, place = 0;

	if (out && time <= out->time)
		return;
	if (!room_for_slow(f, in, bytes_of(f, kind, ZPROF_FRAME_NODES))) {
		losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
		return;
	}
	to = (struct zprof_frame *)(in->section + 1);
	write_frame(f, kind, e, ZPROF_FRAME_NODES, to, in->section->bytes - sizeof(*in->section));
	in->section->used = sizeof(*in->section) + to->bytes;
	for (i = 0; i < ZPROF_SLOWEST; i++)
		if (kind->record->slowest[i] ==
		    (out ? (uint32_t)(((char *)out->section - f->process->file->base) /
				      ZPROF_GRANULE)
			 : 0))
			place = i;
	in->time = time;
	in->shown = true;
	if (out)
		out->shown = false;
	__atomic_store_n(&kind->record->slowest[place],
			 (uint32_t)(((char *)in->section - f->process->file->base) / ZPROF_GRANULE),
			 __ATOMIC_RELEASE);
}

void history_keep(struct frames *f, struct kind *kind, const struct ending *e)
{
	if (f->process->options->history == HISTORY_FULL)
		keep_latest(f, kind, e, ZPROF_FRAME_NODES);
	else if (f->process->options->history == HISTORY_SELF)
		keep_latest(f, kind, e, ZPROF_FRAME_ZONES);
	keep_slow(f, kind, e);
}
