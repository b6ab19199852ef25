/* SPDX-License-Identifier: MIT */
/*
 * model_world.h - what is really open in the made-up program, on which of its stacks: what the
 * library has to find out, and the reference is told.
 */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "tests/unit/model.h"
#include "tests/unit/model_reference.h"

enum {
	WORLD_DEPTH = 40,
	WORLD_STACK_BYTES = 1 << 20,
	WORLD_NEVER = 99, /* a level that is not jumped to */
};

struct entry {
	unsigned uid;
	int place;
	uintptr_t cfa, sp;
	bool alternate; /* on the signal stack */
};

/* The zones really open on a stack, or in a handler that interrupted a hook. */
struct line {
	int count;
	struct entry entry[WORLD_DEPTH];
	uintptr_t start; /* the stack pointer before the first */
	bool alternate;
	bool jumped; /* since the last event */
	int same_place; /* the place to be entered next, since it was left while its host was not; -1 */
	bool same_zone; /* and what is on top, in the same frame, is of the zone that was left */
};

struct world {
	struct line stack[REF_STACKS]; /* 0, 1: threads' own; 2, 3: coroutines' */
	int own, on;                   /* the thread's own; the one it is on */
	struct line *line[REF_LEVELS]; /* of each level at hand */
	bool on_alternate[REF_LEVELS]; /* the hook at hand runs there */
	int limit[REF_LEVELS];         /* zones a handler in that level's hook can jump to */
	uintptr_t alternate_top;
	unsigned uids;
	int levels;                 /* hooks being interrupted at this moment */
	bool abandoned[REF_LEVELS]; /* the hook of that level was left by a jump, and no event has
				       come since */
	bool threadless;            /* the last thread has ended */
	bool early;                 /* a handler runs that came before its hook had begun */
};

extern struct world world;

/* Chance is a number that each draw changes; all of a batch follows from its first value. */
extern uint64_t world_state;
extern bool world_verbose; /* every event is printed */
extern long world_events;  /* of the batch so far */

/* Below n. */
unsigned world_chance(unsigned n);

void world_say(const char *what, int a, int b);

/* Ends the batch: the library and the reference differ. (In model.c, which knows the batch.) */
_Noreturn void world_fail(const char *what, int64_t got, int64_t wanted);

/* Reserves the stacks; none is in use. */
void world_make(void);

/* Nothing is open there any more. */
void world_empty(struct line *line);

#endif
