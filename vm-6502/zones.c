/* SPDX-License-Identifier: MIT */
/* zones: see the header; printing is in zones-print.c. */
#include "vm-6502/zones.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/lend.h"
#include "vm-6502/m6502.h"

/* Makes room for one more in an array; false: out of memory, and the array is as before. */
static M6502_HOT bool grow(void *array, uint32_t used, uint32_t *room, size_t size)
{
	void **pointer = array, *larger;
	uint32_t wanted = *room ? *room * 2 : 64;

	if (used < *room)
		return true;
	larger = realloc(*pointer, wanted * size);
	if (!larger)
		return false;
	*pointer = larger;
	*room = wanted;
	return true;
}

struct zones *zones_new(const uint64_t *cycles)
{
	struct zones *z = calloc(1, sizeof *z);

	if (!z)
		return NULL;
	z->cycles = cycles;
	z->since = *cycles;
	if (!grow(&z->node, 0, &z->room, sizeof *z->node) ||
	    !grow(&z->stack, 0, &z->stack_room, sizeof *z->stack) || zones_add(z, "(root)") != 0) {
		zones_free(z);
		return NULL;
	}
	z->node[0] = (struct zone_node){0};
	z->nodes = 1;
	z->stack[0] = (struct zone_open){0};
	z->depth = 1;
	lend_begin(cycles);
	return z;
}

void zones_free(struct zones *z)
{
	if (!z)
		return;
	lend_end();
	for (uint32_t i = 0; i < z->zones; i++)
		free(z->name[i]);
	free(z->name);
	free(z->lent);
	free(z->node);
	free(z->stack);
	free(z);
}

M6502_HOT uint32_t zones_add(struct zones *z, const char *name)
{
	uint32_t lent_room = z->zone_room;

	if (!grow(&z->lent, z->zones, &lent_room, sizeof *z->lent) ||
	    !grow(&z->name, z->zones, &z->zone_room, sizeof *z->name) ||
	    !(z->name[z->zones] = strdup(name)))
		return 0;
	z->lent[z->zones] = lend_zone(name, "6502");
	return z->zones++;
}

static M6502_HOT void charge(struct zones *z)
{
	z->node[z->stack[z->depth - 1].node].self += *z->cycles - z->since;
	z->since = *z->cycles;
}

/* The node of a zone called from a node; the caller's own where there is no more room. */
static M6502_HOT uint32_t find_node(struct zones *z, uint32_t parent, uint32_t zone)
{
	uint32_t n = z->node[parent].child;

	while (n && z->node[n].zone != zone)
		n = z->node[n].next;
	if (n)
		return n;
	if (z->nodes >= ZONES_MOST_NODES || !grow(&z->node, z->nodes, &z->room, sizeof *z->node)) {
		z->lost++;
		return parent;
	}
	n = z->nodes++;
	z->node[n] = (struct zone_node){.zone = zone, .parent = parent};
	z->node[n].next = z->node[parent].child;
	z->node[parent].child = n;
	return n;
}

M6502_HOT void zones_enter(struct zones *z, uint32_t zone, bool root)
{
	uint32_t parent = root ? 0 : z->stack[z->depth - 1].node, n;
	struct zone_open open = {.before = z->running};

	charge(z);
	n = find_node(z, parent, zone);
	if (!grow(&z->stack, z->depth, &z->stack_room, sizeof *z->stack)) {
		z->lost++;
		return;
	}
	if (n != parent)
		z->node[n].calls++;
	if (root && z->depth > 1)
		z->running = open.aside = lend_aside();
	open.node = n;
	z->stack[z->depth++] = open;
	lend_enter(z->lent[zone]);
}

M6502_HOT void zones_leave(struct zones *z)
{
	charge(z);
	if (z->depth > 1) {
		const struct zone_open *open = &z->stack[--z->depth];
		lend_leave();
		lend_back(open->before, open->aside);
		z->running = open->before;
	}
}

M6502_HOT void zones_finish(struct zones *z)
{
	charge(z);
	while (z->depth > 1)
		zones_leave(z);
}
