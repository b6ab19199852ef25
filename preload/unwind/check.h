/* SPDX-License-Identifier: MIT */
/*
 * check.h - compares the zone stack with the real stack, for tests of the library: check=N.
 *
 * At every N-th hook event libunwind, which shares no code with us, walks the stack. Every open
 * zone must run in one of the frames that libunwind finds, in the same order. Events where this
 * does not hold are counted, and the first zone without a frame is noted in the profile. With
 * check=, every hook takes the slow way, so times mean little; counts and contexts do not change.
 *
 * Events of the fentry front end (fentry.c) are not compared: libunwind uses vector registers,
 * which hold the program's arguments there. Where entries are displaced (displace/displace.h), the
 * caller of each N-th call is compared with the function that holds the return address. (If that
 * function is not displaced, no zone may have its frame.)
 *
 * libunwind is loaded only with check=. The library's constructor loads it, because a later event
 * may come from a signal handler, where nothing may be loaded. Events before the constructor are
 * not compared.
 */
#ifndef ZPROF_CHECK_H
#define ZPROF_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct process;
struct track;

/* False, after a message: libunwind is missing, so nothing should be recorded. */
bool check_init(const struct process *p);

/* Compares, at every N-th event. To be called after an event, if options.check is not 0. */
void check_event(struct track *track, const struct event *e);

#endif
