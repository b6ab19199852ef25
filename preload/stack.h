/* SPDX-License-Identifier: MIT */
/*
 * stack.h - which stack a thread runs on.
 *
 * Frames can be compared by address only within one stack, so a track knows the bounds of the stack it runs on. An event from outside is looked
 * into here: it is a forked child, or another stack.
 */
#ifndef ZPROF_STACK_H
#define ZPROF_STACK_H

#include "preload/track.h"

/* Bounds for a thread's track as it begins. */
void stack_of_thread(struct track *track);

/* Makes the track right for the process and the stack that this event comes from. False: the event is not to be recorded. */
bool stack_at_home(struct track *track, const struct event *e);

#endif
