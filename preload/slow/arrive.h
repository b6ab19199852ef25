/* SPDX-License-Identifier: MIT */
/*
 * arrive.h - what an event begins with on the slow way: whatever has happened since the last one is
 * made good.
 *
 *     the program has forked                   crossing
 *     something is asked from outside          process/request.h
 *     the next recording has begun             crossing
 *     hooks were off, functions were chosen    awake, chosen
 *     time has passed                          charge
 *     the thread runs on another stack         stack
 *
 * in this order, since each needs what the one before has put right.
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
