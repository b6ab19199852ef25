/* SPDX-License-Identifier: MIT */
/*
 * lent_told.c - for an interpreter that counts calls itself (zprof.h): it tells its open zones (a
 * path) when the library asks, and hands its counts over in bulk.
 *
 * zprof_lent_path() makes the zone stack follow the path before it reads the kernel's samples. The
 * samples that have arrived were taken in the zone that the interpreter is in now, not in the zone
 * that it was in when the library asked last.
 *
 *     the library's zone stack    main evaluate [fact] [map]
 *     path                                      [fact] [fold] [square]
 *                                 ------------- stays --    map returns, fold and square are entered;
 *                                                           then the samples: they are square's
 *
 * The calls of zones that a path opens are counted here. The interpreter's bulk counts have only
 * calls that have returned, without those that paths told of. So the two counts add up to all
 * calls.
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/process/process.h"
#include "preload/profile/zones.h"
#include "preload/recording/pause.h"
#include "preload/tree/tree.h"
#include "preload/frames/frames.h"
#include "preload/track/charge.h"
#include "preload/track/hot.h"
#include "preload/slow/arrive.h"
#include "preload/slow/nested.h"
#include "preload/lent/lent_arrive.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT bool zprof_lent_begin(struct zprof_asking *asking);
EXPORT size_t zprof_lent_path(struct zprof_asking *asking, const uint32_t *zones, size_t count);
EXPORT void zprof_lent_add(struct zprof_counted *contexts, size_t count);

_Static_assert(PROCESS_ALIVE == 1, "zprof_lent_asks() looks at *alive, too");

/* ---- when the library asks */

static const uint32_t never_alive;

/* From now on zprof_lent_asks() is true when this thread has new notes or recording changes. */
static void ask_from_here(struct zprof_asking *asking)
{
	const struct track *self = &track_self;

	asking->alive = self->busy == TRACK_UNREADY ? &never_alive : self->alive;
	asking->news = self->news;
	asking->known = self->known;
}

/* Whether sums of calls are enough, because nothing that is recorded needs single calls. */
static bool counts_do(const struct track *k)
{
	return k->process->header->mode == ZPROF_MODE_COUNT && !k->level && !k->callsites &&
	       !k->watch;
}

bool zprof_lent_begin(struct zprof_asking *asking)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	bool yes;

	asking->alive = &never_alive;
	if (!nested_begin(&n, &e))
		return false;
	yes = arrive(n.track, &e) && lent_of(n.track) && counts_do(n.track) &&
	      !pause_in_force(n.track->process);
	nested_end(&n, &e);
	ask_from_here(asking);
	return yes;
}

/* ---- where the interpreter is */

/* How many zones above the carrier are open already, in the order of the path. */
static size_t common(const struct track *k, const uint32_t *zones, size_t count)
{
	const struct open_zone *carrier = lent_carrier(k);
	size_t most = (size_t)(k->top - carrier), i;

	for (i = 0; i < most && i < count; i++)
		if (carrier[i + 1].node->zone != ZPROF_ZONE_OF_ID(zones[i]) ||
		    lent_placeholder(&carrier[i + 1]))
			break;
	return i;
}

/* Leaves and enters zones until the zone stack is the path. Returns how many zones stayed open. */
static size_t follow(struct track *k, const uint32_t *zones, size_t count, bool *slow)
{
	size_t stay = common(k, zones, count), i = (size_t)(k->top - lent_carrier(k));

	for (; i > stay; i--)
		lent_return(k);
	for (i = stay; i < count; i++)
		lent_push(k, ZPROF_ZONE_OF_ID(zones[i]), 0, LENT_CALLED, 0, slow);
	return stay;
}

/* Whether the zone stack surely is that of this event's thread and stack, before arrive(). */
static bool is_at_home(const struct track *k, const struct event *e)
{
	return *k->alive == PROCESS_ALIVE && k->lent && !k->level &&
	       e->sp - k->stack_low < k->stack_bytes;
}

size_t zprof_lent_path(struct zprof_asking *asking, const uint32_t *zones, size_t count)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN), 0, TIMING_EXACT);
	bool slow = false, early;
	size_t stay = 0, i;
	struct nested n;

	if (!nested_begin(&n, &e)) {
		ask_from_here(asking);
		return 0;
	}
	early = is_at_home(n.track, &e);
	if (early) {
		lent_count(n.track->lent);
		lent_settle_frames(n.track, &e, lent_locate(n.track, &e, LENT_OTHER));
		stay = follow(n.track, zones, count, &slow);
	}
	if (lent_arrive(n.track, &e, LENT_OTHER, NULL) && !early)
		stay = follow(n.track, zones, count, &slow);
	if (slow)
		charge_own(n.track);
	nested_end(&n, &e);
	ask_from_here(asking);
	for (i = stay; i < count; i++)
		lent_ask_for_name(zones[i], &e);
	return stay;
}

/* ---- counts of the interpreter */

static bool is_nothing(const struct zprof_counted *c)
{
	uint64_t sum = c->calls;
	int i;

	for (i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		sum |= c->counter[i];
	return !sum;
}

/*
 * Adds an interpreter's counts to a node. If their zone got no node, `node` is the caller's, and
 * the calls are left out.
 */
static void add(struct track *k, struct zprof_node *node, const struct zprof_counted *c)
{
	struct zprof_extra *extra = lent_nearest(k, node);
	int i;

	if (k->frames)
		frames_touch(k->frames, node);
	if (c->reserved <= UINT32_MAX) {
		node->module |= ZPROF_NODE_TOLD << 24;
		node->calls += c->calls;
		extra->returned += c->calls;
	}
	for (i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		extra->counter[i] += c->counter[i];
}

/*
 * The node of contexts[at], stored in its `reserved`. If it has none yet, its callers get nodes
 * first, from the outermost one down.
 */
static struct zprof_node *node_of(struct track *k, struct zprof_node *carrier,
				  struct zprof_counted *contexts, size_t at, bool *slow)
{
	while (!contexts[at].reserved) {
		struct zprof_counted *c = &contexts[at];
		struct zprof_node *parent = carrier, *node;

		while (c->caller && !contexts[c->caller - 1].reserved)
			c = &contexts[c->caller - 1];
		if (c->caller)
			parent = node_at(k->base, (uint32_t)contexts[c->caller - 1].reserved);
		node = lent_child(k, parent, ZPROF_ZONE_OF_ID(c->zone), slow);
		if (node)
			lent_complete(k, parent, node);
		c->reserved = node ? node_reference(k->base, node)
				   : (uint64_t)1 << 32 | node_reference(k->base, parent);
	}
	return node_at(k->base, (uint32_t)contexts[at].reserved);
}

static void add_all(struct track *k, struct zprof_counted *contexts, size_t count)
{
	struct zprof_node *carrier = lent_carrier(k)->node;
	bool slow = false;
	size_t i;

	for (i = 0; i < count; i++) {
		contexts[i].reserved = 0;
		if (contexts[i].caller > i) {
			lent_misuse(k->process);
			contexts[i].caller = 0;
		}
	}
	for (i = 0; i < count; i++)
		if (!is_nothing(&contexts[i]))
			add(k, node_of(k, carrier, contexts, i, &slow), &contexts[i]);
	if (slow)
		charge_own(k);
}

void zprof_lent_add(struct zprof_counted *contexts, size_t count)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	size_t i;

	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_OTHER, NULL))
		add_all(n.track, contexts, count);
	nested_end(&n, &e);
	for (i = 0; i < count; i++)
		if (!is_nothing(&contexts[i]))
			lent_ask_for_name(contexts[i].zone, &e);
}
