/* SPDX-License-Identifier: MIT */
/*
 * record_missing.h - how much of the time that the kernel counted for a run its profiles do not
 * have.
 *
 * The kernel puts notes of samples and waits into memory of the process, and the next hook reads
 * them (preload/sample/ring.h). If a process is killed, the notes after its last hook are lost with
 * that memory. Only the process that waits for the program learns how much time that was.
 */
#ifndef REPORT_RECORD_MISSING_H
#define REPORT_RECORD_MISSING_H

#include <stdbool.h>

#include "report/record/record_end.h"
#include "report/core/disk/find_files.h"

/*
 * Compares the profiles of a run with how its program ended. Adds the missing time to the program's
 * profile as a note, and prints it, unless QUIET; names the signal that ended the program. No note is
 * made if no more is missing than profiles may always lack (record_missing.c). A profile that cannot be
 * written to stays as it is.
 */
void record_missing(const struct find_files *files, const struct record_end *end, bool quiet);

#endif
