/* SPDX-License-Identifier: MIT */
/* record_unmatched.h - says after a run which patterns of --only, --frame and --tails matched nothing, or what cannot be recorded. */
#ifndef REPORT_RECORD_UNMATCHED_H
#define REPORT_RECORD_UNMATCHED_H

#include "report/core/disk/find_files.h"
#include "report/core/pattern/pattern.h"

/*
 * Prints a line for each of the patterns for names that matches no function with hooks, and none of
 * the zones in the profiles. Nothing is said if that is unknown, because a program has no symbols.
 * Patterns in ZPROF_OPTIONS count where an option has none. ANY: functions without hooks were
 * recorded, too. Then a line for each pattern names the first function that it matches and that cannot be
 * displaced, with the reason.
 */
void record_unmatched(const struct find_files *files, const struct patterns *only,
		      const struct patterns *frame, const struct patterns *tails, bool any);

#endif
