/* SPDX-License-Identifier: MIT */
/*
 * contexts: keeps the zones that the guest is in, innermost last, and lends them to zprof with the
 * guest's cycles. Each event charges the cycles since the last event to the zone that was running.
 *
 * Besides cycles a guest may have a counter, such as NEXTs. And a part of its cycles may have a
 * zone of its own, below each zone in which it was spent (contexts_part).
 *
 * Invariant: for each clock, the self of all zones and of the thread sums to the clock's increase
 * between contexts_new and contexts_finish, except what other code told zprof (contexts_told).
 */
#ifndef VM_6502_CONTEXTS_H
#define VM_6502_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* The guest's clocks now; their owner sets them before each call of a contexts_ function. */
struct contexts_clock {
	uint64_t cycles, part; /* part: the cycles, of `cycles`, that have a zone of their own */
	uint64_t count;
};

/* An open zone. */
struct context_open {
	bool root;              /* nothing has called it */
	uint64_t aside, before; /* lend.h: the zones that a root put aside; 0: it is not a root */
	uint64_t part;          /* its own `part` since it was entered */
};

struct contexts_name; /* a zone by its name and place */

struct contexts {
	const struct contexts_clock *clock;
	struct contexts_clock since; /* everything is charged up to here */
	/*
	 * The counters that zprof reads: cycles without the part that zprof has not been told yet.
	 */
	struct contexts_clock lent;
	const char *counter;        /* what `count` counts; NULL: nothing */
	struct context_open *stack; /* the thread itself first */
	uint32_t depth, stack_room;
	uint64_t running; /* lend.h: the handle of the zones that run */
	uint32_t part;    /* the zone of the part; 0: there is none */
	struct contexts_name *name;
	uint32_t names, name_room;
	uint32_t newest[1024]; /* by hash: a place in `name`, from 1; 0: none */
};

/* counter: the name of what `count` counts, or NULL. NULL: out of memory. */
struct contexts *contexts_new(const struct contexts_clock *clock, const char *counter);
void contexts_free(struct contexts *z);

/*
 * The zone of that name and place. Equal texts have one zone, as when a program defines a word anew
 * in each turn of a loop. file may be NULL, line 0. 0 without zprof.
 */
uint32_t contexts_zone(struct contexts *z, const char *name, const char *group, const char *file,
		       uint32_t line);

/* From now on zprof is told the `part` of the clock, at each contexts_leave, as a callee with that
 * name. */
void contexts_part(struct contexts *z, const char *name, const char *group);

/* Calls a zone from the one that runs, at a line of its source (0: unknown), or, with root, from
 * none (interrupts). */
void contexts_enter(struct contexts *z, uint32_t zone, uint32_t line, bool root);
void contexts_leave(struct contexts *z);

/* The clocks up to now are charged to nothing, because other code has told zprof of them. */
void contexts_told(struct contexts *z);

/* Charges the clocks up to now, and leaves all zones. */
void contexts_finish(struct contexts *z);

#endif
