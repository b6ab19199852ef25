/* SPDX-License-Identifier: MIT */
/*
 * count_once.h - lets each process count once, however many of the files to be added up hold it.
 *
 * A folder may hold `zprof.out.4711`, a copy `base.zp` made by `zprof archive -o`, a snapshot taken
 * while the process ran, and a `cp` of any of these. A profile only grows, so one of these files
 * holds all that the others hold. That file is found by these points, of which the first that tells
 * two files apart decides:
 *
 *     1. readable (not: a damaged file, or another user's, unless the user asks for those)
 *     2. the process has ended in it
 *     3. the most calls
 *     4. written last, by the process's own clock
 *     5. with times of a second run
 *     6. archived
 *     7. the process's own profile, not a copy
 *     8. first in the list
 *
 * The other files are put into left_out[], for the heads of reports.
 *
 * A merged profile names its members, but its numbers cannot be taken apart. So if another file has
 * one of its members, too, neither file can be left out, and that is an error.
 */
#ifndef REPORT_COUNT_ONCE_H
#define REPORT_COUNT_ONCE_H

#include "report/core/disk/find_files.h"

/* ANYONE: files of other users are read. False with a message if a merged profile overlaps. */
bool count_once(struct find_files *f, bool anyone, struct str *err);

/*
 * Whether files of F hold all members of the merged profile at PATH, with all their calls: then a
 * merge of F may take its place. Each member is searched in all files, so this is for few members.
 */
bool count_once_covers(const struct find_files *f, const char *path, bool anyone);

#endif
