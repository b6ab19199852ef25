/* SPDX-License-Identifier: MIT */
/* forth-lend: see the header. */
#include "vm-6502/profile/forth-lend.h"

#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-profile.h"
#include "vm-6502/profile/grow.h"
#include "vm-6502/profile/lend.h"

/*
 * Counts are handed over at every 100th of zprof's questions (a thousand a second). For every 50
 * nodes of the tree one more question is waited for, so that large trees do not take too long.
 */
enum { LOOKS = 100, NODES_PER_LOOK = 50 };

enum { CYCLES, NEXTS }; /* counters, as contexts_new adds them */

struct forth_lend_told {
	uint64_t calls, next_calls;
	uint64_t cycles, part, nexts; /* its own; part: what NEXT took */
};

bool forth_lend_init(struct forth_lend *l, struct forth_words *words, struct contexts *zones,
		     struct zprof_asking *asking)
{
	*l = (struct forth_lend){.words = words,
				 .zones = zones,
				 .asking = asking,
				 .place = &words->root,
				 .recorded = true};
	return lend_counts(asking);
}

void forth_lend_fini(struct forth_lend *l)
{
	free(l->told);
	free(l->context);
}

static bool make_room(struct forth_lend *l)
{
	uint32_t nodes = l->words->nodes + 1;

	while (l->told_room < nodes) {
		uint32_t had = l->told_room;
		if (!grow(&l->told, had, &l->told_room, sizeof *l->told))
			return false;
		memset(l->told + had, 0, (l->told_room - had) * sizeof *l->told);
	}
	while (l->context_room < 2 * nodes) {
		if (!grow(&l->context, l->context_room, &l->context_room, sizeof *l->context))
			return false;
	}
	return true;
}

/* ---- where the guest is */

/* The open words, outermost first; if they are nested too deeply, only the outer ones. */
static size_t find_path(struct forth_lend *l)
{
	struct forth_words_node *n;
	size_t depth = 0, at;

	for (n = l->words->now; n != &l->words->root; n = n->parent)
		depth++;
	at = depth;
	for (n = l->words->now; n != &l->words->root; n = n->parent) {
		if (--at >= FORTH_LEND_DEEPEST)
			continue;
		l->node[at] = n;
		l->path[at] = n->zone;
	}
	return depth < FORTH_LEND_DEEPEST ? depth : FORTH_LEND_DEEPEST;
}

/* told: zprof counts the words that a path enters as calls, so these are not handed over later. */
static void give_path(struct forth_lend *l, bool told)
{
	size_t depth = find_path(l), stay = lend_path(l->asking, l->path, depth);

	for (size_t i = stay; told && i < depth; i++)
		l->told[l->node[i]->number].calls++;
	l->place = l->words->now;
}

/* ---- what has been counted */

/*
 * Takes a node's numbers in, with its callees' in them; take_out() subtracts them from its caller.
 */
static void take_in(void *context, struct forth_words_node *n)
{
	struct forth_lend *l = context;
	struct zprof_counted *c = &l->context[2 * n->number], *caller;

	c[0] = (struct zprof_counted){.caller =
					  n->parent == &l->words->root ? 0 : 2 * n->parent->number,
				      .zone = n->zone,
				      .calls = n->calls,
				      .counter = {[CYCLES] = n->cycles, [NEXTS] = n->nexts}};
	c[1] = (struct zprof_counted){.caller = 2 * n->number,
				      .zone = l->zones->part,
				      .calls = n->calls,
				      .counter = {[CYCLES] = n->over}};
	caller = &l->context[2 * n->parent->number];
	caller->counter[CYCLES] -= n->cycles;
	caller->counter[NEXTS] -= n->nexts;
}

static void take_in_root(struct forth_lend *l)
{
	const struct forth_words_node *root = &l->words->root;

	l->context[0] =
	    (struct zprof_counted){.counter = {[CYCLES] = root->cycles, [NEXTS] = root->nexts}};
	l->context[1] = (struct zprof_counted){
	    .zone = l->zones->part, .calls = 1, .counter = {[CYCLES] = root->over}};
}

static void subtract(uint64_t *now, uint64_t *told)
{
	uint64_t all = *now;

	*now -= *told;
	*told = all;
}

/* Reduces a node's numbers to those that zprof has not been told, and notes them as told. */
static void leave_new(struct zprof_counted c[2], struct forth_lend_told *told)
{
	uint64_t part = c[0].counter[NEXTS] * FORTH_NEXT_CYCLES + c[1].counter[CYCLES];

	c[0].counter[CYCLES] -= part;
	c[1].counter[CYCLES] = part;
	if (!part)
		c[1].calls = 0;
	subtract(&c[0].calls, &told->calls);
	subtract(&c[0].counter[CYCLES], &told->cycles);
	subtract(&c[0].counter[NEXTS], &told->nexts);
	subtract(&c[1].calls, &told->next_calls);
	subtract(&c[1].counter[CYCLES], &told->part);
}

/* Finds the numbers of all nodes to be told, and notes them as told. The root's own are left to
 * forth_lend_finish. */
static void find_new(struct forth_lend *l)
{
	forth_words_finish(l->words);
	take_in_root(l);
	forth_words_each(l->words, take_in, l);
	for (uint32_t i = 1; i <= l->words->nodes; i++)
		leave_new(&l->context[2 * i], &l->told[i]);
	l->looks = 0;
}

/*
 * Hands over the array without its first element, so that a node's place, counted from 1, is twice
 * its number.
 */
static void hand_over(struct forth_lend *l)
{
	find_new(l);
	l->context[1] = (struct zprof_counted){0};
	lend_add(l->context + 1, 2 * l->words->nodes + 1);
}

void forth_lend_place(struct forth_lend *l)
{
	bool asked = zprof_lent_asks(l->asking), recorded;

	if ((!asked && l->place == l->words->now) || !make_room(l))
		return;
	recorded = lend_recorded();
	if (recorded && l->recorded) {
		give_path(l, true);
		l->looks += asked;
		if (l->looks > LOOKS + l->words->nodes / NODES_PER_LOOK)
			hand_over(l);
	} else if (recorded) {
		find_new(l); /* drops what was counted during a pause */
		give_path(l, false);
	} else if (l->recorded) {
		hand_over(l);
	}
	l->recorded = recorded;
}

void forth_lend_finish(struct forth_lend *l)
{
	if (!l->recorded || !make_room(l))
		return;
	give_path(l, true);
	find_new(l);
	leave_new(&l->context[0], &l->told[0]);
	lend_add(l->context + 1, 2 * l->words->nodes + 1);
	/* Outside all zones: the thread's own, which goes into the counters' variables. */
	l->zones->lent.cycles += l->context[0].counter[CYCLES];
	l->zones->lent.count += l->context[0].counter[NEXTS];
}
