/* SPDX-License-Identifier: MIT */
/*
 * arrive.h - the first step of every event on the slow way: brings the thread's track up to date
 * with what has happened since the thread's last event.
 *
 *     the program has forked                   crossing
 *     a request waits (`zprof attach` ...)     process/request.h
 *     the next recording has begun             crossing
 *     hooks were off, functions were chosen    awake, chosen
 *     time has passed                          charge
 *     the thread runs on another stack         stack
 *
 * The order matters: each step needs a track on which the steps before are done.
 */
#ifndef ZPROF_ARRIVE_H
#define ZPROF_ARRIVE_H

#include "preload/track/track.h"

/*
 * Makes the track right for the process and the stack that this event comes from. False: the event
 * is not to be recorded.
 */
bool arrive(struct track *track, const struct event *e);

#endif
