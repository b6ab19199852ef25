/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - clock=adaptive: every call is counted, and of a node's segments only so many are
 * timed that its time is known well enough.
 *
 * A *segment* is the stretch between two hook events of a thread; it belongs to the node that is
 * current meanwhile. Reading the clock costs several times what counting does, so a function that
 * is called a hundred million times is timed once in a while only:
 *
 *     events     |     |     |     |     |     |     |     |     |     |     |
 *     segments     tick  tick  main  tick  main  tick  main  tick  main  tick
 *     timed                    ####              ####                    ####      of main: all
 *                                    ####                                          of tick: 1 in 4
 *
 * Whether a segment will be timed is decided before it begins, so its length can have no part in
 * it; one chosen with a chance of 1 in N counts for N. So the sum is right on average, whatever the
 * program does (Horvitz and Thompson, 1952), and its variance is known from the same segments. The
 * choice is stratified: of every N segments of a node exactly one is timed, at random.
 *
 * A node begins with N = 1, and stays there while it is rare, or while its segments are so long
 * that the clock costs nothing beside them. Otherwise N doubles after so many timed segments, up to
 * 128; from what came before, never from the segment at hand, which is what keeps the sum unbiased.
 *
 * Nothing of this is done in the hooks' usual path but counting a number down in the twin (cct.h):
 * how many segments to let pass. The rest is here, and in a third plane, the *plan*.
 *
 * What is slow anyway (a new context, a jump to be repaired, a signal handler within a hook) is
 * timed always, with a weight of 1, outside the plan: also decided beforehand.
 *
 * throttle= uses the same means for another end: everything is timed, but for nodes whose segments
 * have shown to be shorter than asked for; these are not timed any more, and marked.
 */
#ifndef ZPROF_ESTIMATE_H
#define ZPROF_ESTIMATE_H

#include "preload/file.h"
#include "preload/format.h"

#include <stdbool.h>
#include <stdint.h>

struct process;
struct track;

struct plan {
	uint16_t rest;  /* segments of the stratum at hand that remain after the next to be timed */
	uint16_t timed; /* segments since N became what it is */
	uint32_t ticks; /* that they took, at most 2^32 - 1 */
};

_Static_assert(sizeof(struct plan) == ZPROF_NODE_BYTES / 4, "a plan for every node: FILE_PLANS");

static inline struct plan *plan_of(char *base, const struct zprof_node *node)
{
	return (struct plan *)(base + FILE_PLANS + ((uintptr_t)node - (uintptr_t)base) / 4);
}

/* Whether the process's options ask for any of this. */
bool estimate_wanted(const struct process *p);

/* The current segment, of `node`, ends after `elapsed` ticks: charges what it counts for. */
void estimate_charge(struct track *k, struct zprof_node *node, uint64_t elapsed);

/* A segment of `node` begins: decides what it will count for. The clock has been read. */
void estimate_next(struct track *k, struct zprof_node *node);

#endif
