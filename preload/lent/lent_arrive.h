/* SPDX-License-Identifier: MIT */
/*
 * lent_arrive.h - steps that the events of lent zones (track/lent.h) have in common.
 *
 * Open zones with a lower CFA than the event's own stack frame (location.h) have been left by a
 * jump. A zone with an equal CFA is still open, whatever function the location lies in:
 * interpreters call these events from cold parts of functions, too, which the compiler makes
 * functions of their own.
 */
#ifndef ZPROF_LENT_ARRIVE_H
#define ZPROF_LENT_ARRIVE_H

#include "preload/track/lent.h"

/*
 * The first step of an event: brings the track up to date (arrive.h), charges time and counters,
 * and closes zones that a jump has left. Stores the CFA of the function that the event comes from
 * in *cfa, unless `cfa` is NULL. NULL: the event cannot be recorded.
 */
struct lent *lent_arrive(struct track *track, const struct event *e, enum lent_operation op,
			 uintptr_t *cfa);

/*
 * The innermost zone that is open. Zones with a lower CFA than `cfa`, the event's own, have been left
 * by a jump. Where functions end without a hook, the real stack tells which zones are open; and if
 * the interpreter has named its runner (zprof_lent_runner()), zones of functions between that and
 * the event are passed over.
 */
struct open_zone *lent_innermost(struct track *track, const struct event *e, uintptr_t cfa);

/* Closes the zones above that one. */
void lent_settle_frames(struct track *track, const struct event *e, uintptr_t cfa);

/* Remembers the runner of lent zones that code of the same module as `code` enters. */
void lent_set_runner(struct process *p, uintptr_t code, uintptr_t runner);

/* The CFA of the function that the event comes from. */
uintptr_t lent_locate(struct track *track, const struct event *e, enum lent_operation op);

/*
 * Enters a zone above the top, or a placeholder if the zone cannot be recorded. `serial` 0: a new
 * activation. *slow is set if this took time that should be charged to the library. True: it is the
 * zone's first entry in this context.
 */
bool lent_push(struct track *track, uint64_t zone, uint32_t site, enum lent_way way,
	       uint64_t serial, bool *slow);

/*
 * To be called after an event. Asks the program for the name of a zone made by zprof_lent_late(),
 * if it has not been asked yet and no hook is in progress. Charges the time of that to the library.
 */
void lent_ask_for_name(uint32_t id, const struct event *e);

#endif
