/* SPDX-License-Identifier: MIT */
/*
 * lent_arrive.h - what the events of lent zones (track/lent.h) have in common.
 *
 * The event's own frame (location.h) tells which frames a jump has left: those with lower CFAs. An
 * equal one is alive, whatever function the location lies in: interpreters enter and leave from
 * cold parts of functions, which the compiler makes functions of their own.
 */
#ifndef ZPROF_LENT_ARRIVE_H
#define ZPROF_LENT_ARRIVE_H

#include "preload/track/lent.h"

/*
 * What every event begins with: the right process and stack, time and counters charged, frames that
 * a jump has left gone. NULL: the event cannot be recorded. *cfa, which may be NULL, is that of the
 * function the event comes from.
 */
struct lent *lent_arrive(struct track *track, const struct event *e, enum lent_operation op,
			 uintptr_t *cfa);

/* The last of that: a jump has left what is below this CFA. */
void lent_settle_frames(struct track *track, uintptr_t cfa);

/* The same function's CFA, and nothing else. */
uintptr_t lent_locate(struct track *track, const struct event *e, enum lent_operation op);

/*
 * Enters a zone from the top; what cannot be recorded has a placeholder. `serial` 0: a new
 * activation. *slow: the library has taken time that it should charge to itself. True: its first
 * entry in this context.
 */
bool lent_push(struct track *track, uint64_t zone, uint32_t site, enum lent_way way,
	       uint64_t serial, bool *slow);

/*
 * After an event: asks the program for the name of a zone, if it has not been asked for and no hook
 * is in progress, and charges the time that it takes to the library.
 */
void lent_ask_for_name(uint32_t id, const struct event *e);

#endif
