/* SPDX-License-Identifier: MIT */
/* lineage.c - see lineage.h. */
#include "preload/track/lineage.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/recording/recordings.h"

#include <errno.h>

bool lineage_is_anothers(const struct lineage *l)
{
	struct process *p = l->saved.process;

	if (sys_forbidden || (uint32_t)sys0(SYS_gettid) == l->tid ||
	    (uint32_t)sys0(SYS_getpid) != p->header->pid)
		return false;
	losses_count(p, ZPROF_LOSS_SHARED, 1);
	return true;
}

bool lineage_thread_has_ended(uint32_t tid, uint32_t me)
{
	return tid == me || sys3(SYS_tgkill, sys0(SYS_getpid), tid, 0) == -ESRCH;
}

bool lineage_has_ended(const struct lineage *l)
{
	return !sys_forbidden &&
	       lineage_thread_has_ended(__atomic_load_n(&l->tid, __ATOMIC_RELAXED),
					(uint32_t)sys0(SYS_gettid));
}

void lineage_keep_frames(const struct track *track)
{
	struct track *saved = &track->lineage->saved;

	__atomic_store_n(&saved->limit, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&saved->bottom, track->bottom, __ATOMIC_RELEASE);
	saved->top = track->bottom;
	__atomic_store_n(&saved->limit, track->limit, __ATOMIC_RELEASE);
}

void lineage_look_at_frames(const struct lineage *l, struct track *copy)
{
	copy->limit = __atomic_load_n(&l->saved.limit, __ATOMIC_ACQUIRE);
	copy->bottom = __atomic_load_n(&l->saved.bottom, __ATOMIC_ACQUIRE);
	if (!copy->limit || copy->limit != __atomic_load_n(&l->saved.limit, __ATOMIC_ACQUIRE))
		copy->limit = copy->bottom + 1;
}

/*
 * `alive` was loaded before the recording is asked for here, so `alive` belongs to this recording
 * or to an earlier one.
 */
bool lineage_has_passed(struct track *track)
{
	static const uint32_t never_alive;

	if (track->lineage->recording == recordings_now(track->process))
		return false;
	track->alive = &never_alive;
	return true;
}
