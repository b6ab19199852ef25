/* SPDX-License-Identifier: MIT */
/* record_only.h - says after a run which pattern of --only has matched nothing, or what cannot be recorded. */
#ifndef REPORT_RECORD_ONLY_H
#define REPORT_RECORD_ONLY_H

#include "report/core/disk/find_files.h"
#include "report/core/pattern/pattern.h"

/*
 * Prints a line for each of the patterns for names that matches no function with hooks, and none of
 * the zones in the profiles. Nothing is said if that is unknown, because a program has no symbols.
 * ANY: functions without hooks were recorded, too. Then a line for each pattern names the first function
 * that it matches and that cannot be displaced, with the reason.
 */
void record_only(const struct find_files *files, const struct patterns *only, bool any);

#endif
