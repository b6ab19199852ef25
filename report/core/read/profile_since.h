/* SPDX-License-Identifier: MIT */
/*
 * profile_since.h - what a profile counted since an earlier copy of it: the same records, with the
 * numbers of the copy taken off.
 *
 * So an interval of a run is a profile like any other, with names, error bars, functions and arcs.
 * The program's own counters are never set back, because then the program would have to wait, or
 * counts would be lost.
 *
 * Subtraction works because a profile only grows: the reference of a node means the same context in
 * both copies.
 */
#ifndef REPORT_PROFILE_SINCE_H
#define REPORT_PROFILE_SINCE_H

#include "report/core/read/profile_read.h"

/* Whether BASE is an earlier copy of P, or P itself; else a message. */
bool profile_since_check(const struct profile *p, const struct profile *base, struct str *err);

/*
 * Takes BASE's numbers off P's: calls, ticks, samples, waits, counters of lent zones, losses. Nodes
 * stay, and so do the clock readings of header and threads. Calls by place and counts of statements
 * cannot be subtracted: P has none afterwards.
 */
void profile_since(struct profile *p, const struct profile *base);

/* The path at which `zprof reset` keeps the base of the profile at PATH; free() it. */
char *profile_since_base(const char *path);

/* If PATH is named as a base is, the length of its beginning that is the profile's path; else 0. */
size_t profile_since_is_base(const char *path);

/*
 * P becomes the profile of the time since BASE: a file, or "reset" for the file of the last
 * `zprof reset`. The start of P becomes that moment.
 */
bool profile_since_file(struct profile *p, const char *base, bool anyone, struct str *err);

#endif
