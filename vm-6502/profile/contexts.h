/* SPDX-License-Identifier: MIT */
/*
 * contexts: where the guest's cycles go: a tree of calling contexts, in memory, printed at the end.
 * (What zprof does for the whole process, for a run without it; and what happens is lent to zprof
 * as it happens.)
 *
 *	(root) - main - print - putc          node: one path; calls and self cycles
 *	       |      ` putc
 *	       ` irq
 *
 * Besides cycles a guest may have a counter, NEXTs say, and a part of its cycles that it wants to
 * see on a line of its own wherever it was spent (contexts_part).
 *
 * Invariants: of each clock, self of all nodes sums to what it went up between contexts_new and
 * contexts_finish; a node's parent has a smaller index. When
 * memory or MOST_NODES is used up, a new context is counted in its caller's node, and `lost` says
 * how often.
 */
#ifndef VM_6502_CONTEXTS_H
#define VM_6502_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CONTEXTS_MOST_NODES = 1 << 20 };

/* Of the guest, at this moment; its owner sets them before each call of a contexts_ function. */
struct contexts_clock {
	uint64_t cycles, part; /* part: of the cycles */
	uint64_t count;
};

struct context_node {
	uint32_t zone, parent; /* node 0 is the root; its zone is 0 */
	uint32_t child, next;  /* first child, next of the same parent; 0: none */
	uint32_t latest;       /* the child that was called last */
	uint64_t calls;
	struct contexts_clock self;
};

struct context_open {
	uint32_t node;
	uint64_t aside, before; /* lend.h: what a root put aside; 0: it is no root */
	uint64_t part;          /* its own since it was entered */
};

struct contexts {
	const struct contexts_clock *clock;
	struct contexts_clock since; /* up to here all is charged */
	/* As zprof sees it: cycles without the part that is still to be booked. */
	struct contexts_clock lent;
	const char *counter; /* what `count` counts; NULL: nothing */
	uint64_t lost;
	struct context_node *node;
	uint32_t nodes, room;
	char **name; /* of zone i; name[0] is the root's */
	uint32_t *lent_zone;
	uint32_t zones, zone_room;
	struct context_open *stack; /* the root first */
	uint32_t depth, stack_room;
	bool lends;               /* zprof is there: some zone has a number of it */
	uint64_t running;         /* lend.h: the handle of the zones that run */
	uint32_t part, part_lent; /* the zone of the part; 0: there is none */
};

/* counter: the name of what `count` counts, or NULL. NULL: out of memory. */
struct contexts *contexts_new(const struct contexts_clock *clock, const char *counter);
void contexts_free(struct contexts *z);

/* A new zone; its number, from 1. file may be NULL, line 0. 0: out of memory. */
uint32_t contexts_add(struct contexts *z, const char *name, const char *group, const char *file,
		      uint32_t line);

/* From now on `part` of the clock is shown as if it were a callee of that name: at the end in the
 * tree, and at each contexts_leave to zprof. */
void contexts_part(struct contexts *z, const char *name, const char *group);

/* Calls a zone from the one that runs, or, with root, from nobody (interrupts). */
void contexts_enter(struct contexts *z, uint32_t zone, bool root);
void contexts_leave(struct contexts *z);

/* Adds what was counted elsewhere to the node of a zone called from another node, the root for zone
 * 0. The node's number. */
uint32_t contexts_graft(struct contexts *z, uint32_t parent, uint32_t zone, uint64_t calls,
			const struct contexts_clock *self);

/* Charges what is not yet charged, leaves everything, and gives the part nodes of its own. */
void contexts_finish(struct contexts *z);

/* A flat table and a call graph, as DESIGN's laws have it: totals count outermost activations,
 * parents' lines sum to a zone's total, children's to its total without its own. */
void contexts_print(const struct contexts *z, FILE *to);

#endif
