/* SPDX-License-Identifier: MIT */
/*
 * attach.c - answers requests of `zprof attach`, `detach`, `watch` and `unwatch`
 * (process/request.h).
 *
 * `attach` begins a recording (recording/recordings.h), and `detach` ends it. Between two
 * recordings one pause is in force, for which the hooks are switched off at once; other pauses
 * first have to last for a while (pause.h). The program's own pauses are counted besides, and keep
 * working. If `attach` finds a recording that goes on, it ends one pause of the program's.
 */
#include "preload/start/attach.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/process/upward.h"
#include "preload/profile/file.h"
#include "preload/profile/timebase.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/start/choose.h"

#include <time.h>

/* ---- bytes of code that the asking process stores */

#define STORE_NS 3000000000u
#define NAP_NS   100000

static bool let_store(const struct request_store *all, uint32_t count)
{
	static const struct timespec nap = {.tv_nsec = NAP_NS};
	struct zprof_request *r = &zprof_request;
	uint64_t until = sys_clock_ns(1) + STORE_NS;
	uint32_t number = r->stored + 1;

	r->batch = (uintptr_t)all;
	r->batch_count = count;
	__atomic_store_n(&r->handed, number, __ATOMIC_RELEASE);
	while (__atomic_load_n(&r->stored, __ATOMIC_ACQUIRE) != number) {
		if (sys_clock_ns(1) > until) {
			__atomic_store_n(&r->handed, r->stored, __ATOMIC_RELEASE);
			break;
		}
		sys2(SYS_nanosleep, &nap, NULL);
	}
	if (r->stored == number)
		return true;
	text_complain("code is changed while all threads run", NULL, 0,
		      "the zprof that should have stopped them has ended");
	return false;
}

patch_storer *attach_storer(void)
{
	return zprof_request.hands_over ? let_store : NULL;
}

/* ---- answers */

/* True: this thread is the one that answers. */
static bool claim(struct zprof_request *r)
{
	uint32_t asked = __atomic_load_n(&r->asked, __ATOMIC_ACQUIRE),
		 claimed = __atomic_load_n(&r->claimed, __ATOMIC_RELAXED);

	return asked != claimed && __atomic_compare_exchange_n(&r->claimed, &claimed, asked, false,
							       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void end_recording(struct process *p)
{
	uint64_t ticks = tick_now();

	recordings_end(p, ticks);
	pause_begin(p, ticks);
}

/*
 * REQUEST_ALREADY: the process is recording, perhaps because it has just begun. REQUEST_FAILED:
 * hooks are off and cannot be switched on, so the recording is ended again.
 */
static enum request_result begin(struct process *p)
{
	uint64_t ticks = tick_now();
	bool ended;

	recordings_begin(p, ticks);
	ended = pause_end(p, ticks);
	if (p->sites->refused && sites_are_asleep(p) && !pause_in_force(p)) {
		end_recording(p);
		return REQUEST_FAILED;
	}
	return ended ? REQUEST_DONE : REQUEST_ALREADY;
}

static enum request_result end(struct process *p)
{
	if (!recordings_go_on(p))
		return REQUEST_ALREADY;
	end_recording(p);
	sites_sleep(p, pause_in_force);
	/* The pause may have lasted so long that another thread is switching sites off. */
	sites_wait(p);
	timebase_refresh(p);
	return REQUEST_DONE;
}

static enum request_result choose(struct process *p, struct zprof_request *r)
{
	enum zprof_choice_what what =
	    r->what == REQUEST_WATCH ? ZPROF_CHOICE_WATCH : ZPROF_CHOICE_UNWATCH;
	long matched = choose_functions(p, what, r->options, &r->switched);

	r->matched = matched < 0 ? 0 : (uint32_t)matched;
	return matched < 0 ? REQUEST_FAILED : REQUEST_DONE;
}

static void answer(struct process *p)
{
	struct zprof_request *r = &zprof_request;

	if ((p && __atomic_load_n(&p->beginning, __ATOMIC_ACQUIRE)) || !claim(r))
		return;
	if (p) {
		sites_doubt(p);
		sites_store_by(p, attach_storer());
	}
	if (!p)
		r->result = REQUEST_FAILED;
	else if (request_chooses())
		r->result = choose(p, r);
	else if (r->what == REQUEST_BEGIN)
		r->result = begin(p);
	else
		r->result = end(p);
	if (p) {
		sites_store_by(p, NULL);
		memcpy(r->profile, p->file->path, sizeof(r->profile));
	}
	__atomic_store_n(&r->answered, r->claimed, __ATOMIC_RELEASE);
}

UPWARD_FILL(answer, answer);
