/* SPDX-License-Identifier: MIT */
/* series.c - see series.h. */
#include "preload/sample/series.h"

#include "preload/base/sys.h"
#include "preload/profile/losses.h"
#include "preload/sample/away.h"
#include "preload/sample/ran.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/waits.h"

/*
 * WAITS_ROOM: the bytes of a ring of a thread whose waits are recorded (offcpu=1); a wait takes 32.
 * Only ROOMY_AT_ONCE threads have such a ring at a time, because a user's memory for rings is
 * limited (perf_event_mlock_kb).
 */
#define WAITS_ROOM    16384u
#define ROOMY_AT_ONCE 32u

/*
 * Opens a ring by ring_open() or ring_reopen(). If the program has given up its rights since the
 * start, the kernel may still take samples outside of the kernel.
 */
static bool open_ring(struct notes *n,
		      long (*open)(struct ring *, uint64_t, uint32_t, enum zprof_sampler))
{
	uint64_t period_ns = sampling_period(n->sampling);
	uint32_t most = sampling_most(n->sampling, period_ns);
	long r = open(&n->ring, period_ns, most, n->sampling->by);

	if (n->sampling->by == ZPROF_SAMPLER_KERNEL && ring_is_refused(r))
		r = open(&n->ring, period_ns, most, ZPROF_SAMPLER_USER);
	ran_begin_ring(n);
	return r == 0;
}

static void set_roomy(struct notes *n, bool roomy)
{
	if (roomy != n->roomy)
		__atomic_add_fetch(&n->sampling->roomy, roomy ? 1 : (uint32_t)-1, __ATOMIC_RELAXED);
	n->roomy = roomy;
	n->ring.room = roomy ? WAITS_ROOM : RING_ROOM;
}

/* The ring gets extra room if waits are recorded, and if there is enough memory. */
bool series_begin(struct notes *n)
{
	set_roomy(n, n->waits && n->sampling->roomy < ROOMY_AT_ONCE);
	if (open_ring(n, ring_open))
		return true;
	if (!n->roomy)
		return false;
	set_roomy(n, false);
	return open_ring(n, ring_open);
}

void series_go_on(struct notes *n, struct process *p, struct zprof_node *node)
{
	ran_charge_unseen(n, p, ran_place_of_gap(n, node));
	away_interrupted(n);
	if (!open_ring(n, ring_reopen))
		losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

static bool is_spent(const struct notes *n)
{
	const struct ring *ring = &n->ring;

	return ring->period_ns != sampling_period(n->sampling) ||
	       (ring->most && ring->taken > ring->most - ring->most / 4);
}

void series_go_on_if_spent(struct notes *n, struct process *p, struct zprof_node *node)
{
	if (is_spent(n) && !sys_forbidden && !n->ended)
		series_go_on(n, p, node);
}

void series_end(struct notes *n)
{
	ring_close(&n->ring);
	if (n->waits)
		waits_end(n->waits);
	set_roomy(n, false);
}
