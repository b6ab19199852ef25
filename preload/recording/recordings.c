/* SPDX-License-Identifier: MIT */
/* recordings.c - see recordings.h. */
#include "preload/recording/recordings.h"

#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/request.h"
#include "preload/profile/file.h"
#include "preload/recording/pause.h"

#include <time.h>

static uint32_t state(const struct process *p)
{
	return __atomic_load_n(&p->recordings->state, __ATOMIC_ACQUIRE);
}

/* zprof reads the state in the memory of this process (process/request.h). */
static void set_state(struct process *p, enum request_state to)
{
	__atomic_store_n(&p->recordings->state, to, __ATOMIC_RELEASE);
	zprof_request.state = to;
}

struct zprof_recording *recordings_now(const struct process *p)
{
	return __atomic_load_n(&p->recordings->now, __ATOMIC_ACQUIRE);
}

/* NULL: no room. */
static struct zprof_recording *new_record(struct process *p, uint32_t number)
{
	struct zprof_recording *r =
	    file_record(p, &p->recordings->section, ZPROF_SECTION_RECORDINGS, 0, sizeof(*r));

	if (r)
		__atomic_store_n(&r->number, number, __ATOMIC_RELEASE);
	return r;
}

void recordings_init(struct process *p, const struct process *from)
{
	const struct zprof_header *h = p->header;
	struct zprof_recording *r = new_record(p, 1);

	p->recordings->now = r;
	if (from)
		set_state(p, state(from));
	else
		set_state(p, p->options->start ? REQUEST_STATE_RECORDS : REQUEST_STATE_WAITS);
	if (!r || state(p) != REQUEST_STATE_RECORDS)
		return;
	r->began_ticks = h->start_ticks;
	r->began_realtime_ns = h->start_realtime_ns;
	r->began_ns = h->start_ns;
}

/*
 * The time by CLOCK_MONOTONIC. Where system calls are forbidden, this is the latest time in the
 * header.
 */
static uint64_t now_ns(const struct process *p)
{
	return sys_forbidden ? p->header->now_ns : sys_clock_ns(CLOCK_MONOTONIC);
}

static void begin_record(struct process *p, struct zprof_recording *r, uint64_t ticks)
{
	r->began_ticks = ticks;
	r->began_paused_ticks = pause_until(p, ticks);
	r->began_realtime_ns =
	    sys_forbidden ? p->header->start_realtime_ns : sys_clock_ns(CLOCK_REALTIME);
	__atomic_store_n(&r->began_ns, now_ns(p), __ATOMIC_RELEASE);
}

/*
 * Begins a recording after another. If there is no room for its record, its events are added to the
 * recording before: only the moment of its beginning is lost.
 */
static void begin_next(struct process *p, uint64_t ticks)
{
	struct zprof_recording *last = p->recordings->now,
			       *r = sys_forbidden || last->number == ZPROF_RECORDINGS
					? NULL
					: new_record(p, last->number + 1);

	if (r) {
		begin_record(p, r, ticks);
		p->spent_before = p->spent;
		__atomic_store_n(&p->recordings->now, r, __ATOMIC_RELEASE);
	} else {
		last->ended_ns = 0;
	}
}

void recordings_begin(struct process *p, uint64_t ticks)
{
	struct zprof_recording *now = p->recordings->now;

	if (state(p) == REQUEST_STATE_RECORDS)
		return;
	if (now && now->began_ns)
		begin_next(p, ticks);
	else if (now)
		begin_record(p, now, ticks);
	set_state(p, REQUEST_STATE_RECORDS);
}

bool recordings_go_on(const struct process *p)
{
	return state(p) == REQUEST_STATE_RECORDS;
}

void recordings_end(struct process *p, uint64_t ticks)
{
	struct zprof_recording *now = p->recordings->now;

	if (now) {
		now->ended_ticks = ticks;
		now->ended_paused_ticks = pause_until(p, ticks);
		now->ended_ns = now_ns(p);
	}
	set_state(p, REQUEST_STATE_ENDED);
}

bool recordings_resume(struct process *p, uint64_t ticks)
{
	uint32_t depth = __atomic_load_n(&p->pause->depth, __ATOMIC_RELAXED), now = state(p);

	if (now == REQUEST_STATE_ENDED && depth == 1)
		return false;
	if (now == REQUEST_STATE_WAITS && depth == 1)
		recordings_begin(p, ticks);
	return pause_end(p, ticks);
}
