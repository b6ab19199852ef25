/* SPDX-License-Identifier: MIT */
/* sites.c - see sites.h. */
#include "preload/sites/sites.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/code/module.h"
#include "preload/code/only.h"
#include "preload/sites/patch.h"
#include "preload/sites/scan.h"

void sites_inherit(struct process *p, const struct process *from)
{
	p->sites->asleep = from->sites->asleep;
	p->sites->to_sleep = from->sites->to_sleep;
	p->sites->slept = from->sites->slept;
	p->sites->refused = from->sites->refused;
	p->sites->price_ns = from->sites->price_ns;
}

/* ---- which process stores */

void sites_store_by(struct process *p, patch_storer *storer)
{
	p->sites->storers_thread = storer ? sys_thread_pointer() : 0;
	p->sites->storer = storer;
}

static patch_storer *storer_of(const struct sites *s)
{
	return s->storers_thread == sys_thread_pointer() ? s->storer : NULL;
}

static bool may_store(const struct sites *s)
{
	return !s->refused || storer_of(s);
}

/* ---- the lock */

/* The thread that has the lock; 0: none. */
static uintptr_t holder(const struct sites *s)
{
	return __atomic_load_n(&s->lock.thread, __ATOMIC_SEQ_CST);
}

/*
 * Replaces the lock if it still has the value *seen. False: it has another value, which is then in
 * *seen.
 */
static bool replace(struct sites *s, struct sites_lock *seen, uintptr_t thread, uintptr_t sp)
{
	return cpu_replace_pair(&s->lock, &seen->thread, &seen->sp, thread, sp);
}

static void release_lock(struct process *p)
{
	struct sites_lock seen = p->sites->lock;

	while (!replace(p->sites, &seen, 0, 0))
		;
}

static bool take_lock(struct process *p)
{
	struct sites_lock seen = {0, 0};
	uintptr_t sp = (uintptr_t)__builtin_dwarf_cfa(), me = sys_thread_pointer();

	while (!replace(p->sites, &seen, me, sp))
		if (seen.thread && (seen.thread != me || seen.sp >= sp))
			return false;
	if (!__atomic_load_n(&p->modules->closing, __ATOMIC_SEQ_CST))
		return true;
	release_lock(p);
	return false;
}

#define WAIT_NS 1000000000u

void sites_wait(const struct process *p)
{
	const struct sites *s = p->sites;
	uint64_t until;

	if (!holder(s) || holder(s) == sys_thread_pointer() || sys_forbidden)
		return;
	until = sys_clock_ns(1) + WAIT_NS;
	while (holder(s) && sys_clock_ns(1) < until)
		sys0(SYS_sched_yield);
}

/* ---- a switch */

/* Whether a site is to be off. */
static bool to_be_off(const struct process *p, const struct zprof_site *site)
{
	if (p->sites->to_sleep)
		return true;
	return site->state & ZPROF_SITE_CHOSEN &&
	       only_leaves_out(p, &p->modules->table[site->module - 1], scan_function_of(site));
}

static void switch_site(struct process *p, struct patch *patch, struct zprof_site *site, bool off)
{
	switch (patch_byte(patch, site->address, scan_byte(site, !off), scan_byte(site, off))) {
	case PATCH_DONE:
		p->sites->switched++;
		/* fall through */
	case PATCH_THERE_ALREADY:
		__atomic_store_n(
		    &site->state,
		    (uint8_t)(off ? site->state | ZPROF_SITE_OFF : site->state & ~ZPROF_SITE_OFF),
		    __ATOMIC_RELAXED);
		break;
	case PATCH_OTHER:
		losses_count(p, ZPROF_REFUSED_SITES, 1);
		break;
	case PATCH_REFUSED:
		if (!p->sites->refused)
			text_complain("cannot switch hooks off or on", NULL, 0,
				      "the system lets nobody write to code; hooks that are not "
				      "wanted return at once instead");
		p->sites->refused = true;
		break;
	}
}

/* Which sites a pass is about. */
enum pass { ENTRIES_OFF, EXITS, ENTRIES_ON };

static bool concerns(enum pass pass, const struct zprof_site *site, bool off)
{
	if (!scan_enters(site))
		return pass == EXITS;
	return pass == (off ? ENTRIES_OFF : ENTRIES_ON);
}

static void run_pass(struct process *p, struct patch *patch, enum pass pass)
{
	struct sites *s = p->sites;
	bool any = false;
	uint32_t i;

	for (i = 0; i < s->table.count && may_store(s); i++) {
		struct zprof_site *site = site_table_at(&s->table, i);
		bool off;

		if (site->state & ZPROF_SITE_GONE)
			continue;
		if (p->modules->table[site->module - 1].unloaded) {
			site->state |= ZPROF_SITE_GONE;
			continue;
		}
		off = to_be_off(p, site);
		if (!concerns(pass, site, off) ||
		    (off == ((site->state & ZPROF_SITE_OFF) != 0) && !(off && s->doubted)))
			continue;
		switch_site(p, patch, site, off);
		any = true;
	}
	if (any)
		patch_settle(patch);
}

/* Whether all exits are on: from then on no function that ends leaves a zone open. */
static bool exits_are_on(const struct sites *s)
{
	uint32_t i;

	for (i = 0; s->refused && i < s->table.count; i++) {
		const struct zprof_site *site = site_table_at(&s->table, i);

		if (!scan_enters(site) && (site->state & ZPROF_SITE_OFF) &&
		    !(site->state & ZPROF_SITE_GONE))
			return false;
	}
	return true;
}

static void awake(struct sites *s)
{
	if (!s->asleep || s->to_sleep || !exits_are_on(s))
		return;
	__atomic_fetch_add(&s->slept, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&s->asleep, false, __ATOMIC_RELEASE);
}

/* of the thread: a switch does not cost the time that others have the processor */
#define CPU_TIME 3

/* Switches each site that is not as it should be. The caller has the lock. */
static void bring_in_line(struct process *p)
{
	uint64_t began = sys_clock_ns(CPU_TIME);
	struct patch *patch = may_store(p->sites) ? patch_begin(storer_of(p->sites)) : NULL;

	p->sites->switched = 0;
	if (!patch)
		return;
	site_table_fill(p);
	run_pass(p, patch, ENTRIES_OFF);
	p->sites->doubted = false;
	run_pass(p, patch, EXITS);
	awake(p->sites);
	run_pass(p, patch, ENTRIES_ON);
	patch_end(patch);
	p->sites->price_ns = sys_clock_ns(CPU_TIME) - began;
}

void sites_sleep(struct process *p, bool (*wanted)(const struct process *))
{
	struct sites *s = p->sites;

	if (s->asleep || !may_store(s) || sys_forbidden || !take_lock(p))
		return;
	if (wanted(p)) {
		s->asleep = s->to_sleep = true;
		bring_in_line(p);
	}
	release_lock(p);
}

/*
 * False: this thread itself holds the lock, interrupted by a handler; or the lock is not released.
 */
static bool wait_for_lock(struct process *p)
{
	const struct sites *s = p->sites;
	uint64_t until = sys_forbidden ? 0 : sys_clock_ns(1) + WAIT_NS;

	while (!take_lock(p)) {
		if (holder(s) == sys_thread_pointer())
			return false;
		if (sys_forbidden || sys_clock_ns(1) > until)
			return false;
		sys0(SYS_sched_yield);
	}
	return true;
}

bool sites_wake(struct process *p)
{
	struct sites *s = p->sites;

	if (!s->asleep && !holder(s))
		return true;
	if (!wait_for_lock(p))
		return !s->asleep;
	if (s->asleep) {
		s->to_sleep = false;
		bring_in_line(p);
		awake(s); /* also if no site could be switched off before, or on now */
	}
	release_lock(p);
	return true;
}

bool sites_are_asleep(const struct process *p)
{
	return __atomic_load_n(&p->sites->asleep, __ATOMIC_ACQUIRE);
}

/*
 * `asleep` must be read first: the thread that switches sites on increments `slept`, then clears
 * `asleep`.
 */
bool sites_have_slept(const struct process *p)
{
	return sites_are_asleep(p) || __atomic_load_n(&p->sites->slept, __ATOMIC_ACQUIRE);
}

void sites_expect(struct process *p)
{
	p->sites->asleep = p->sites->to_sleep = true;
}

void sites_choose(struct process *p)
{
	if (!may_store(p->sites) || sys_forbidden || !take_lock(p))
		return;
	bring_in_line(p);
	release_lock(p);
}

uint32_t sites_follow(struct process *p)
{
	uint32_t switched;

	if (!may_store(p->sites) || sys_forbidden || !wait_for_lock(p))
		return 0;
	bring_in_line(p);
	switched = p->sites->switched;
	release_lock(p);
	return switched;
}

void sites_doubt(struct process *p)
{
	p->sites->doubted = true;
}

bool sites_behind(const struct process *p)
{
	return p->sites->table.modules < __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);
}

/* True at the 1st, 2nd, 4th, 8th ... time that unknown code calls a hook. */
static bool worth_a_look(struct process *p)
{
	uint64_t n = __atomic_add_fetch(&p->sites->strangers, 1, __ATOMIC_RELAXED);

	return (n & (n - 1)) == 0;
}

void sites_meet(struct process *p, uintptr_t ret)
{
	if (!module_find(p, ret) && worth_a_look(p))
		module_discover(p, ret);
	if (sites_behind(p))
		sites_choose(p);
}

/* Nobody unloads code while it is looked at, unless a dlclose began before this process was known. */
static bool any_sleeps(struct process *p)
{
	bool locked = wait_for_lock(p), any = site_table_any_sleeps(p);

	if (locked)
		release_lock(p);
	return any;
}

static bool always(const struct process *p)
{
	(void)p;
	return true;
}

void sites_begin(struct process *p, bool paused)
{
	if (p->sites->asleep) {
		sites_wake(p);
	} else if (paused) {
		sites_sleep(p, always);
	} else if (any_sleeps(p)) {
		p->sites->asleep = p->sites->to_sleep = true;
		sites_wake(p);
		p->sites->slept = 0; /* no function has run while the sites were off */
	} else if (p->only->active) {
		sites_choose(p);
	}
}

#define PATIENCE 32
#define LEAST_NS 2000000

uint64_t sites_patience(const struct process *p)
{
	uint64_t by_price = PATIENCE * p->sites->price_ns;

	return by_price > LEAST_NS ? by_price : LEAST_NS;
}
