/* SPDX-License-Identifier: MIT */
/*
 * control.c - the functions of zprof.h that are not about zones: frames, pauses, a choice of
 * functions, a thread's name, where a stack is.
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/timebase.h"
#include "preload/profile/zones.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/track/charge.h"
#include "preload/track/hot.h"
#include "preload/track/lent.h"
#include "preload/track/lineage.h"
#include "preload/calls/ends.h"
#include "preload/stacks/stack.h"
#include "preload/slow/arrive.h"
#include "preload/slow/nested.h"
#include "preload/start/choose.h"

#define TURNS 64 /* kinds of turns, at most */

#define EXPORT __attribute__((visibility("default")))

EXPORT void zprof_frame(const char *name);
EXPORT void zprof_frame_discard(const char *name);
EXPORT void zprof_pause(void);
EXPORT void zprof_resume(void);
EXPORT void zprof_flush(void);
EXPORT void zprof_thread_name(const char *name);
EXPORT void zprof_stack(void *base, size_t bytes);
EXPORT bool zprof_recording(void);
EXPORT long zprof_watch(const char *patterns);
EXPORT long zprof_unwatch(const char *patterns);

/* ---- frames */

/* Whether a name kept in the profile is `name`, up to the length that the profile keeps. */
static bool same(const char *kept, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(((struct zprof_turns *)0)->name) - 1; i++)
		if (kept[i] != name[i])
			return false;
		else if (!name[i])
			return true;
	return true;
}

static void keep(char *kept, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(((struct zprof_turns *)0)->name) - 1 && name[i]; i++)
		kept[i] = name[i];
}

static struct zprof_section *turns_section(struct process *p)
{
	struct zprof_section *s = __atomic_load_n(&p->turns, __ATOMIC_ACQUIRE), *none = NULL;

	if (s)
		return s;
	s = file_section(p, ZPROF_SECTION_TURNS, 0,
			 sizeof(*s) + TURNS * sizeof(struct zprof_turns));
	if (!s)
		return NULL;
	return __atomic_compare_exchange_n(&p->turns, &none, s, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE)
		   ? s
		   : none;
}

/*
 * Finds or makes the record of turns with this name. NULL: no room. A new place is claimed by a
 * count in private memory, so that a fork cannot leave a claim half done in the file; the name is
 * stored before the section's size shows the record.
 */
static struct zprof_turns *turns_of(struct process *p, const char *name)
{
	struct zprof_section *s = turns_section(p);
	struct zprof_turns *all = (struct zprof_turns *)(s + 1);
	uint64_t end, seen;
	uint32_t n, i;

	if (!s)
		return NULL;
	for (;;) {
		n = __atomic_load_n(&p->turns_used, __ATOMIC_ACQUIRE);
		for (i = 0; i < n; i++)
			if (same(all[i].name, name))
				return &all[i];
		if (n == TURNS)
			return NULL;
		if (__atomic_compare_exchange_n(&p->turns_used, &n, n + 1, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			break;
	}
	keep(all[n].name, name);
	all[n].first_ticks = tick_now();
	/* A later thread may have published more kinds already. */
	end = sizeof(*s) + (n + 1) * sizeof(*all);
	seen = __atomic_load_n(&s->used, __ATOMIC_RELAXED);
	while (seen < end && !__atomic_compare_exchange_n(&s->used, &seen, end, false,
							  __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return &all[n];
}

static bool count_turn(struct process *p, const char *name)
{
	struct zprof_turns *turns = turns_of(p, name);

	if (!turns)
		return false;
	__atomic_store_n(&turns->last_ticks, tick_now(), __ATOMIC_RELAXED);
	__atomic_fetch_add(&turns->count, 1, __ATOMIC_RELEASE);
	return true;
}

/* Ends a frame of the calling thread. The first end is where its first frame begins. */
static void end_frame(struct track *k, const struct event *e, const char *name, bool keep)
{
	struct kind *kind;

	if (k->level || !arrive(k, e))
		return;
	charge_event(k, e);
	kind = ends_kind(k, name, 0);
	if (kind)
		ends_frame(k, kind, ends_clock(k, e), keep, true);
	losses_count(k->process, ZPROF_MISUSE, !kind);
}

/* A thread without zones has turns, but no frames. */
static void end_turn(const struct event *e, const char *name, bool keep)
{
	struct process *p = process_begin(NULL);
	struct nested n;

	if (!p || !name || pause_in_force(p))
		return;
	if (keep && !count_turn(p, name)) {
		losses_count(p, ZPROF_MISUSE, 1);
		return;
	}
	if (p->options->history == HISTORY_OFF || track_self.busy == TRACK_UNREADY ||
	    !nested_begin(&n, e))
		return;
	end_frame(n.track, e, name, keep);
	nested_end(&n, e);
}

void zprof_frame(const char *name)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));

	end_turn(&e, name, true);
}

void zprof_frame_discard(const char *name)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));

	end_turn(&e, name, false);
}

/* ---- pauses and the clock */

/* Charges time and counters up to now; `skip`: the counters' increase is charged to nothing. */
static void settle_now(const struct event *e, bool skip)
{
	struct nested n;

	if (track_self.busy == TRACK_UNREADY || !nested_begin(&n, e))
		return;
	if (arrive(n.track, e)) {
		charge_event(n.track, e);
		if (n.track->lent && skip)
			lent_skip(n.track->lent);
		else if (n.track->lent)
			lent_count(n.track->lent);
	}
	nested_end(&n, e);
}

void zprof_pause(void)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct process *p = process_begin(NULL);

	if (!p)
		return;
	settle_now(&e, pause_in_force(p));
	pause_begin(process_now, e.ticks);
}

void zprof_resume(void)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct process *p = process_now;

	if (!p)
		return;
	settle_now(&e, true);
	if (!recordings_resume(process_now, e.ticks))
		lent_misuse(process_now);
	if (track_self.slept != process_now->sites->slept) {
		e.ticks = tick_now();
		settle_now(&e, true);
	}
}

void zprof_flush(void)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));

	zones_describe_all();
	settle_now(&e, process_now && pause_in_force(process_now));
	if (process_now && *process_now->here)
		timebase_refresh(process_now);
}

bool zprof_recording(void)
{
	return !process_off && !track_self.refused && !(process_now && pause_in_force(process_now));
}

/* ---- functions that are recorded */

/* Finding the functions takes long, so the time of it is charged to the library. */
static long choose(const struct event *e, enum zprof_choice_what what, const char *patterns)
{
	struct process *p = patterns ? process_begin(NULL) : NULL;
	struct nested n;
	uint32_t switched;
	long matched;
	bool charges;

	if (!p)
		return -1;
	if (track_self.busy == TRACK_UNREADY || !nested_begin(&n, e))
		return choose_functions(p, what, patterns, &switched);
	charges = arrive(n.track, e) && !n.track->level && !pause_in_force(p);
	if (charges)
		charge_event(n.track, e);
	matched = choose_functions(p, what, patterns, &switched);
	if (charges)
		charge_own(n.track);
	nested_end(&n, e);
	return matched;
}

long zprof_watch(const char *patterns)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));

	return choose(&e, ZPROF_CHOICE_WATCH, patterns);
}

long zprof_unwatch(const char *patterns)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));

	return choose(&e, ZPROF_CHOICE_UNWATCH, patterns);
}

/* ---- threads and stacks */

void zprof_thread_name(const char *name)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	char kept[16] = "";
	size_t i;

	if (!name || !nested_begin(&n, &e))
		return;
	for (i = 0; i < sizeof(kept) - 1 && name[i]; i++)
		kept[i] = name[i];
	if (arrive(n.track, &e))
		memcpy(n.track->lineage->record->name, kept, sizeof(kept));
	nested_end(&n, &e);
}

void zprof_stack(void *base, size_t bytes)
{
	struct process *p = process_begin(NULL);

	if (p && *p->here && bytes)
		stack_learn(p, (uintptr_t)base, bytes);
}
