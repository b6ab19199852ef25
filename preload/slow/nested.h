/* SPDX-License-Identifier: MIT */
/*
 * nested.h - hook events that find `busy` set in their thread's track: the first event of a thread,
 * events of signal handlers that interrupted a hook, and the first event after a jump out of a
 * handler has abandoned a hook.
 */
#ifndef ZPROF_NESTED_H
#define ZPROF_NESTED_H

#include "preload/track/track.h"

/*
 * An event on the slow way. `track` is the track of its level, where busy is set until it is over.
 */
struct nested {
	struct track *track;
	bool was_open; /* a zone was open on that track before the event */
};

/* Finds the track for the event and sets its busy. False: the event cannot be recorded. */
bool nested_begin(struct nested *n, const struct event *e);
void nested_end(const struct nested *n, const struct event *e);

/* Records the entry or the exit of a function, from nested_begin() to nested_end(). */
void nested_enter(const struct event *e);
void nested_exit(const struct event *e);

#endif
