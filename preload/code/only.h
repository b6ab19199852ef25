/* SPDX-License-Identifier: MIT */
/*
 * only.h - recording some functions and not others: only=PATTERNS, and choices made while the
 * program runs (zprof_watch(), zprof_unwatch(); choices.h).
 *
 * The command zprof tells which functions these are: at the start, at each choice, and when a
 * module is loaded later (resolve.h). A function that is left out is not recorded at all: its time
 * goes to the zone that called it.
 *
 *     before the first choice, without only=      nothing is asked, all functions are recorded
 *     with only=                                  `functions` are recorded, no others
 *     without only=                               `functions` are left out
 *
 * ## A choice
 *
 * A choice replaces the table `functions` as a whole, and then increments `epoch`. Each thread sees
 * the new epoch at its next event on the slow way, and brings its zone stack in line
 * (slow/chosen.h). A thread that noted a zone as left out while the epoch changed takes the note
 * back.
 *
 * The old table is freed if no thread is reading a table at that moment. If a thread is reading, or
 * a jump out of a handler has left a reading unfinished, the old table is never freed.
 */
#ifndef ZPROF_ONLY_H
#define ZPROF_ONLY_H

#include "preload/code/choices.h"
#include "preload/code/resolve.h"

#include <stdbool.h>
#include <stdint.h>

#define ONLY_CACHE 4096u

struct process;

struct only_coming {
	struct ranges *functions; /* NULL: no choice is being made */
	uint32_t end;             /* how many modules zprof was asked about */
	char *rules;
	struct zprof_choice choice;
};

struct only {
	bool active;    /* some functions are, or were, not recorded */
	uint32_t epoch; /* choices so far */
	/* a choice is being made, and its sites are not switched yet (start/choose.h) */
	bool settling;
	uint64_t ticks; /* the tick clock and CLOCK_MONOTONIC at the latest choice */
	uint64_t ns;
	struct choices choices;
	struct ranges *functions;
	struct only_coming coming; /* the table that a choice has made, not yet in force */
	uint32_t readers;          /* threads that are reading `functions` */
	uint32_t resolved;         /* how many modules zprof has been asked about */
	/* lock, 1: a thread asks zprof; others record functions not resolved yet */
	uint32_t asking;
	uint64_t *cache; /* zones found to be out, by hash */
};

/*
 * Asks zprof about the modules known now, or in a forked child takes over the parent's answers
 * (`from`, else NULL). False: asking failed, a message has been printed, and nothing should be
 * recorded.
 */
bool only_init(struct process *p, const struct process *from);

/*
 * Asks zprof about the modules that are new since the last question. If their functions cannot be
 * resolved, all are recorded, and a note in the profile says so.
 */
void only_update(struct process *p);

/*
 * Makes the table of a choice: functions that match `patterns` are recorded from now on, or are
 * not. Returns how many functions match, and the caller must then call only_take_over(). -1, after
 * a message: the table could not be made. Waits for another thread's choice, a few seconds at most.
 */
long only_prepare(struct process *p, enum zprof_choice_what what, const char *patterns);

/* Puts the table that only_prepare() has made in force. */
void only_take_over(struct process *p, const char *patterns);

/* Ends a choice: its sites have been switched. */
void only_settled(struct process *p);

/* Whether a zone is to be recorded. Call only when active. */
bool only_wants(struct process *p, uint64_t zone);

/*
 * Whether a function of a module is known not to be wanted, by the table in force and by the table
 * of a choice being made.
 */
struct module;
bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function);

/* Whether a zone is known not to be wanted; new modules are not asked about. */
bool only_has_left_out(const struct process *p, uint64_t zone);

/* Makes the cache of this process (only_cache.c). False: no memory. */
bool only_cache_make(struct only *only);
extern uint64_t *only_out;

static inline uint64_t *only_place(uint64_t *cache, uint64_t zone)
{
	return &cache[(zone * 0x9e3779b97f4a7c15u) >> 52 & (ONLY_CACHE - 1)];
}

/* Whether the zone is known not to be wanted: for the hooks, which then do nothing at all. */
static inline bool only_is_out(uint64_t zone)
{
	return *only_place(only_out, zone) == zone;
}

static inline uint32_t only_epoch(const struct only *only)
{
	return __atomic_load_n(&only->epoch, __ATOMIC_SEQ_CST);
}

/*
 * Empties the cache: after a choice, or when modules are gone, whose addresses other functions may
 * get.
 */
void only_cache_forget(struct process *p);

#endif
