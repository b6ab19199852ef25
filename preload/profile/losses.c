/* SPDX-License-Identifier: MIT */
/* losses.c - see losses.h. */
#include "preload/profile/losses.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"

#include <errno.h>

/* If max_nodes is spent, that is the user's limit; and a message about a file that cannot grow may
 * have been printed. */
static bool is_for_lack_of_memory(const struct process *p, enum zprof_counter kind)
{
	return kind == ZPROF_LOSS_SPACE ||
	       (kind == ZPROF_LOSS_THREADS && !p->header->counters[ZPROF_LOSS_BUDGET]);
}

void losses_count(struct process *p, enum zprof_counter kind, uint64_t n)
{
	__atomic_fetch_add(&p->header->counters[kind], n, __ATOMIC_RELAXED);
	if (is_for_lack_of_memory(p, kind) && !sys_forbidden &&
	    !__atomic_exchange_n(&p->file->complained, true, __ATOMIC_RELAXED))
		text_complain("no memory to record everything in", p->file->path, ENOMEM,
			      "the report says how many calls are missing");
}
