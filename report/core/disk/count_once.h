/* SPDX-License-Identifier: MIT */
/*
 * count_once.h - lets each process count once, however many of the files that are to be added up
 * hold it.
 *
 * A folder may hold `zprof.out.4711`, `base.zp`, which `zprof archive -o` has made of it, a snapshot
 * from while it ran, and a `cp` of any of these. A profile only grows, so one of these files holds
 * all that the others hold. It is the one that is
 *
 *     1. readable (another user's is not, unless that is asked for; nor is a damaged one)
 *     2. ended: the process came to its end in it
 *     3. the one with the most calls
 *     4. the one that was written last, by its own clock
 *     5. the one with times of a second run
 *     6. archived
 *     7. the process's own profile, not a copy
 *     8. the first in the list
 *
 * The first of these points that tells two files apart decides. Files that are not chosen are put
 * into left_out[], for the heads of reports.
 *
 * A merged profile names its members. Its numbers cannot be taken apart, so if one of its members is
 * in another file too, none of the two can be left out, and that is an error.
 */
#ifndef REPORT_COUNT_ONCE_H
#define REPORT_COUNT_ONCE_H

#include "report/core/disk/find_files.h"

/* ANYONE: files of other users are read. False with a message if a merged profile overlaps. */
bool count_once(struct find_files *f, bool anyone, struct str *err);

/*
 * Whether files of F hold all members of the merged profile at PATH, with all their calls: then a
 * merge of F may take its place. Files are searched for each member, so this is for few of them.
 */
bool count_once_covers(const struct find_files *f, const char *path, bool anyone);

#endif
