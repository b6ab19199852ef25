/* SPDX-License-Identifier: MIT */
/*
 * contexts: where the guest's cycles go: a tree of calling contexts, in memory, printed at the end.
 * (It does for the guest what zprof does for a process, also without zprof; with zprof, events are
 * lent to it as they happen.)
 *
 *	(root) - main - print - putc          node: one path; calls and self cycles
 *	       |      ` putc
 *	       ` irq
 *
 * Besides cycles a guest may have a counter, such as NEXTs, and a part of its cycles that has a
 * line of its own wherever it was spent (contexts_part).
 *
 * Two ways to book time. If zprof or a second clock needs it at once, each event charges what has
 * passed to the zone that runs. Otherwise (`plain`) a call's cycles are added to its zone and taken
 * from the one below it on the stack when it is left, which is half the work: contexts_call() and
 * contexts_return() do that inline, some three nanoseconds each.
 *
 * Invariants: for each clock, the self of all nodes sums to its increase between contexts_new and
 * contexts_finish; a node's parent has a smaller index. When memory or MOST_NODES is used up, a new
 * context is counted in its caller's node, and `lost` says how often.
 */
#ifndef VM_6502_CONTEXTS_H
#define VM_6502_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vm-6502/cpu/m6502.h"

enum { CONTEXTS_MOST_NODES = 1 << 20, CONTEXTS_LATEST = 4 };

/* Of the guest, at this moment; its owner sets them before each call of a contexts_ function. */
struct contexts_clock {
	uint64_t cycles, part; /* part: those of the cycles that are booked apart */
	uint64_t count;
};

struct context_node {
	uint32_t zone, parent;            /* node 0 is the root; its zone is 0 */
	uint32_t child, next;             /* first child, next of the same parent; 0: none */
	uint32_t latest[CONTEXTS_LATEST]; /* children by their zones: the ones called last */
	uint64_t calls;
	uint64_t least, most; /* cycles of a call, all it called included; most 0: not known */
	struct contexts_clock self;
};

struct context_zone {
	char *name;
	uint32_t lent; /* zprof's number */
	bool stands;   /* it stands for what its caller does itself */
};

struct context_open {
	uint32_t node;
	bool root;              /* nothing has called it */
	uint64_t began;         /* the cycle when it was entered, plus what roots took meanwhile */
	uint64_t aside, before; /* lend.h: what a root put aside; 0: it is not a root */
	uint64_t part;          /* its own since it was entered */
};

struct contexts {
	const struct contexts_clock *clock;
	struct contexts_clock since; /* everything is charged up to here */
	/* As zprof sees it: cycles without the part that is still to be booked. */
	struct contexts_clock lent;
	const char *counter; /* what `count` counts; NULL: nothing */
	uint64_t lost;
	struct context_node *node;
	uint32_t nodes, room;
	struct context_zone *zone; /* zone[0] is the root's */
	uint32_t zones, zone_room;
	struct context_open *stack; /* the root first */
	uint32_t depth, stack_room;
	bool plain;               /* see above */
	bool lends;               /* zprof is there: some zone has a number from it */
	uint64_t running;         /* lend.h: the handle of the zones that run */
	uint32_t part, part_lent; /* the zone of the part; 0: there is none */
};

/* counter: the name of what `count` counts, or NULL. NULL: out of memory. */
struct contexts *contexts_new(const struct contexts_clock *clock, const char *counter);
void contexts_free(struct contexts *z);

/* A new zone; its number, from 1. file may be NULL, line 0. 0: out of memory. */
uint32_t contexts_add(struct contexts *z, const char *name, const char *group, const char *file,
		      uint32_t line);

/*
 * The zone stands for what its callers do themselves, as a bucket below a word does. The report
 * says of a caller with no other time that all its time is there.
 */
void contexts_stands(struct contexts *z, uint32_t zone);

/* From now on `part` of the clock is shown as if it were a callee of that name: at the end in the
 * tree, and at each contexts_leave to zprof. */
void contexts_part(struct contexts *z, const char *name, const char *group);

/* Calls a zone from the one that runs, or, with root, from none (interrupts). */
void contexts_enter(struct contexts *z, uint32_t zone, bool root);
void contexts_leave(struct contexts *z);

/* The node of a zone called from a node; the caller's own node if there is no more room. */
uint32_t contexts_child(struct contexts *z, uint32_t parent, uint32_t zone);

/* The shortest and the longest of some calls. */
static inline M6502_HOT void contexts_extremes(struct context_node *node, uint64_t least,
					       uint64_t most)
{
	if (least < node->least)
		node->least = least;
	if (most > node->most)
		node->most = most;
}

/* A root has been left; takes its cycles away from those that it interrupted. */
void contexts_pass(struct contexts *z, uint64_t cycles);

/*
 * contexts_enter() and contexts_leave() of a plain tree, for zones that are not roots. False: this
 * one needs more work, and nothing has happened.
 */
static inline M6502_HOT bool contexts_call(struct contexts *z, uint32_t zone, uint64_t cycles)
{
	uint32_t parent = z->stack[z->depth - 1].node;
	uint32_t n = z->node[parent].latest[zone % CONTEXTS_LATEST];

	if (z->depth == z->stack_room || !n || z->node[n].zone != zone)
		return false;
	z->node[n].calls++;
	z->stack[z->depth].node = n;
	z->stack[z->depth].root = false;
	z->stack[z->depth++].began = cycles;
	return true;
}

static inline M6502_HOT void contexts_return(struct contexts *z, uint64_t cycles)
{
	const struct context_open *open = &z->stack[--z->depth];
	struct context_node *node = &z->node[open->node];

	cycles -= open->began;
	node->self.cycles += cycles;
	if (__builtin_expect(open->root, 0))
		contexts_pass(z, cycles);
	else
		z->node[open[-1].node].self.cycles -= cycles;
	contexts_extremes(node, cycles, cycles);
}

/* Adds what was counted elsewhere to the node of a zone called from another node, the root for zone
 * 0. The node's number. */
uint32_t contexts_graft(struct contexts *z, uint32_t parent, uint32_t zone, uint64_t calls,
			const struct contexts_clock *self);

/* Charges what is not yet charged, leaves everything, and gives the part nodes of its own. */
void contexts_finish(struct contexts *z);

/* A flat table and a call graph, by the laws in ARCHITECTURE.md: totals count outermost
 * activations, parents' lines sum to a zone's total, children's to its total without its own. */
void contexts_print(const struct contexts *z, FILE *to);

#endif
