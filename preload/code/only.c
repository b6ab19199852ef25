/* SPDX-License-Identifier: MIT */
/* only.c - see only.h. */
#include "preload/code/only.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/code/module.h"

static struct ranges *resolve(struct process *p, const char *rules, uint32_t first, uint32_t end,
			      const struct ranges *old, uint32_t *matched)
{
	struct resolve asked = {.patterns = p->options->only, .rules = rules};

	return resolve_functions(p, &asked, first, end, old, matched);
}

static void inherit(struct process *p, const struct only *from)
{
	*p->only = *from;
	p->only->resolved = p->modules->count;
	p->only->asking = p->only->readers = 0;
	p->only->coming.functions = NULL;
	choices_inherit(p, &p->only->choices, &from->choices);
}

bool only_init(struct process *p, const struct process *from)
{
	struct only *only = p->only;
	uint32_t matched;

	if (p->options->only)
		p->header->flags |= ZPROF_FILTERED;
	if (from) {
		inherit(p, from->only);
		return true;
	}
	if (!p->options->only)
		return true;
	only->functions = resolve(p, NULL, 0, p->modules->count, NULL, &matched);
	if (!only_cache_make(only) || !only->functions) {
		text_complain("cannot resolve only=", p->options->only, 0,
			      "is the command zprof beside libzprof.so, and are the patterns "
			      "right? running unprofiled");
		return false;
	}
	only->resolved = p->modules->count;
	only->active = true;
	return true;
}

/* ---- the table */

static void publish(struct only *only, struct ranges *functions)
{
	struct ranges *old = __atomic_exchange_n(&only->functions, functions, __ATOMIC_SEQ_CST);

	if (!__atomic_load_n(&only->readers, __ATOMIC_SEQ_CST))
		resolve_free(old);
}

static bool holds(struct only *only, uint64_t zone)
{
	bool held;

	__atomic_fetch_add(&only->readers, 1, __ATOMIC_SEQ_CST);
	held = resolve_holds(__atomic_load_n(&only->functions, __ATOMIC_SEQ_CST), zone);
	__atomic_fetch_sub(&only->readers, 1, __ATOMIC_SEQ_CST);
	return held;
}

/*
 * How many modules, counted from the first, are ready (module.h). The first `from` are known to be.
 */
static uint32_t described(const struct process *p, uint32_t from)
{
	uint32_t count = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);

	while (from < count && __atomic_load_n(&p->modules->table[from].ready, __ATOMIC_ACQUIRE))
		from++;
	return from;
}

static void resolve_new(struct process *p, uint32_t first, uint32_t end)
{
	struct ranges *functions;
	uint32_t matched;

	if (first >= end)
		return;
	functions = resolve(p, p->only->choices.rules, first, end, p->only->functions, &matched);
	if (functions)
		publish(p->only, functions);
	for (; !functions && first < end; first++) {
		struct module *m = &p->modules->table[first];

		m->unfiltered = true;
		identity_note(p,
			      "not filtered by only= or zprof_unwatch(), its functions could not "
			      "be resolved: module number ",
			      m->id);
	}
}

static bool lock(struct only *only)
{
	return !__atomic_exchange_n(&only->asking, 1, __ATOMIC_ACQUIRE);
}

static void unlock(struct only *only)
{
	__atomic_store_n(&only->asking, 0, __ATOMIC_RELEASE);
}

void only_update(struct process *p)
{
	uint32_t end;

	if (!p->only->active || !lock(p->only))
		return;
	end = described(p, p->only->resolved);
	resolve_new(p, p->only->resolved, end);
	__atomic_store_n(&p->only->resolved, end, __ATOMIC_RELEASE);
	unlock(p->only);
}

/* ---- choices */

#define WAIT_NS 3000000000u

/*
 * False: another thread holds the lock too long, or this thread itself holds it, interrupted by a
 * signal handler.
 */
static bool wait_for_lock(struct only *only)
{
	uint64_t until = sys_clock_ns(1) + WAIT_NS;

	while (!lock(only)) {
		if (sys_clock_ns(1) > until)
			return false;
		sys0(SYS_sched_yield);
	}
	return true;
}

static long refuse(const char *patterns, const char *why)
{
	text_complain("cannot choose functions by", patterns, 0, why);
	return -1;
}

static long prepare(struct process *p, enum zprof_choice_what what, const char *patterns)
{
	struct only *only = p->only;
	struct only_coming coming = {.end = described(p, 0), .choice.what = what};
	struct ranges *functions;

	coming.rules = choices_with(&only->choices, what, patterns);
	if (!coming.rules)
		return refuse(patterns, "these are too many patterns, or more than one line");
	functions = only_cache_make(only)
			? resolve(p, coming.rules, 0, coming.end, NULL, &coming.choice.functions)
			: NULL;
	if (!functions) {
		choices_free(coming.rules);
		return refuse(patterns, "is the command zprof beside libzprof.so, and are the "
					"patterns right?");
	}
	only->coming = coming;
	__atomic_store_n(&only->settling, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&only->coming.functions, functions, __ATOMIC_SEQ_CST);
	return coming.choice.functions;
}

long only_prepare(struct process *p, enum zprof_choice_what what, const char *patterns)
{
	long matched;

	if (sys_forbidden)
		return refuse(patterns, "the program has restricted its system calls");
	module_read_all(p);
	only_update(p);
	if (!wait_for_lock(p->only))
		return refuse(patterns, "another choice is being made");
	matched = prepare(p, what, patterns);
	if (matched < 0)
		unlock(p->only);
	return matched;
}

void only_take_over(struct process *p, const char *patterns)
{
	struct only *only = p->only;
	struct only_coming *coming = &only->coming;
	char *old = only->choices.rules;
	uint32_t i;

	coming->choice.ticks = only->ticks = tick_now();
	coming->choice.ns = only->ns = sys_clock_ns(1);
	if (!choices_record(p, &only->choices, &coming->choice, patterns))
		identity_note(p, "choices that found no room in the file, the last is number ",
			      only->epoch + 1);
	for (i = 0; i < coming->end; i++)
		p->modules->table[i].unfiltered = false;
	/* before publish(): a fork may happen between the two */
	only->choices.rules = coming->rules;
	choices_free(old);
	publish(only, coming->functions);
	__atomic_store_n(&coming->functions, NULL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&only->resolved, coming->end, __ATOMIC_SEQ_CST);
	__atomic_store_n(&only->active, true, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&only->epoch, 1, __ATOMIC_SEQ_CST);
	only_cache_forget(p);
	unlock(only);
}

void only_settled(struct process *p)
{
	__atomic_store_n(&p->only->settling, false, __ATOMIC_SEQ_CST);
}

/* ---- questions */

/* Whether `functions` covers a module. */
static bool is_resolved(const struct process *p, const struct module *m)
{
	return m && !m->unfiltered &&
	       m->id <= __atomic_load_n(&p->only->resolved, __ATOMIC_ACQUIRE);
}

static bool leaves_out(const struct process *p, const struct module *m, uint64_t zone)
{
	return is_resolved(p, m) && holds(p->only, zone) != (p->options->only != NULL);
}

/*
 * Notes in the cache that a zone is left out. Another thread may make a choice and clear the cache
 * just before this note or after it; the changed epoch shows that. While a choice settles, nothing
 * is noted: other threads cannot see the choice yet, and the exits of functions that they have
 * entered must not return early because of the cache (slow_exit()).
 */
static void note_out(struct only *only, uint64_t zone, uint32_t epoch)
{
	uint64_t *known = only_place(only->cache, zone);

	if (__atomic_load_n(&only->settling, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(known, zone, __ATOMIC_SEQ_CST);
	if (only_epoch(only) != epoch)
		__atomic_store_n(known, 0, __ATOMIC_SEQ_CST);
}

bool only_wants(struct process *p, uint64_t zone)
{
	struct only *only = p->only;
	uint32_t epoch = only_epoch(only);
	const struct module *m;

	if (*only_place(only->cache, zone) == zone)
		return false;
	if (ZPROF_ZONE_KIND(zone) != ZPROF_ZONE_NATIVE || (p->options->only && holds(only, zone)))
		return true;
	m = module_read_at(p, zone);
	if (m && m->id > only->resolved)
		only_update(p);
	if (!leaves_out(p, m, zone))
		return true;
	note_out(only, zone, epoch);
	return false;
}

bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function)
{
	const struct ranges *coming = __atomic_load_n(&p->only->coming.functions, __ATOMIC_SEQ_CST);

	if (!p->only->active || !leaves_out(p, m, function))
		return false;
	return !coming || resolve_holds(coming, function) != (p->options->only != NULL);
}

bool only_has_left_out(const struct process *p, uint64_t zone)
{
	return p->only->active && ZPROF_ZONE_KIND(zone) == ZPROF_ZONE_NATIVE &&
	       leaves_out(p, module_find(p, zone), zone);
}
