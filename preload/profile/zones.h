/* SPDX-License-Identifier: MIT */
/*
 * zones.h - zones with names of their own: the names, by id.
 *
 * The names live in a table in private memory, which grows by chunks, and are copied into each
 * profile. A forked child inherits the table, so an id that the program has in its variables means
 * the same zone in the child's profile. An id is a place in the table, and is claimed by one
 * compare-and-swap, so no thread waits. A name may reach the file a moment after its zone is used.
 * That is harmless, because nothing can read the file as a whole in that moment.
 *
 * Registering zones begins no recording: a process that enters no zone leaves no profile.
 *
 *     chunk[id / n][id % n] -> { record: the name as in the profile, or NULL;
 *                                describe: knows the name }
 */
#ifndef ZPROF_ZONES_H
#define ZPROF_ZONES_H

#include <stdbool.h>
#include <stdint.h>

#define ZONES_MAX     (1u << 20)
#define ZONES_UNKNOWN 2u /* the zone `(unknown)`, for ids that mean nothing */

struct process;
struct zprof_function;
struct zprof_mark;
struct zprof_section;
struct zprof_zone;

/* The part of a process that knows which zones are in its profile. */
struct zones {
	/* a section with room left; NULL: none, or a thread writes in it */
	struct zprof_section *section;
	/* a bit for each id whose name is in the profile, or being written */
	uint64_t *offered;
	uint32_t writing; /* how many names are being written */
};

/* Writes all zones there are into a profile that begins. False: no memory. */
bool zones_begin(struct process *p);

/* Writes the zones that were registered while the profile began, and have not been written. */
void zones_catch_up(struct process *p);

/* At the end: counts the names that a jump kept from being written. */
void zones_close(struct process *p);

/* The id of a zone marked by hand: given out at its first use, and stored in the mark. */
uint32_t zones_of_mark(struct zprof_mark *mark);

/*
 * A new zone; ZONES_UNKNOWN when there is no room, and the loss is counted. zones_lend_late() asks
 * `describe` for the name later.
 */
uint32_t zones_lend(const struct zprof_function *function);
uint32_t zones_lend_late(void (*describe)(void *context, struct zprof_function *function),
			 void *context);

/*
 * Whether an id is a lent zone's; whether an id is that of a zone marked by hand (private or
 * public).
 */
bool zones_lent(uint32_t id);
bool zones_by_hand(uint32_t id);

/* The record of the zone with an id; NULL: there is none yet, or the id means nothing. */
const struct zprof_zone *zones_record(uint32_t id);

/* Whether an id is that of a zone whose name has not been asked for yet. */
bool zones_late(uint32_t id);

/*
 * zones_describe() asks for a name that has not been asked for, zones_describe_all() for all such
 * names. Both call the program: no hook may be in progress on this track.
 */
void zones_describe(uint32_t id);
void zones_describe_all(void);

#endif
