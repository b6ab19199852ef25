/* SPDX-License-Identifier: MIT */
/*
 * via.h - what lies between a zone and the zone that called it: code that was not instrumented.
 *
 * main calls qsort, which calls main's comparison: the zone stack says main -> compare. When a
 * context is entered for the first time, and its real caller is not the zone below it, the stack is
 * unwound from the one to the other and the return addresses are written to the profile, where a
 * report gives them names. It is done once for a pair of zones (or a few times: what was done is
 * kept in a small table), so it costs the hot path nothing.
 */
#ifndef ZPROF_VIA_H
#define ZPROF_VIA_H

#include <stdint.h>

#define VIA_SEEN 16384u

struct event;
struct track;
struct zprof_node;

/*
 * The context `node` is being entered for the first time, by event `e` in the frame `cfa`; the
 * track's top is still its parent.
 */
void via_record(struct track *track, const struct event *e, uintptr_t cfa,
		const struct zprof_node *node);

#endif
