/* SPDX-License-Identifier: MIT */
/*
 * only.h - recording some functions and not others: only=PATTERNS.
 *
 * Which functions those are is asked at the start, and again when a module is loaded later
 * (resolve.h). A function outside is not recorded at all: its time goes to the zone that called it.
 */
#ifndef ZPROF_ONLY_H
#define ZPROF_ONLY_H

#include "preload/code/resolve.h"

#include <stdbool.h>
#include <stdint.h>

#define ONLY_CACHE 4096u

struct process;

struct only {
	bool active;
	struct ranges functions;
	uint32_t resolved; /* modules asked about so far */
	uint32_t asking;   /* 1: a thread is; others record what is not resolved yet */
	uint64_t *cache;   /* zones found to be out, by hash */
};

/*
 * Resolves the modules known now, or takes over what the parent of a forked child knew (`from`,
 * else NULL). False: it could not be done, which has been said; nothing should be recorded.
 */
bool only_init(struct process *p, const struct process *from);

/*
 * Asks about the modules that have come since. What cannot be resolved is recorded, and a note in
 * the profile says so.
 */
void only_update(struct process *p);

/* Is this zone to be recorded? Call only when active. */
bool only_wants(struct process *p, uint64_t zone);

/* Whether the function at an address of a module is known not to be wanted. */
struct module;
bool only_leaves_out(const struct process *p, const struct module *m, uintptr_t function);

/* The cache of the process at hand. */
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

/* Functions of modules that are gone: their addresses may become others'. */
void only_forget(struct process *p);

#endif
