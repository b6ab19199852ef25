/* SPDX-License-Identifier: MIT */
/*
 * begin.c - begins recording: makes every part of the process record, in order, and publishes it.
 */
#include "preload/release.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/clock/tick.h"
#include "preload/process/environment.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/process/upward.h"
#include "preload/profile/counters.h"
#include "preload/profile/file.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"
#include "preload/profile/run.h"
#include "preload/profile/zones.h"
#include "preload/code/areas.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/code/only.h"
#include "preload/sites/scan.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/sample/happened.h"
#include "preload/sample/sampling.h"
#include "preload/calls/watch.h"
#include "preload/entries/entries.h"
#include "preload/stacks/stacks.h"
#include "preload/unwind/check.h"
#include "preload/unwind/via.h"
#include "preload/hooks/calibrate.h"
#include "preload/hooks/entry_price.h"
#include "preload/hooks/fronts.h"
#include "preload/hooks/hooks.h"
#include "preload/start/attach.h"
#include "preload/start/begin.h"

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>

/* The release, for `strings libzprof.so`. */
__attribute__((used)) static const char release[] = "libzprof " ZPROF_RELEASE;

/* A process and its parts, in one piece of memory. */
struct whole {
	struct process process;
	struct options options;
	struct file file;
	struct zones zones;
	struct counters counters;
	struct modules modules;
	struct locations locations;
	struct only only;
	struct sites sites;
	struct stacks stacks;
	struct pause pause;
	struct recordings recordings;
	struct sampling sampling;
	struct watching watching;
	struct cost cost;
};

/* NULL: no memory. */
static struct process *new_process(void)
{
	struct whole *w = sys_memory(sizeof(*w));
	struct process *p = &w->process;

	if (!w)
		return NULL;
	p->options = &w->options;
	p->file = &w->file;
	p->zones = &w->zones;
	p->counters = &w->counters;
	p->modules = &w->modules;
	p->locations = &w->locations;
	p->only = &w->only;
	p->sites = &w->sites;
	p->stacks = &w->stacks;
	p->pause = &w->pause;
	p->recordings = &w->recordings;
	p->sampling = &w->sampling;
	p->watching = &w->watching;
	p->cost = &w->cost;
	fronts_as_linked(p->sites->hooks);
	return p;
}

static void free_process(struct process *p)
{
	sys_memory_free(p, sizeof(struct whole));
}

/*
 * Unless the user chose a mode, it is `exact` if no samples can be taken. (Under the tests' fake
 * clock none are, and expected outputs need every tick.)
 */
static uint32_t choose_mode(const struct process *p)
{
	if (p->options->clock)
		return p->options->clock;
	return p->sampling->by == ZPROF_SAMPLER_NONE ? ZPROF_MODE_EXACT : ZPROF_MODE_COUNT;
}

/*
 * If the time stamp counter jumped while the hooks were calibrated, the system's clock is used
 * instead, and the calibration is made again.
 */
static void set_clock(struct process *p)
{
	p->clock = tick_init();
	sampling_choose(p);
	p->header->mode = choose_mode(p);
	calibrate(p);
	p->hz = tick_hz();
	if (!p->hz && tick_distrust(TICK_NANOSECONDS_HZ, p->header->start_ticks)) {
		p->clock = ZPROF_CLOCK_MONOTONIC;
		p->hz = TICK_NANOSECONDS_HZ;
		p->cost->callee_milliticks = 0;
		calibrate(p);
	}
	p->header->clock = p->clock;
	if (p->header->mode != ZPROF_MODE_COUNT && p->clock != ZPROF_CLOCK_FAKE &&
	    !p->cost->callee_milliticks)
		losses_count(p, ZPROF_LOSS_CALIBRATION, 1);
}

/*
 * The CPU time of the process's other threads so far. The calling thread's clock is read first, so
 * that the difference is never negative.
 */
static uint64_t others_cpu_ns(void)
{
	uint64_t own = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	return sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - own;
}

static void write_header(struct process *p, const struct process *from)
{
	struct zprof_header *h = p->header;

	h->version = ZPROF_VERSION;
	h->byte_order = ZPROF_BYTE_ORDER;
	h->header_bytes = sizeof(*h);
	h->node_bytes = ZPROF_NODE_BYTES;
	memcpy(h->run_id, p->run_id, sizeof(h->run_id));
	h->pid = (uint32_t)sys0(SYS_getpid);
	h->parent_pid = (uint32_t)sys0(SYS_getppid);
	h->max_nodes = p->options->max_nodes;
	if (p->options->offcpu)
		h->flags |= ZPROF_OFFCPU;
	h->start_realtime_ns = sys_clock_ns(0);
	tick_pair(&h->start_ticks, &h->start_ns);
	h->now_ticks = h->start_ticks;
	h->now_ns = h->start_ns;
	h->others_cpu_ns = others_cpu_ns();
	if (from) {
		h->flags |= ZPROF_FORKED;
		h->clock = p->clock = from->clock;
		h->mode = from->header->mode;
		calibrate_inherit(p, from);
		sampling_inherit(p, from);
		p->hz = from->hz;
		h->counters[ZPROF_LOSS_CALIBRATION] =
		    from->header->counters[ZPROF_LOSS_CALIBRATION];
	} else {
		set_clock(p);
		sampling_begin(p);
		if (h->mode == ZPROF_MODE_COUNT)
			tick_stop();
	}
	h->ticks_hz = p->hz;
	memcpy(h->magic, ZPROF_MAGIC, sizeof(h->magic));
}

/* ---- beginning */

static void no_memory(void)
{
	text_complain("no memory to begin with", NULL, ENOMEM, "running unprofiled");
}

/*
 * Whether there is memory for a first thread (threads.h). Without it the profile would be a file
 * with nothing in it.
 */
static bool memory_for_a_thread(void)
{
	size_t bytes = 64 * 1024;
	void *memory = sys_memory(bytes);

	sys_memory_free(memory, bytes);
	return memory != NULL;
}

/*
 * Without exits, calls have no ends that a clock could be read at. False, after a message: the user
 * asked for that.
 */
static bool entries_allow(struct process *p)
{
	const struct options *o = p->options;
	const char *asked = o->clock == ZPROF_MODE_EXACT ? "clock=exact"
			    : o->frame                   ? "frame="
			    : o->tails                   ? "tails="
							 : NULL;

	if (asked) {
		text_complain(
		    "functions of this program end without a hook, so no call can be timed by",
		    asked, 0, "build it with `zprof cflags --fentry` for that; running unprofiled");
		return false;
	}
	if (p->header->mode == ZPROF_MODE_EXACT) {
		p->header->mode = ZPROF_MODE_COUNT;
		tick_stop();
	}
	return true;
}

static bool fill(struct process *p, struct process *from)
{
	p->inherited = from != NULL;
	if (from) {
		p->options = from->options;
		areas_inherit();
	}
	if (!check_init(p))
		return false;
	run_choose(p, from);
	if (!pause_init(p, from) || !module_init(p) || !locations_init(p) ||
	    !stacks_init(p, from) ||
	    !(p->vias_seen = sys_memory(VIA_SEEN * sizeof(*p->vias_seen)))) {
		no_memory();
		return false;
	}
	if (!file_create(p, from))
		return false;
	p->header = (struct zprof_header *)p->file->base;
	p->header->mapped_bytes = ZPROF_GRANULE;
	write_header(p, from);
	identity_write(p);
	if (!zones_begin(p)) {
		text_complain("no memory for the names of zones", NULL, ENOMEM,
			      "running unprofiled");
		file_remove(p->file);
		return false;
	}
	counters_begin(p, from);
	happened_begin(p);
	recordings_init(p, from);
	if (from)
		p->lent_stacks = from->lent_stacks;
	module_discover_all(p);
	p->modules->at_start = p->modules->count;
	if (entries_look_at_all(p) && !entries_allow(p)) {
		file_remove(p->file);
		return false;
	}
	if (p->entries_alone && !from)
		entry_price_measure(p);
	if (!only_init(p, from) || !watch_init(p, from)) {
		file_remove(p->file);
		return false;
	}
	if (from) {
		sites_inherit(p, from);
	} else {
		fronts_choose(p);
		losses_count(p, ZPROF_LOSS_EARLY, hooks_missed);
		if (!p->options->start)
			pause_begin(p, tick_now());
	}
	if (!memory_for_a_thread()) {
		no_memory();
		file_remove(p->file);
		return false;
	}
	return true;
}

/*
 * Several threads may begin at once. One of them wins and names its file. The others wait here for
 * its publication, but only for a tenth of a second: a waiter may be a signal handler that
 * interrupted the winner, or a jump may have left the winner.
 */
static void wait_for_another(const struct process *seen)
{
	static uintptr_t began;
	uintptr_t this = (uintptr_t)seen | 1;
	uint64_t until = sys_clock_ns(1) + 100000000;

	if (__atomic_exchange_n(&began, this, __ATOMIC_RELAXED) != this)
		return;
	while (__atomic_load_n(&process_now, __ATOMIC_RELAXED) == seen && sys_clock_ns(1) < until)
		sys0(SYS_sched_yield);
}

static bool publish(struct process *p, struct process **seen)
{
	wait_for_another(*seen);
	if (__atomic_load_n(&process_now, __ATOMIC_RELAXED) == *seen && !file_name(p->file))
		return false;
	if (__atomic_compare_exchange_n(&process_now, seen, p, false, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST))
		return true;
	file_remove(p->file);
	free_process(p);
	return true;
}

static bool mentions_us(const char *libraries)
{
	static const char us[] = "libzprof";

	for (; libraries && *libraries; libraries++)
		if (!memcmp(libraries, us, sizeof(us) - 1))
			return true;
	return false;
}

bool begin_wanted(void)
{
	return !getauxval(AT_SECURE) &&
	       (mentions_us(environment_value("LD_PRELOAD")) ||
		environment_value("ZPROF_OPTIONS") || environment_value("ZPROF_RUN"));
}

/* The record of this process, not of the process that forked it. */
static struct process *begun(void)
{
	struct process *p = __atomic_load_n(&process_now, __ATOMIC_SEQ_CST);

	return p && *p->here ? p : NULL;
}

/*
 * Another thread that failed to begin may have turned hooks off after this thread chose their
 * instances, so they are chosen again.
 */
static void turn_hooks_on(const struct process *p)
{
	__atomic_store_n(&process_off, false, __ATOMIC_SEQ_CST);
	fronts_choose(p);
}

/*
 * Turns hooks off, because this thread could not begin. If another thread has begun meanwhile, its
 * process is found here and returned, and hooks are turned on. If it publishes its process later,
 * it turns hooks on itself.
 */
static struct process *give_up(void)
{
	struct process *another;

	__atomic_store_n(&process_off, true, __ATOMIC_SEQ_CST);
	if (!begun()) {
		fronts_off();
	}
	another = begun();
	if (another)
		turn_hooks_on(another);
	return another;
}

static struct process *begin(struct process *from)
{
	/*
	 * The request is asked for first. Requests are answered only after a process is published,
	 * so a thread that sees no request any more finds the process below.
	 */
	bool requested = request_begins();
	struct process *p = begun(), *seen = from;

	if (p)
		return p;
	if (process_now)
		from = seen = process_now;
	if (sys_forbidden || !(requested || (!process_off && (from || begin_wanted()))))
		goto off;
	p = !from || file_detach(from->file) ? new_process() : NULL;
	if (!p)
		no_memory();
	if (!p || (!from && !options_parse(&((struct whole *)p)->options,
					   requested ? zprof_request.options
						     : environment_value("ZPROF_OPTIONS"))))
		goto off;
	if (requested && !from) {
		sites_expect(p);
		p->beginning = true;
	}
	if (!fill(p, from) || !publish(p, &seen))
		goto off;
	if (process_now != p)
		return process_now;
	if (!from) {
		turn_hooks_on(p);
		sites_store_by(p, requested ? attach_storer() : NULL);
		sites_begin(p, !p->options->start);
		sites_store_by(p, NULL);
	}
	zprof_request.word = (uintptr_t)&p->alive;
	zones_catch_up(p);
	__atomic_store_n(&p->beginning, false, __ATOMIC_RELEASE);
	if (requested)
		process_answer(p);
	if (p->options->verbose)
		text_complain("recording into", p->file->path, 0, NULL);
	return p;
off:
	p = give_up();
	if (!p)
		process_answer(NULL);
	return p;
}

UPWARD_FILL(begin, begin);
