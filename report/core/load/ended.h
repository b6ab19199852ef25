/* SPDX-License-Identifier: MIT */
/*
 * ended.h - processes that did not end by exit(): since when their profiles tell of no time.
 *
 * The kernel's notes that no hook has read die with the process. So what came after the last hook
 * is in no number, and the profile alone cannot tell how much that was: `zprof record` can
 * (report/record/record_missing.h), and then nothing is said here.
 */
#ifndef REPORT_ENDED_H
#define REPORT_ENDED_H

#include "report/core/base/str.h"
#include "report/core/load/load.h"

/* Whether process I did not end by exit(), is not recording any more, and no more is known. */
bool ended_early(const struct load *l, size_t i);

/* Adds for such a process how it may have ended, and the latest moment that its profile proves. */
void ended_add(struct str *to, const struct load *l, size_t i);

/* Adds the same for EARLY of several processes, in sum. */
void ended_add_count(struct str *to, size_t early, size_t processes);

/* Adds a line for all processes of a report; nothing if all have ended by exit(). */
void ended_add_all(struct str *to, const struct load *l);

#endif
