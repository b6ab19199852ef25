/* SPDX-License-Identifier: MIT */
/* series.c - see series.h. */
#include "preload/sample/series.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/sample/away.h"
#include "preload/sample/event.h"
#include "preload/sample/happened.h"
#include "preload/sample/ran.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/timer.h"
#include "preload/sample/waits.h"

/*
 * WAITS_ROOM: the bytes of a ring of a thread whose waits (offcpu=1) or events (events=) are recorded;
 * a wait takes 32, or 64 with labels, a fault 64, an event of the processor 80.
 * Only ROOMY_AT_ONCE threads have such a ring at a time, because a user's memory for rings is
 * limited (perf_event_mlock_kb).
 */
#define WAITS_ROOM    16384u
#define ROOMY_AT_ONCE 32u

/* Rings that carry stacks (series.h). Rings with so many roomy ones before them have this size. */
static const struct size {
	uint32_t before, room, stack_bytes;
} sizes[] = {
    {2, 262144, RING_STACK_MOST}, {6, 32768, 2048}, {16, 16384, 512}, {UINT32_MAX, RING_ROOM, 128}};

#define SIZES (sizeof(sizes) / sizeof(*sizes))

/*
 * Opens a ring by ring_open() or ring_reopen(). If the program has given up its rights since the
 * start, the kernel may still take samples outside of the kernel.
 */
static bool open_ring(struct notes *n, struct process *p,
		      long (*open)(struct ring *, uint64_t, uint32_t, enum zprof_sampler))
{
	uint64_t period_ns = sampling_period(n->sampling);
	uint32_t most = sampling_most(n->sampling, period_ns);
	long r;

	happened_prepare(n);
	r = open(&n->ring, period_ns, most, n->sampling->by);
	if (n->sampling->by == ZPROF_SAMPLER_KERNEL && ring_is_refused(r))
		r = open(&n->ring, period_ns, most, ZPROF_SAMPLER_USER);
	ran_begin_ring(n);
	if (!r)
		happened_begin_ring(n, p);
	return r == 0;
}

static void set_room(struct notes *n, uint32_t room)
{
	bool roomy = room > RING_ROOM;

	if (roomy != n->roomy)
		__atomic_add_fetch(&n->sampling->roomy, roomy ? 1 : (uint32_t)-1, __ATOMIC_RELAXED);
	n->roomy = roomy;
	n->ring.room = room;
}

/* The ring gets extra room if waits are recorded, and if there is enough memory. */
static bool begin_plain(struct notes *n, struct process *p)
{
	n->ring.stack_bytes = 0;
	n->alone = false;
	set_room(n, (n->waits || n->happened) && n->sampling->roomy < ROOMY_AT_ONCE ? WAITS_ROOM
										    : RING_ROOM);
	if (open_ring(n, p, ring_open))
		return true;
	if (!n->roomy)
		return false;
	set_room(n, RING_ROOM);
	return open_ring(n, p, ring_open);
}

/* Whether the thread's rings are to carry stacks: there is memory for the copy of one. */
static bool carries_stacks(struct notes *n, const struct process *p)
{
	bool wanted = p->entries_alone || n->chains.walk;

	if (wanted && !n->stack)
		n->stack = sys_memory(RING_STACK_MOST);
	n->ring.stack = n->stack;
	n->alone = p->entries_alone && n->stack;
	return wanted && n->stack;
}

/* Some kernels cannot copy stacks: then the ring carries none. */
bool series_begin(struct notes *n, struct process *p)
{
	uint32_t i;

	for (i = 0; i < SIZES && carries_stacks(n, p); i++) {
		if (i < SIZES - 1 && n->sampling->roomy >= sizes[i].before)
			continue;
		n->ring.stack_bytes = sizes[i].stack_bytes;
		set_room(n, sizes[i].room);
		if (open_ring(n, p, ring_open))
			return true;
	}
	return begin_plain(n, p);
}

void series_go_on(struct notes *n, struct process *p, struct zprof_node *node)
{
	ran_charge_unseen(n, p, ran_place_of_rest(n, node));
	away_interrupted(n);
	happened_end_ring(n, p);
	if (!open_ring(n, p, ring_reopen))
		losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* Where functions end without a hook from now on: replaces a ring without stacks by one with them. */
static void widen(struct notes *n, struct process *p, struct zprof_node *node)
{
	char *old = n->ring.memory;

	if (n->ring.stack_bytes) {
		n->alone = true;
		return;
	}
	if (ring_is_timers(&n->ring)) {
		if (carries_stacks(n, p))
			timer_carry_stacks(&n->ring);
		return;
	}
	ran_charge_unseen(n, p, ran_place_of_rest(n, node));
	away_interrupted(n);
	happened_end_ring(n, p);
	event_silence(old, n->ring.room);
	n->ring.memory = NULL;
	cpu_barrier();
	if (!series_begin(n, p)) {
		ring_forget(&n->ring);
		losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
	}
}

static bool is_spent(const struct notes *n)
{
	const struct ring *ring = &n->ring;

	if (happened_is_waiting(n) && !ring_is_over(ring))
		return false;
	return ring->period_ns != sampling_period(n->sampling) ||
	       (ring->most && ring->taken > ring->most - ring->most / 4);
}

void series_go_on_if_spent(struct notes *n, struct process *p, struct zprof_node *node)
{
	if (sys_forbidden || n->ended)
		return;
	if (p->entries_alone && !n->alone && n->place && (n->ring.stack_bytes || !n->stack))
		widen(n, p, node);
	else if (is_spent(n))
		series_go_on(n, p, node);
}

void series_end(struct notes *n)
{
	ring_close(&n->ring);
	if (n->waits)
		waits_end(n->waits);
	set_room(n, RING_ROOM);
}
