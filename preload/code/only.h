/* SPDX-License-Identifier: MIT */
/*
 * only.h - recording some functions and not others: only=PATTERNS, and choices made while the
 * program runs (zprof_watch(), zprof_unwatch(); choices.h).
 *
 * The command zprof names these functions at the start and at each choice, and again when a module
 * is loaded later (resolve.h). A function that is left out is not recorded at all: its time goes to
 * the zone that called it.
 *
 *     before the first choice, without only=      nothing is asked, all functions are recorded
 *     with only=                                  `functions` are recorded, no others
 *     without only=                               `functions` are left out
 *
 * ## A choice
 *
 * The table is replaced as a whole, and `epoch` goes up after that. A thread finds that it has gone
 * up at its next event on the slow way, and brings its zone stack in line (slow/chosen.h). If a
 * zone was noted as left out while the epoch went up, the thread takes that note back.
 *
 * The old table is freed if no thread is looking at a table just then. If a thread is looking, or
 * if a jump out of a handler has left a look unfinished, the table stays for good.
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
	struct ranges *functions; /* NULL: there are none */
	uint32_t end;             /* modules asked about */
	char *rules;
	struct zprof_choice choice;
};

struct only {
	bool active;    /* some functions are, or were, not recorded */
	uint32_t epoch; /* choices so far */
	/* A choice is being made, and the sites are still to follow (start/choose.h). */
	bool settling;
	uint64_t ticks; /* the tick clock and CLOCK_MONOTONIC at the latest choice */
	uint64_t ns;
	struct choices choices;
	struct ranges *functions;
	struct only_coming coming; /* the table that a choice has made, not yet in force */
	uint32_t readers;          /* threads that are reading `functions` */
	uint32_t resolved;         /* modules asked about so far */
	uint32_t asking; /* 1: a thread is asking; others record all that is not resolved yet */
	uint64_t *cache; /* zones found to be out, by hash */
};

/*
 * Resolves the modules known now, or takes over the answers of a forked child's parent (`from`,
 * else NULL). False: asking failed, a message has said so, and nothing should be recorded.
 */
bool only_init(struct process *p, const struct process *from);

/*
 * Asks about the modules that have come since. Functions that cannot be resolved are recorded, and
 * a note in the profile says so.
 */
void only_update(struct process *p);

/*
 * Makes a table by which functions that match are recorded, or not. Returns how many functions
 * match, and only_take_over() is due; -1, after a message: the table could not be made. Waits for
 * another choice, a few seconds at most.
 */
long only_prepare(struct process *p, enum zprof_choice_what what, const char *patterns);

/* Puts the table that only_prepare() has made in force. */
void only_take_over(struct process *p, const char *patterns);

/* Ends a choice: its sites have been switched. */
void only_settled(struct process *p);

/* Whether a zone is to be recorded. Call only when active. */
bool only_wants(struct process *p, uint64_t zone);

/* Whether the function at an address of a module is known not to be wanted, now or soon. */
struct module;
bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function);

/* Whether a zone is known not to be wanted; new modules are not asked about. */
bool only_has_left_out(const struct process *p, uint64_t zone);

/* The cache of this process (only_cache.c). False: no memory. */
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

/* Functions of modules that are gone: their addresses may become others'. */
void only_cache_forget(struct process *p);

#endif
