/* SPDX-License-Identifier: MIT */
/*
 * model_reference.h - what a profile must hold after a sequence of events, computed without the
 * library's methods: no addresses, no predictions, no repairs of half-done work.
 *
 * Every activation of a zone has a number (uid). At an event the reference is told which
 * activations are really open; what it had as open beyond that has been jumped over. Time between
 * two events goes to the zone that it had as current.
 *
 * Levels: a handler that interrupts a hook counts above the zone that was current, on a level of
 * its own; what it took, from its first event to its last, is not the interrupted hook's.
 */
#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_DEPTH = 128, REF_CONTEXTS = 60000, REF_LEVELS = 8, REF_STACKS = 4, REF_ZONES = 7 };

struct ref_zone {
	unsigned uid;
	int zone;
	bool alternate; /* it runs on the signal stack */
};

struct ref_line {
	int count;
	struct ref_zone zone[REF_DEPTH];
};

struct ref_context {
	int parent, zone;
	int child[REF_ZONES]; /* 0: none */
	uint64_t calls, self, lib_calls, lib_self;
};

/* The contexts of the threads that had the same first zone. [0] is the root. */
struct ref_lineage {
	int first_zone;
	bool used;
	int count;
	struct ref_context *context;
	int open; /* zones that its last thread left open when it ended */
};

struct ref_level {
	struct ref_line line;
	int base; /* the context below the line */
	uint64_t last, since, stolen;
};

struct ref {
	struct ref_lineage lineages[REF_ZONES];
	struct ref_lineage *lineage;        /* of the current thread */
	struct ref_line stacks[REF_STACKS]; /* all but the one that the thread seems to run on */
	int stack;                          /* the one that it seems to run on */
	struct ref_level level[REF_LEVELS];
	uint64_t jumps, switches, hooks;
	bool forgotten; /* what was open on that stack is gone */
	bool newborn;   /* forked, with no event yet */
};

extern struct ref ref;

int ref_child(struct ref_lineage *l, int parent, int zone);

/* The context a level is in. */
int ref_current(int level);

/* A thread begins, on its own stack (0, 1) or where a coroutine goes on (2, 3). */
void ref_thread(uint64_t ticks, int zone, int stack);

/* An event: the clock, and what is open just then. `stack` counts at level 0 only. */
void ref_arrive(int level, uint64_t ticks, int stack, const struct ref_line *truth);
void ref_enter(int level, struct ref_zone zone);
void ref_leave(int level);
/* The hook is over: what handlers took meanwhile comes off the zone that is current now. */
void ref_settle(int level);

/* An event finds that a hook of this level was abandoned half-way. */
void ref_recover(int level, uint64_t ticks);

/* A stack is used for something else; no thread runs on it. */
void ref_forget(int stack);

/* A forked child: the same zones are open, and nothing is counted. */
void ref_fork(void);

#endif
