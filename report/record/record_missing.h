/* SPDX-License-Identifier: MIT */
/*
 * record_missing.h - what a run's profiles do not account for of the time that the kernel counted.
 *
 * The kernel's notes of samples and waits lie in memory of the process, and the next hook reads
 * them (preload/sample/ring.h). What came after the last hook of a process that is killed is lost
 * with it. Only whoever waits for the process learns how much that was.
 */
#ifndef REPORT_RECORD_MISSING_H
#define REPORT_RECORD_MISSING_H

#include <stdbool.h>

#include "report/record/record_end.h"
#include "report/core/disk/find_files.h"

/*
 * Compares the profiles of a run with how its program ended. Puts what is missing into the
 * program's profile as a note, and says it, unless QUIET; nothing where no more is missing than
 * the profiles may lack (record_missing.c). A profile that cannot be written to stays as it is.
 */
void record_missing(const struct find_files *files, const struct record_end *end, bool quiet);

#endif
