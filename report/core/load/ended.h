/* SPDX-License-Identifier: MIT */
/*
 * ended.h - processes that did not end by exit(): up to which moment their profiles know times.
 *
 * If a process dies, the kernel's notes that no hook has read are lost. So the time after the last
 * hook is in no number, and the profile alone cannot tell how much that was. `zprof record` can
 * (report/record/record_missing.h); after that, these functions add no text.
 */
#ifndef REPORT_ENDED_H
#define REPORT_ENDED_H

#include "report/core/base/str.h"
#include "report/core/load/load.h"

/* Whether process I ended without exit(), and `zprof record` has not seen it end. */
bool ended_early(const struct load *l, size_t i);

/* Adds how such a process may have ended, and the latest moment that its profile has. */
void ended_add(struct str *to, const struct load *l, size_t i);

/* Adds one text for EARLY such processes of several. */
void ended_add_count(struct str *to, size_t early, size_t processes);

/* Adds a line for all processes of a report; nothing if all have ended by exit(). */
void ended_add_all(struct str *to, const struct load *l);

#endif
