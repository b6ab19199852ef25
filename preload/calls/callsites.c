/* SPDX-License-Identifier: MIT */
/* callsites.c - see callsites.h. */
#include "preload/calls/callsites.h"

#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/module.h"
#include "preload/track/lineage.h"
#include "preload/track/track.h"

#define FIRST_SLOTS 1024u
#define FIRST_OPEN  1024u
/* There may be max_nodes / RECORDS_SHARE records. */
#define RECORDS_SHARE 4

/* The two clocks of struct zprof_call; in mode `count`, ticks is always 0. */
struct now {
	int64_t ticks, ns;
};

/*
 * A call that has not returned. Its zone is frame number `depth` from the bottom of the zone stack;
 * cfa and node are that frame's as the call was made.
 */
struct open_call {
	size_t depth;
	uintptr_t cfa;
	const struct zprof_node *node;
	struct zprof_call *record;
};

struct callsites {
	uint32_t thread;
	uint32_t mask, count; /* of slots: a power of two less 1; at most half of them are used */
	struct zprof_call **slots; /* a hash by node and site, with linear probing */
	struct zprof_section *section;
	struct open_call *open; /* sorted by depth */
	size_t open_count, open_room;
	struct zprof_call *running; /* record of the call on top since `last`; NULL: none */
	struct now last;
};

struct callsites *callsites_new(struct process *p, uint32_t thread)
{
	struct callsites *c = sys_memory(sizeof(*c));
	struct zprof_call **slots = sys_memory(FIRST_SLOTS * sizeof(struct zprof_call *));
	struct open_call *open = sys_memory(FIRST_OPEN * sizeof(*open));

	if (!c || !slots || !open) {
		sys_memory_free(c, sizeof(*c));
		sys_memory_free(slots, FIRST_SLOTS * sizeof(struct zprof_call *));
		sys_memory_free(open, FIRST_OPEN * sizeof(*open));
		losses_count(p, ZPROF_LOSS_SITES, 1);
		return NULL;
	}
	*c = (struct callsites){.thread = thread,
				.mask = FIRST_SLOTS - 1,
				.slots = slots,
				.open = open,
				.open_room = FIRST_OPEN};
	return c;
}

static struct now clocks(const struct track *k, uint64_t ticks)
{
	const struct zprof_header *h = k->process->header;

	return (struct now){
	    h->mode == ZPROF_MODE_EXACT ? (int64_t)(ticks - h->start_ticks) : 0,
	    (int64_t)k->lineage->record->program_ns,
	};
}

/* ---- records */

static uint32_t slot_of(const struct callsites *c, uint32_t node, uint64_t site)
{
	return (uint32_t)(((site ^ (uint64_t)node << 40 ^ node) * 0x9e3779b97f4a7c15u) >> 32) &
	       c->mask;
}

static void insert(struct callsites *c, struct zprof_call *record)
{
	uint32_t i = slot_of(c, record->node, record->site);

	while (c->slots[i])
		i = (i + 1) & c->mask;
	c->slots[i] = record;
}

static bool more_slots(struct callsites *c)
{
	uint32_t n = c->mask + 1, i;
	struct zprof_call **old = c->slots,
			  **slots = sys_memory(2 * (size_t)n * sizeof(struct zprof_call *));

	if (!slots)
		return false;
	c->slots = slots;
	c->mask = 2 * n - 1;
	for (i = 0; i < n; i++)
		if (old[i])
			insert(c, old[i]);
	sys_memory_free(old, n * sizeof(struct zprof_call *));
	return true;
}

/* A new record in the file. NULL: the file, or the process's share of records, is full. */
static struct zprof_call *new_record(struct callsites *c, struct process *p)
{
	if (__atomic_add_fetch(&p->spent.call_records, 1, __ATOMIC_RELAXED) -
		p->spent_before.call_records >
	    p->options->max_nodes / RECORDS_SHARE)
		return NULL;
	return file_record(p, &c->section, ZPROF_SECTION_CALLS, c->thread,
			   sizeof(struct zprof_call));
}

static struct zprof_call *make_record(struct callsites *c, struct process *p, uint32_t node,
				      uint64_t site, uint32_t flags)
{
	const struct module *module =
	    flags & ZPROF_CALL_LENT || !site ? NULL : module_discover(p, site);
	struct zprof_call *record = NULL;

	if (c->count < (c->mask + 1) / 2 || more_slots(c))
		record = new_record(c, p);
	if (!record)
		return NULL;
	record->site = site;
	record->module = (module ? module->id : 0) | flags << 24;
	record->node = node;
	insert(c, record);
	c->count++;
	return record;
}

/* NULL: there is no room; the loss is counted. */
static struct zprof_call *find_record(struct callsites *c, struct process *p, uint32_t node,
				      uint64_t site, uint32_t flags)
{
	struct zprof_call *record;
	uint32_t i = slot_of(c, node, site);

	for (; (record = c->slots[i]); i = (i + 1) & c->mask)
		if (record->node == node && record->site == site &&
		    ZPROF_CALL_FLAGS(record) == flags)
			return record;
	record = make_record(c, p, node, site, flags);
	if (!record)
		losses_count(p, ZPROF_LOSS_SITES, 1);
	return record;
}

/* ---- open calls */

/* Charges the time since the last event to the call that ran. */
static void charge(struct callsites *c, const struct now *now)
{
	if (c->running) {
		c->running->self_ticks += now->ticks - c->last.ticks;
		c->running->self_ns += now->ns - c->last.ns;
	}
	c->running = NULL;
	c->last = *now;
}

/* One record may have several open calls (a folded recursion): only the outermost takes time. */
static void begin_call(struct zprof_call *record, const struct now *now)
{
	if (record->open++)
		return;
	record->total_ticks -= now->ticks;
	record->total_ns -= now->ns;
}

/* Ends the call on top. */
static void end_call(struct callsites *c, const struct now *now)
{
	struct zprof_call *record = c->open[--c->open_count].record;

	if (--record->open)
		return;
	record->total_ticks += now->ticks;
	record->total_ns += now->ns;
}

/* Ends, from the top down, the calls whose zones are not open below frame number `limit`. */
static void reconcile(struct track *k, struct callsites *c, size_t limit, const struct now *now)
{
	while (c->open_count) {
		const struct open_call *o = &c->open[c->open_count - 1];

		if (o->depth < limit && k->bottom[o->depth].node == o->node &&
		    k->bottom[o->depth].cfa == o->cfa)
			break;
		end_call(c, now);
	}
}

static bool room_for_open(struct callsites *c)
{
	size_t bytes = c->open_room * sizeof(*c->open);
	struct open_call *more;

	if (c->open_count < c->open_room)
		return true;
	more = sys_memory(2 * bytes);
	if (!more)
		return false;
	memcpy(more, c->open, bytes);
	sys_memory_free(c->open, bytes);
	c->open = more;
	c->open_room *= 2;
	return true;
}

/* ---- events */

static void entered(struct track *k, const struct event *e, uint64_t site, uint32_t flags)
{
	struct callsites *c = k->callsites;
	struct now now = clocks(k, e->ticks);
	size_t depth = (size_t)(k->top - k->bottom);
	struct zprof_call *record;

	charge(c, &now);
	reconcile(k, c, depth, &now);
	record = find_record(c, k->process, node_reference(k->base, k->top->node), site, flags);
	if (!record)
		return;
	record->calls++;
	if (!room_for_open(c))
		return;
	begin_call(record, &now);
	c->open[c->open_count++] = (struct open_call){depth, k->top->cfa, k->top->node, record};
	c->running = record;
}

void callsites_entered(struct track *k, const struct event *e)
{
	struct zprof_node *node = k->top->node;

	if (ZPROF_ZONE_KIND(node->zone) != ZPROF_ZONE_NATIVE)
		callsites_left(k, e);
	else if (twin_of(node)->rule & LOCATION_INLINED)
		entered(k, e, e->ret, ZPROF_CALL_INLINED);
	else
		entered(k, e, e->call_site, 0);
}

void callsites_lent(struct track *k, const struct event *e, uint32_t place)
{
	entered(k, e, place, ZPROF_CALL_LENT);
}

void callsites_left(struct track *k, const struct event *e)
{
	struct callsites *c = k->callsites;
	struct now now = clocks(k, e->ticks);
	size_t depth = (size_t)(k->top - k->bottom);

	charge(c, &now);
	reconcile(k, c, depth + 1, &now);
	if (c->open_count && c->open[c->open_count - 1].depth == depth)
		c->running = c->open[c->open_count - 1].record;
}

void callsites_found(void *whom, struct process *p, uint32_t node, uintptr_t ip, uint64_t ns)
{
	struct callsites *c = whom;
	struct zprof_call *record =
	    module_find(p, ip) ? find_record(c, p, node, ip, ZPROF_CALL_SAMPLED) : NULL;

	if (!record)
		return;
	record->calls++;
	record->self_ns += (int64_t)ns;
}

void callsites_end(struct track *k)
{
	struct callsites *c = k->callsites;
	struct now now = clocks(k, *k->last);

	charge(c, &now);
	while (c->open_count)
		end_call(c, &now);
}
