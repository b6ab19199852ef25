/* SPDX-License-Identifier: MIT */
/* contexts: see the header; printing is in contexts-print.c. */
#include "vm-6502/profile/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/grow.h"
#include "vm-6502/profile/lend.h"
#include "vm-6502/cpu/m6502.h"

struct contexts *contexts_new(const struct contexts_clock *clock, const char *counter)
{
	struct contexts *z = calloc(1, sizeof *z);

	if (!z)
		return NULL;
	z->clock = clock;
	z->since = z->lent = *clock;
	z->counter = counter;
	if (!grow(&z->node, 0, &z->room, sizeof *z->node) ||
	    !grow(&z->stack, 0, &z->stack_room, sizeof *z->stack) ||
	    contexts_add(z, "(root)", "", NULL, 0) != 0) {
		contexts_free(z);
		return NULL;
	}
	z->node[0] = (struct context_node){0};
	z->nodes = 1;
	z->stack[0] = (struct context_open){.began = clock->cycles};
	z->depth = 1;
	z->plain = !z->lends && !counter;
	lend_begin("cycles", &z->lent.cycles);
	if (counter)
		lend_begin(counter, &z->lent.count);
	return z;
}

void contexts_free(struct contexts *z)
{
	if (!z)
		return;
	lend_end("cycles");
	if (z->counter)
		lend_end(z->counter);
	for (uint32_t i = 0; i < z->zones; i++)
		free(z->zone[i].name);
	free(z->zone);
	free(z->node);
	free(z->stack);
	free(z);
}

M6502_HOT uint32_t contexts_add(struct contexts *z, const char *name, const char *group,
				const char *file, uint32_t line)
{
	struct context_zone zone = {.name = strdup(name)};

	if (!zone.name || !grow(&z->zone, z->zones, &z->zone_room, sizeof *z->zone)) {
		free(zone.name);
		return 0;
	}
	if (!z->plain)
		zone.lent = lend_zone(name, group, file, line);
	z->lends |= zone.lent != 0;
	z->zone[z->zones] = zone;
	return z->zones++;
}

void contexts_stands(struct contexts *z, uint32_t zone)
{
	z->zone[zone].stands = true;
}

void contexts_part(struct contexts *z, const char *name, const char *group)
{
	z->part = contexts_add(z, name, group, NULL, 0);
	z->part_lent = z->part ? z->zone[z->part].lent : 0;
}

static M6502_HOT void charge(struct contexts *z)
{
	struct context_open *open = &z->stack[z->depth - 1];
	struct contexts_clock *self = &z->node[open->node].self;
	uint64_t cycles = z->clock->cycles, part = z->clock->part, count = z->clock->count;

	cycles -= z->since.cycles;
	z->since.cycles += cycles;
	self->cycles += cycles;
	z->lent.cycles += cycles;
	/* If part and count have not changed, that is all. */
	if (part == z->since.part && count == z->since.count)
		return;
	part -= z->since.part;
	count -= z->since.count;
	z->since.part += part;
	z->since.count += count;
	self->part += part;
	self->count += count;
	open->part += part;
	z->lent.cycles -= part;
	z->lent.count += count;
}

M6502_HOT uint32_t contexts_child(struct contexts *z, uint32_t parent, uint32_t zone)
{
	uint32_t n = z->node[parent].latest[zone % CONTEXTS_LATEST];

	if (n && z->node[n].zone == zone)
		return n;
	n = z->node[parent].child;
	while (n && z->node[n].zone != zone)
		n = z->node[n].next;
	if (n)
		return z->node[parent].latest[zone % CONTEXTS_LATEST] = n;
	if (z->nodes >= CONTEXTS_MOST_NODES ||
	    !grow(&z->node, z->nodes, &z->room, sizeof *z->node)) {
		z->lost++;
		return parent;
	}
	n = z->nodes++;
	z->node[n] = (struct context_node){.zone = zone, .parent = parent, .least = UINT64_MAX};
	z->node[n].next = z->node[parent].child;
	z->node[parent].child = n;
	return n;
}

M6502_HOT uint32_t contexts_graft(struct contexts *z, uint32_t parent, uint32_t zone,
				  uint64_t calls, const struct contexts_clock *self)
{
	uint32_t n = zone ? contexts_child(z, parent, zone) : 0;

	z->node[n].calls += calls;
	z->node[n].self.cycles += self->cycles;
	z->node[n].self.part += self->part;
	z->node[n].self.count += self->count;
	z->since.cycles += self->cycles;
	z->since.part += self->part;
	z->since.count += self->count;
	return n;
}

M6502_HOT void contexts_enter(struct contexts *z, uint32_t zone, bool root)
{
	uint32_t parent = root ? 0 : z->stack[z->depth - 1].node, n;
	struct context_open open = {.root = root, .before = z->running, .began = z->clock->cycles};

	if (!z->plain)
		charge(z);
	n = contexts_child(z, parent, zone);
	if (!grow(&z->stack, z->depth, &z->stack_room, sizeof *z->stack)) {
		z->lost++;
		return;
	}
	if (n != parent)
		z->node[n].calls++;
	if (root && z->lends && z->depth > 1)
		z->running = open.aside = lend_aside();
	open.node = n;
	z->stack[z->depth++] = open;
	if (z->lends)
		lend_enter(z->zone[zone].lent);
}

/* Tells zprof about the part of the zone that is about to be left. */
static M6502_HOT void lend_part(struct contexts *z, const struct context_open *open)
{
	if (!open->part)
		return;
	if (z->part_lent)
		lend_enter(z->part_lent);
	z->lent.cycles += open->part;
	if (z->part_lent)
		lend_leave();
}

M6502_HOT void contexts_pass(struct contexts *z, uint64_t cycles)
{
	for (uint32_t i = 0; i < z->depth; i++)
		z->stack[i].began += cycles;
}

M6502_HOT void contexts_leave(struct contexts *z)
{
	if (z->plain) {
		if (z->depth > 1)
			contexts_return(z, z->clock->cycles);
		return;
	}
	charge(z);
	if (z->depth > 1) {
		const struct context_open *open = &z->stack[--z->depth];
		uint64_t cycles = z->clock->cycles - open->began;
		contexts_extremes(&z->node[open->node], cycles, cycles);
		if (open->root)
			contexts_pass(z, cycles);
		if (!z->lends)
			return;
		lend_part(z, open);
		lend_leave();
		lend_back(open->before, open->aside);
		z->running = open->before;
	}
}

/* Moves the part out of each node into a child. */
static void split(struct contexts *z)
{
	uint32_t nodes = z->nodes;

	for (uint32_t n = 0; z->part && n < nodes; n++) {
		struct contexts_clock self = z->node[n].self;
		uint32_t child = self.part ? contexts_child(z, n, z->part) : n;
		if (child == n)
			continue;
		z->node[n].self.cycles -= self.part;
		z->node[n].self.part = 0;
		z->node[child].self.cycles += self.part;
		z->node[child].calls += self.count;
	}
}

M6502_HOT void contexts_finish(struct contexts *z)
{
	if (!z->plain)
		charge(z);
	while (z->depth > 1)
		contexts_leave(z);
	if (z->plain) {
		z->node[0].self.cycles += z->clock->cycles - z->stack[0].began;
		return;
	}
	lend_part(z, &z->stack[0]);
	split(z);
}
