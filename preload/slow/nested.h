/* SPDX-License-Identifier: MIT */
/*
 * nested.h - hook events that find their thread's track busy: the first of a thread, those of
 * signal handlers that interrupted a hook, and the first after a hook that a jump out of a handler
 * has abandoned.
 */
#ifndef ZPROF_NESTED_H
#define ZPROF_NESTED_H

#include "preload/track/track.h"

/* An event on the slow way: on the track of its level, with busy set until it is over. */
struct nested {
	struct track *track;
	bool was_open; /* some zone was open before */
};

/* False: the event cannot be recorded. */
bool nested_begin(struct nested *n, const struct event *e);
void nested_end(const struct nested *n, const struct event *e);

void nested_enter(const struct event *e);
void nested_exit(const struct event *e);

#endif
