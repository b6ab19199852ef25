/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h. */
#include "preload/frames/frames.h"

#include "preload/base/sys.h"
#include "preload/frames/fade.h"
#include "preload/frames/tally.h"
#include "preload/process/options.h"
#include "preload/profile/losses.h"

#define FIRST_TOUCHED 1024u
#define NANOSECONDS   1000000000u
#define AHEAD         4 /* how many list entries ahead a node or tally is prefetched */

/* Half-lives of the averages, in tenths of a second. */
static const uint32_t half_tenths[ZPROF_AVERAGES] = {5, 40};

struct frames *frames_new(struct process *p, uint32_t thread)
{
	struct frames *f = sys_memory(sizeof(*f));

	if (!f)
		return NULL;
	f->process = p;
	f->thread = thread;
	f->exact = p->header->mode == ZPROF_MODE_EXACT;
	return f;
}

/* ---- kinds */

/* Whether `kept`, which may have been cut, is `name`. */
static bool same_name(const char *kept, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(((struct zprof_frames *)0)->name) - 1; i++)
		if (kept[i] != name[i])
			return false;
		else if (!name[i])
			return true;
	return true;
}

struct kind *frames_find(struct frames *f, const char *name, uint64_t zone)
{
	uint32_t i;

	for (i = 0; i < f->count; i++) {
		const struct zprof_frames *r = f->kinds[i].record;

		if (name ? !r->zone && same_name(r->name, name) : r->zone == zone)
			return &f->kinds[i];
	}
	return NULL;
}

static void describe(const struct frames *f, struct zprof_frames *r, const char *name,
		     uint64_t zone)
{
	uint64_t hz = f->exact ? f->process->header->ticks_hz : NANOSECONDS;
	size_t i;

	r->flags = (f->exact ? 0 : ZPROF_FRAMES_NS) | (name ? 0 : ZPROF_FRAMES_FUNCTION);
	r->zone = name ? 0 : zone;
	for (i = 0; name && i < sizeof(r->name) - 1 && name[i]; i++)
		r->name[i] = name[i];
	for (i = 0; i < ZPROF_AVERAGES; i++)
		r->average_time[i] = hz / 10 * half_tenths[i];
}

/*
 * Prepares a node for a new kind. A node that has a tally for another kind gets one for this kind
 * now; other nodes get one when they run.
 */
static void begin_node(struct frames *f, struct kind *kind, struct zprof_node *node)
{
	struct twin *t = twin_of(node);

	if (t->tally & TWIN_REFERENCE)
		tally_make(f, kind, node);
	if (!(t->tally & TWIN_TOUCHED) && t->rule != LOCATION_LENT && t->ret)
		t->ret |= TWIN_UNTOUCHED;
}

static void begin_nodes(struct frames *f, struct kind *kind, const struct zprof_section *s)
{
	while (s) {
		struct zprof_node *node = (struct zprof_node *)(s + 1);
		const struct zprof_node *end = (struct zprof_node *)((char *)s + s->used);

		for (; node < end; node++)
			begin_node(f, kind, node);
		s = s->previous ? (struct zprof_section *)(f->process->file->base + s->previous)
				: NULL;
	}
}

struct kind *frames_kind(struct frames *f, const struct tree *tree, const char *name, uint64_t zone)
{
	struct kind *kind = &f->kinds[f->count];
	struct zprof_section *s;

	if (f->count == FRAMES_KINDS)
		return NULL;
	s = file_section(f->process, ZPROF_SECTION_FRAMES, f->thread,
			 sizeof(*s) + sizeof(*kind->record));
	if (!s) {
		losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
		return NULL;
	}
	kind->record = (struct zprof_frames *)(s + 1);
	kind->reference = tally_reference(f, kind->record);
	kind->round = 1;
	describe(f, kind->record, name, zone);
	f->count++;
	begin_nodes(f, kind, tree->section);
	begin_nodes(f, kind, tree->spare);
	s->used += sizeof(*kind->record);
	__atomic_store_n(&kind->record->thread, f->thread, __ATOMIC_RELEASE);
	return kind;
}

/* ---- nodes that run */

void frames_note(struct frames *f, struct zprof_node *node)
{
	uint32_t i;

	for (i = 0; i < f->count; i++)
		tally_make(f, &f->kinds[i], node);
}

static bool room_to_touch(struct touched *touched)
{
	uint32_t room = touched->room ? 2 * touched->room : FIRST_TOUCHED;
	uint32_t *nodes;

	if (touched->count < touched->room)
		return true;
	nodes = sys_memory(room * sizeof(*nodes));
	if (!nodes)
		return false;
	memcpy(nodes, touched->nodes, touched->count * sizeof(*nodes));
	sys_memory_free(touched->nodes, touched->room * sizeof(*nodes));
	touched->nodes = nodes;
	touched->room = room;
	return true;
}

void frames_touch(struct frames *f, struct zprof_node *node)
{
	struct twin *t = twin_of(node);

	if (t->tally & TWIN_TOUCHED)
		return;
	if (!(t->tally & TWIN_REFERENCE))
		frames_note(f, node);
	if (!(t->tally & TWIN_REFERENCE))
		return;
	if (room_to_touch(&f->touched))
		touched_add(&f->touched, f->process->file->base, node);
	else
		losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
}

/* ---- the end of a frame */

static void fetch_ahead(const struct frames *f, uint32_t i)
{
	char *base = f->process->file->base;
	struct zprof_node *node;

	if (i + 2 * AHEAD >= f->touched.count)
		return;
	node = node_at(base, f->touched.nodes[i + 2 * AHEAD]);
	__builtin_prefetch(node, 0);
	__builtin_prefetch(twin_of(node), 1);
	node = node_at(base, f->touched.nodes[i + AHEAD]);
	__builtin_prefetch(tally_at(f, twin_of(node)->tally & TWIN_REFERENCE), 1);
}

/*
 * Empties the list of touched nodes. These nodes have run in the current frames of all kinds, so
 * their tallies go into each kind's list. Their next entry takes the slow way again.
 */
static void hand_out(struct frames *f)
{
	char *base = f->process->file->base;
	uint32_t i, k;

	for (i = 0; i < f->touched.count; i++) {
		struct twin *twin = twin_of(node_at(base, f->touched.nodes[i]));

		fetch_ahead(f, i);
		for (k = 0; k < f->count; k++) {
			struct kind *kind = &f->kinds[k];
			struct zprof_tally *t = tally_of(f, kind, twin);

			if (!t || t->under_way == kind->round)
				continue;
			if (tally_add(&kind->running, tally_reference(f, t)))
				t->under_way = kind->round;
			else
				losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
		}
		twin->tally &= ~TWIN_TOUCHED;
		if (twin->rule != LOCATION_LENT && twin->ret)
			twin->ret |= TWIN_UNTOUCHED;
	}
	f->touched.count = 0;
}

/* The tally of a node's parent, if the parent ran in this frame. */
static struct zprof_tally *tally_above(const struct frames *f, const struct kind *kind,
				       const struct zprof_tally *t)
{
	char *base = f->process->file->base;
	uint32_t parent = node_at(base, t->node)->parent;
	struct zprof_tally *found =
	    parent ? tally_of(f, kind, twin_of(node_at(base, parent))) : NULL;

	return found && found->under_way == kind->round ? found : NULL;
}

/*
 * Adds a node's total to its caller's. book() goes through the list of nodes that ran, from its
 * end, and a node nearly always stands behind its caller. So each node already has the totals of
 * all its callees. A caller may stand behind the node, if it was open before the frame and got time
 * only later. Its turn is then over, so the total is handed on to the callers above, one by one.
 */
static void hand_up(const struct frames *f, const struct kind *kind, struct zprof_tally *t,
		    uint64_t number)
{
	struct zprof_tally *up;

	if (tally_take(f, t))
		t->gathered += t->self.now;
	else
		t->flags |= ZPROF_TALLY_IDLE;
	t->taken = number;
	for (up = tally_above(f, kind, t); up; up = tally_above(f, kind, up)) {
		up->gathered += t->gathered;
		if (up->taken != number)
			return;
	}
}

/* Whether a node is below another node of its zone that ran in the same frame. */
static bool is_within(const struct frames *f, const struct kind *kind, const struct zprof_tally *t)
{
	const struct zprof_tally *up = t;

	if (!(t->flags & ZPROF_TALLY_INNER))
		return false;
	while ((up = tally_above(f, kind, up)))
		if (up->zone == t->zone)
			return true;
	return false;
}

static void add_to_zone(const struct frames *f, struct kind *kind, const struct zprof_tally *t)
{
	struct zprof_tally *zone = tally_at(f, t->of_zone);

	if (zone->under_way != kind->round) {
		if (!tally_add(&kind->zones, t->of_zone))
			return;
		zone->under_way = kind->round;
		zone->calls.now = zone->self.now = zone->total.now = 0;
		zone->waited = zone->preempted = 0;
	}
	zone->calls.now += t->calls.now;
	zone->self.now += t->self.now;
	zone->waited += t->waited;
	zone->preempted += t->preempted;
	if (!is_within(f, kind, t))
		zone->total.now += t->total.now;
}

static void begin_ending(struct ending *e, const struct zprof_frames *r, uint64_t ticks)
{
	uint64_t since = r->count ? r->last : r->begun;
	int i;

	*e = (struct ending){.number = r->count + 1, .begun = r->begun, .ended = ticks};
	for (i = 0; i < ZPROF_AVERAGES; i++) {
		e->half[i] = r->average_time[i];
		e->left[i] = fade_left(ticks - since, r->average_time[i]);
	}
}

/*
 * Prefetches a tally: the program's work since the last frame has driven tallies out of the caches.
 */
static void fetch_tally(const struct zprof_tally *t)
{
	__builtin_prefetch(&t->frames, 1);
	__builtin_prefetch(&t->calls, 1);
	__builtin_prefetch(&t->self, 1);
	__builtin_prefetch(&t->total, 1);
}

static void book(struct frames *f, struct kind *kind, struct ending *e)
{
	struct tallies *list = &kind->running;
	uint32_t i, kept = 0;

	for (i = list->count; i-- > 0;)
		hand_up(f, kind, tally_at(f, list->all[i]), e->number);
	for (i = 0; i < list->count; i++) {
		struct zprof_tally *t = tally_at(f, list->all[i]);
		int64_t total = t->gathered;

		if (i + AHEAD < list->count)
			fetch_tally(tally_at(f, list->all[i + AHEAD]));
		t->gathered = 0;
		if (t->flags & ZPROF_TALLY_IDLE) {
			t->flags &= ~ZPROF_TALLY_IDLE;
			continue;
		}
		t->total.now = total;
		e->ran += t->self.now;
		e->preempted += t->preempted;
		e->longest = t->self.now > e->longest ? t->self.now : e->longest;
		list->all[kept++] = list->all[i];
		if (t->of_zone)
			add_to_zone(f, kind, t);
		tally_book(t, e);
	}
	list->count = kept;
	for (i = 0; i < kind->zones.count; i++) {
		struct zprof_tally *t = tally_at(f, kind->zones.all[i]);

		tally_book(t, e);
		e->longest = t->self.now > e->longest ? t->self.now : e->longest;
	}
}

static void book_wall(struct zprof_frames *r, const struct ending *e)
{
	uint64_t wall = e->ended - e->begun;
	int i;

	if (!r->count) {
		r->first = e->begun;
		r->least = wall;
	}
	r->last = e->ended;
	r->wall = wall;
	r->sum += wall;
	r->least = wall < r->least ? wall : r->least;
	r->most = wall > r->most ? wall : r->most;
	for (i = 0; i < ZPROF_AVERAGES; i++) {
		r->average[i] = (uint64_t)fade_times((int64_t)r->average[i], e->left[i]) +
				(wall << ZPROF_AVERAGE_BITS);
		r->weight[i] = (uint64_t)fade_times((int64_t)r->weight[i], e->left[i]) +
			       (1u << ZPROF_AVERAGE_BITS);
	}
	r->walls[zprof_bucket(wall, ZPROF_WALL_BITS, ZPROF_WALL_BUCKETS)]++;
	r->count = e->number;
}

void frames_end(struct frames *f, struct kind *kind, uint64_t ticks, bool keep)
{
	struct zprof_frames *r = kind->record;
	struct ending e;
	uint32_t i;

	hand_out(f);
	tally_sequence(r);
	if (r->begun && keep && ticks > r->begun) {
		begin_ending(&e, r, ticks);
		book(f, kind, &e);
		book_wall(r, &e);
		history_keep(f, kind, &e);
	} else {
		for (i = 0; i < kind->running.count; i++)
			tally_skip(f, tally_at(f, kind->running.all[i]));
		r->discarded += r->begun != 0;
	}
	r->begun = 0;
	kind->running.count = kind->zones.count = 0;
	kind->round++;
	tally_sequence(r);
}

void frames_begin(struct kind *kind, uint64_t ticks)
{
	kind->record->begun = ticks;
}

void frames_leave_out(struct frames *f, struct zprof_node *node, uint64_t calls, uint64_t ticks)
{
	uint32_t i;

	for (i = 0; i < f->count; i++) {
		struct zprof_tally *t = tally_of(f, &f->kinds[i], twin_of(node));

		if (!t)
			continue;
		t->noted.calls += calls;
		t->noted.time += f->exact ? ticks : 0;
	}
}

void frames_shift(struct frames *f, const struct kind *ended, uint64_t ticks)
{
	uint32_t i;

	for (i = 0; i < f->count; i++)
		if (&f->kinds[i] != ended && f->kinds[i].record->begun)
			f->kinds[i].record->begun += ticks;
}

void frames_take_call(struct frames *f, struct kind *kind, struct zprof_node *node)
{
	struct zprof_tally *t;

	frames_touch(f, node);
	t = tally_of(f, kind, twin_of(node));
	if (t)
		t->noted.calls--;
}
