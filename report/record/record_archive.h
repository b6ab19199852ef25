/* SPDX-License-Identifier: MIT */
/*
 * record_archive.h - archives profiles right after their run, while the program's files are those
 * that ran.
 */
#ifndef REPORT_RECORD_ARCHIVE_H
#define REPORT_RECORD_ARCHIVE_H

#include <stdbool.h>

#include "report/core/disk/find_files.h"

/*
 * Adds less than 10 MB to all files together. To keep this limit, first sources are left out, then
 * everything; a message says so, unless QUIET. A profile that cannot be written to stays as it is.
 */
void record_archive(const struct find_files *files, bool quiet);

#endif
