/* SPDX-License-Identifier: MIT */
/*
 * profile_since.h - what a profile counted since an earlier copy of it: the same records, with the
 * numbers of the copy taken off.
 *
 * So an interval of a run is a profile like any other, and all that follows (names, error bars,
 * functions and arcs) works on it. The program's own counters are never set back: that would need a
 * writer to wait, or lose counts.
 *
 * It works because a profile only grows: the reference of a node means the same context in both.
 */
#ifndef REPORT_PROFILE_SINCE_H
#define REPORT_PROFILE_SINCE_H

#include "report/core/read/profile_read.h"

/* Whether BASE is an earlier copy of P, or P itself; else a message. */
bool profile_since_check(const struct profile *p, const struct profile *base, struct str *err);

/*
 * Takes BASE's numbers off P's: calls, ticks, samples, waits, what is known of lent zones, losses.
 * Nodes stay, and so do the clock readings of header and threads. Calls by place and statements are
 * left out: P has none afterwards.
 */
void profile_since(struct profile *p, const struct profile *base);

/* Where `zprof reset` leaves the base of the profile at PATH; free() it. */
char *profile_since_base(const char *path);

/* The length of the profile's path in that of a base; 0: PATH is not called like one. */
size_t profile_since_is_base(const char *path);

/*
 * P becomes the profile of what came since BASE, a file, or "reset": since `zprof reset`. It begins
 * then, too.
 */
bool profile_since_file(struct profile *p, const char *base, bool anyone, struct str *err);

#endif
