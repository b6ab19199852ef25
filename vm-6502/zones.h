/* SPDX-License-Identifier: MIT */
/*
 * zones: where the guest's cycles go: a tree of calling contexts, in memory, printed at the end.
 *(What zprof does for the whole process, for a run without it.)
 *
 *	(root) - main - print - putc          node: one path; calls and self cycles
 *	       |      ` putc
 *	       ` irq
 *
 * Invariants: the self cycles of all nodes sum to the cycles between zones_new and zones_finish;
 * a node's parent has a smaller index. When memory or MOST_NODES is used up, a new context is
 * counted in its caller's node, and `lost` says how often.
 */
#ifndef VM_6502_ZONES_H
#define VM_6502_ZONES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { ZONES_MOST_NODES = 1 << 20 };

struct zone_node {
	uint32_t zone, parent; /* node 0 is the root; its zone is 0 */
	uint32_t child, next;  /* first child, next of the same parent; 0: none */
	uint64_t calls, self;
};

struct zone_open {
	uint32_t node;
	uint64_t aside, before; /* lend.h: what a root put aside; 0: it is no root */
};

struct zones {
	const uint64_t *cycles;
	uint64_t since; /* cycles up to here are charged */
	uint64_t lost;
	struct zone_node *node;
	uint32_t nodes, room;
	char **name; /* of zone i; name[0] is the root's */
	uint32_t *lent;
	uint32_t zones, zone_room;
	struct zone_open *stack; /* the root first */
	uint32_t depth, stack_room;
	uint64_t running; /* lend.h: the handle of the zones that run */
};

/* cycles: the clock, read at each event. NULL: out of memory. */
struct zones *zones_new(const uint64_t *cycles);
void zones_free(struct zones *z);

/* A new zone; its number, from 1. 0: out of memory. */
uint32_t zones_add(struct zones *z, const char *name);

/* Calls a zone from the one that runs, or, with root, from nobody (interrupts). */
void zones_enter(struct zones *z, uint32_t zone, bool root);
void zones_leave(struct zones *z);

/* Charges what is not yet charged, and leaves everything. */
void zones_finish(struct zones *z);

/* A flat table and a call graph, as DESIGN's laws have it: totals count outermost activations,
 * parents' lines sum to a zone's total, children's to its total without its own. */
void zones_print(const struct zones *z, FILE *to);

#endif
