/* SPDX-License-Identifier: MIT */
/* losses.c - see losses.h. */
#include "preload/profile/losses.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"

#include <errno.h>

/*
 * Whether a loss is due to a lack of memory, and not to the user's limit max_nodes
 * (ZPROF_LOSS_BUDGET). For a file that cannot grow, file.c prints a message.
 */
static bool is_for_lack_of_memory(const struct process *p, enum zprof_counter kind)
{
	return kind == ZPROF_LOSS_SPACE ||
	       (kind == ZPROF_LOSS_THREADS && !p->header->counters[ZPROF_LOSS_BUDGET]);
}

/* Where functions end without a hook, nobody knows whether a zone was left without returning. */
static bool is_unknown(const struct process *p, enum zprof_counter kind)
{
	return p->entries_alone && (kind == ZPROF_REPAIR_JUMP || kind == ZPROF_SWITCHED_OPEN);
}

void losses_count(struct process *p, enum zprof_counter kind, uint64_t n)
{
	if (is_unknown(p, kind))
		return;
	__atomic_fetch_add(&p->header->counters[kind], n, __ATOMIC_RELAXED);
	if (is_for_lack_of_memory(p, kind) && !sys_forbidden &&
	    !__atomic_exchange_n(&p->file->complained, true, __ATOMIC_RELAXED))
		text_complain("no memory to record everything in", p->file->path, ENOMEM,
			      "the report says how many calls are missing");
}
