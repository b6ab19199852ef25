/* SPDX-License-Identifier: MIT */
/* contexts: see the header. */
#include "vm-6502/profile/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/grow.h"
#include "vm-6502/profile/lend.h"
#include "vm-6502/cpu/m6502.h"

struct contexts_name {
	char *name, *group, *file;
	uint32_t line, zone;
	uint32_t older; /* of the same hash; 0: none */
};

struct contexts *contexts_new(const struct contexts_clock *clock, const char *counter)
{
	struct contexts *z = calloc(1, sizeof *z);

	if (!z || !grow(&z->stack, 0, &z->stack_room, sizeof *z->stack)) {
		free(z);
		return NULL;
	}
	z->clock = clock;
	z->since = z->lent = *clock;
	z->counter = counter;
	z->stack[0] = (struct context_open){0};
	z->depth = 1;
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
	for (uint32_t i = 0; i < z->names; i++) {
		free(z->name[i].name);
		free(z->name[i].group);
		free(z->name[i].file);
	}
	free(z->name);
	free(z->stack);
	free(z);
}

static uint32_t *hash_of(struct contexts *z, const char *name, uint32_t line)
{
	uint32_t hash = line;

	while (*name)
		hash = hash * 31 + (uint8_t)*name++;
	return &z->newest[hash % (sizeof z->newest / sizeof *z->newest)];
}

uint32_t contexts_zone(struct contexts *z, const char *name, const char *group, const char *file,
		       uint32_t line)
{
	uint32_t *newest = hash_of(z, name, line);
	const char *place = file ? file : "";
	struct contexts_name new = {.line = line, .older = *newest};

	for (uint32_t i = *newest; i; i = z->name[i - 1].older) {
		const struct contexts_name *n = &z->name[i - 1];
		if (n->line == line && strcmp(n->name, name) == 0 && strcmp(n->group, group) == 0 &&
		    strcmp(n->file, place) == 0)
			return n->zone;
	}
	new.zone = lend_zone(name, group, file, line);
	if (!new.zone || !grow(&z->name, z->names, &z->name_room, sizeof *z->name))
		return new.zone;
	new.name = strdup(name);
	new.group = strdup(group);
	new.file = strdup(place);
	z->name[z->names] = new;
	if (new.name &&new.group &&new.file)
		*newest = z->names + 1;
	z->names++;
	return new.zone;
}

void contexts_part(struct contexts *z, const char *name, const char *group)
{
	z->part = contexts_zone(z, name, group, NULL, 0);
}

static void charge(struct contexts *z)
{
	struct context_open *open = &z->stack[z->depth - 1];
	uint64_t part = z->clock->part - z->since.part;

	z->lent.cycles += z->clock->cycles - z->since.cycles - part;
	z->lent.count += z->clock->count - z->since.count;
	open->part += part;
	z->since = *z->clock;
}

void contexts_enter(struct contexts *z, uint32_t zone, uint32_t line, bool root)
{
	struct context_open open = {.root = root, .before = z->running};

	charge(z);
	if (!grow(&z->stack, z->depth, &z->stack_room, sizeof *z->stack))
		return;
	if (root && z->depth > 1)
		z->running = open.aside = lend_aside();
	z->stack[z->depth++] = open;
	lend_enter(zone, line);
}

/* Tells zprof about the part of the zone that is about to be left. */
static void lend_part(struct contexts *z, const struct context_open *open)
{
	if (!open->part)
		return;
	lend_enter(z->part, 0);
	z->lent.cycles += open->part;
	lend_leave();
}

void contexts_leave(struct contexts *z)
{
	const struct context_open *open;

	charge(z);
	if (z->depth == 1)
		return;
	open = &z->stack[--z->depth];
	lend_part(z, open);
	lend_leave();
	lend_back(open->before, open->aside);
	z->running = open->before;
}

void contexts_told(struct contexts *z)
{
	z->since = *z->clock;
}

void contexts_finish(struct contexts *z)
{
	charge(z);
	while (z->depth > 1)
		contexts_leave(z);
	lend_part(z, &z->stack[0]);
}
