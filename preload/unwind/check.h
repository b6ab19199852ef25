/* SPDX-License-Identifier: MIT */
/*
 * check.h - compares the zone stack with the real one: check=N.
 *
 * At every N-th hook event the stack is walked by libunwind, which shares no code with us, and
 * every open zone must run in one of the frames it finds, in the same order. What does not agree is
 * counted, and the first place is noted in the profile. With check on, every hook takes the slow
 * way, so times mean little; counts and contexts are what they are without.
 *
 * Events of the fentry front end (fentry.c) are left out: libunwind uses vector registers, and
 * there they hold the program's arguments.
 *
 * libunwind is loaded only when it is asked for, by a constructor of the library's, since loading
 * it later might happen in a signal handler. Events before that are not compared.
 */
#ifndef ZPROF_CHECK_H
#define ZPROF_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct event;
struct process;
struct track;

/* False, after a message: libunwind is not there, and nothing should be recorded. */
bool check_init(const struct process *p);

/* Call after an event has been dealt with, when options.check is not 0. */
void check_event(struct track *track, const struct event *e);

#endif
