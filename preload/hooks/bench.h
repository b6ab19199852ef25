/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what the measurements of hooks (calibrate.c, entry_price.c) have in common: a track that
 * hooks work on while they are measured, work of known length, and the loop.
 *
 * A function is called many times with hooks, and without them; the difference is the hooks'. The
 * lower quartile of several rounds counts, because disturbances only add time.
 */
#ifndef ZPROF_BENCH_H
#define ZPROF_BENCH_H

#include "preload/track/track.h"
#include "preload/tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

#define BENCH_ROUNDS 11
#define BENCH_LOWER  (BENCH_ROUNDS / 4)
#define BENCH_CALLS  150 /* in a round */

/*
 * A track and a tree of two nodes, in memory laid out like a profile's: node and twin PLANES_TWIN
 * apart. Below the caller's zone stands one that no call can end.
 */
struct bench {
	struct track track;
	struct open_zone frames[5];
	char *base;
	uint64_t (*clock)(void);
	uint64_t last;
	uint32_t current, alive;
	uint64_t random;
	uintptr_t place; /* where the hooks' arguments point */
	uint64_t call;   /* what is known of the place of a call (entry_price.c) */
};

/* Node 0 is "none"; the callee follows itself. */
enum { BENCH_CALLER = 1, BENCH_CALLEE = 2 };

/* False: no memory. `clock` gives the ticks of p->clock. */
bool bench_init(struct bench *b, struct process *p, uint64_t (*clock)(void));
void bench_fini(struct bench *b);

/*
 * The work of a function: chains of this many multiplications, from none to some 20 ns; and chains
 * of a length that the processor cannot predict, so that it mispredicts just before the exit hook.
 */
#define BENCH_BODIES 5
extern const unsigned bench_bodies[BENCH_BODIES] __attribute__((visibility("hidden")));

/* The time of one call, in thousandths of a tick. The function gets `how`, b->place and the work. */
int64_t bench_time(struct bench *b, void (*function)(const void *, void *, unsigned),
		   const void *how, unsigned body);

void bench_sort(int64_t rounds[BENCH_ROUNDS]);

#endif
